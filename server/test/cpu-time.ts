/**
 * Starts to measure the processor time of this thread, which other work on the machine does not change. Returns a
 * function that returns the milliseconds since then.
 */
export function startCpuTimer(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
