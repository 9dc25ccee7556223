/** Prints progress to stderr: the run takes minutes. */
export function createReport(name: string, total: number): (item: string) => void {
  const started = performance.now();
  let done = 0;
  return (item) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.error(`${name}${++done} of ${total}, ${seconds} s (${item})`);
  };
}
