import { problems } from './problems.ts';

type Making<T> = { done: Promise<T>; waiting: number; abandoned: AbortController };

/** When to come back if there is too much to do, in seconds. */
const RETRY_AFTER_S = 5;

/**
 * Work that many may ask for at once and that is then done once: everyone who comes while it lasts gets its outcome. It is stopped when nobody waits
 * for it any more. Of different works `most` are under way, or in line, at a time: whoever asks for one more gets `playback_busy` (503).
 */
export function createShared<T>(most: number) {
  const makings = new Map<string, Making<T>>();

  function begin(key: string, make: (abandoned: AbortSignal) => Promise<T>): Making<T> {
    if (makings.size >= most) {
      throw problems.playback_busy(undefined, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
    }
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
