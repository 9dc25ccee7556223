/** The promise, whose rejection is no error of the process if nobody awaits it: others were aborted with it. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
