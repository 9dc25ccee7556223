/** A set of functions to call. */
export class Listeners<Args extends unknown[]> {
  readonly #all = new Set<(...args: Args) => void>();

  /** Calls the listener until the returned function is called. */
  add = (listener: (...args: Args) => void): (() => void) => {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  };

  call(...args: Args): void {
    for (const listener of this.#all) listener(...args);
  }
}
