/** Lets at most `limit` things happen at once; the others wait in their order. */
export function createGate(limit: number) {
  let free = limit;
  const waiting: (() => void)[] = [];

  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
