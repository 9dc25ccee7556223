/**
 * Limits the requests at the same time. An endpoint that refuses with "too many" gets half as many; each success after
 * that allows a part of one more.
 */
export function createEndpointLimiter(max: number) {
  let limit = max;
  let active = 0;
  const waiting: (() => void)[] = [];
  const admit = () => {
    while (active < Math.floor(limit) && waiting.length > 0) {
      active++;
      waiting.shift()!();
    }
  };
  return {
    async run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          const at = waiting.indexOf(start);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal.reason);
        };
        const start = () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(start);
        admit();
      });
      try {
        return await call();
      } finally {
        active--;
        admit();
      }
    },
    slowDown() {
      limit = Math.max(1, limit / 2);
    },
    speedUp() {
      limit = Math.min(max, limit + 1 / Math.floor(limit));
    },
  };
}
