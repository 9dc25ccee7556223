type Making<T> = { done: Promise<T>; waiting: number; abandoned: AbortController };

/**
 * Work that many may ask for at once and that is then done once: everyone who comes while it lasts gets its outcome. It is stopped when nobody waits
 * for it any more.
 */
export function createShared<T>() {
  const makings = new Map<string, Making<T>>();

  function begin(key: string, make: (abandoned: AbortSignal) => Promise<T>): Making<T> {
    const abandoned = new AbortController();
    const done = make(abandoned.signal).finally(() => {
      if (makings.get(key) === making) makings.delete(key);
    });
    done.catch(() => {});
    const making = { done, waiting: 0, abandoned };
    makings.set(key, making);
    return making;
  }

  return async (key: string, signal: AbortSignal, make: (abandoned: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const making = makings.get(key) ?? begin(key, make);
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal.reason);
    making.waiting++;
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([making.done, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      if (--making.waiting === 0) {
        if (makings.get(key) === making) makings.delete(key);
        making.abandoned.abort(signal.reason);
      }
    }
  };
}
