/** Processor time in seconds after which a pass lets others go first: the length of a range. */
export const RANGE_CPU_S = 1;

/** Calls `next` each time the process has used `RANGE_CPU_S` of processor time, with all of its threads. */
export function everyRange(next: () => Promise<void>, cpuS: () => number = processCpuS): () => Promise<void> {
  let startS = cpuS();
  return async () => {
    if (cpuS() - startS < RANGE_CPU_S) return;
    await next();
    startS = cpuS();
  };
}

function processCpuS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
