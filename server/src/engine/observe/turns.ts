/** Processor time in seconds after which a pass is saved and lets others go first: the length of a range. */
export const RANGE_CPU_S = 1;

/** Measures ranges in processor time of this process, with all of its threads. */
export function createRangeClock(rangeS: number = RANGE_CPU_S) {
  let startS = processCpuS();
  return {
    isOver: () => processCpuS() - startS >= rangeS,
    restart() {
      startS = processCpuS();
    },
  };
}

function processCpuS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
