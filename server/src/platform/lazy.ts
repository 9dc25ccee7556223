/**
 * Returns a function that loads a value on its first call and returns the same one on later calls. A failed load is
 * repeated by the next call. Parts with a large library import it this way, so that nodes that do not use them do not
 * pay for it in memory and time to start (`acceptance/loaded-at-start.service.test.ts`).
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
}
