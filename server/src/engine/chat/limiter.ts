/** Runs at most `limit` calls at the same time; returns null for those that would wait behind `waiting` others. */
export function createLimiter(limit: number, waiting: number) {
  let active = 0;
  const queue: (() => void)[] = [];
  return async <T>(call: () => Promise<T>): Promise<T | null> => {
    if (active >= limit) {
      if (queue.length >= waiting) return null;
      await new Promise<void>((resolve) => queue.push(resolve));
    } else active++;
    try {
      return await call();
    } finally {
      // The place passes to the next call.
      const next = queue.shift();
      if (next) next();
      else active--;
    }
  };
}

/** Opens after `failures` failures in a row, for `pauseMs`. */
export function createBreaker(failures: number, pauseMs: number, now: () => number = Date.now) {
  let inARow = 0;
  let openUntil = 0;
  return {
    isOpen: () => now() < openUntil,
    succeed() {
      inARow = 0;
    },
    fail() {
      if (++inARow < failures) return;
      inARow = 0;
      openUntil = now() + pauseMs;
    },
  };
}
