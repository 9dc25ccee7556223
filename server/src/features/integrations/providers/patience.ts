import { setTimeout as sleep } from 'node:timers/promises';
import { isBroken, isTransient, waitOf } from './failure.ts';
import type { Bucket } from './index.ts';

const TRIES = 4;
const FIRST_PAUSE_MS = 200;
/** Who asks for a longer pause is asked again by a later attempt, not by this one. */
const LONGEST_PAUSE_MS = 10_000;
const ANSWER_MS = 30_000;

/** A bucket whose calls are tried again after what may pass, with the pause that the provider asks for, and end in time. */
export function withPatience(bucket: Bucket): Bucket {
  async function patiently<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      try {
        return await work(signal);
      } catch (error) {
        signal.throwIfAborted();
        const pause = waitOf(error) ?? FIRST_PAUSE_MS * 2 ** tries * (0.5 + Math.random());
        if (tries === TRIES || pause > LONGEST_PAUSE_MS || !isTransient(error)) throw error;
        await sleep(pause, undefined, { signal });
      }
    }
  }
  const inTime = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  return {
    ...bucket,
    list: (place, signal) => patiently(signal, (signal) => bucket.list(place, inTime(signal))),
    stat: (key, signal) => patiently(signal, (signal) => bucket.stat(key, inTime(signal))),
    async open(key, from, signal) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new DOMException('no answer', 'TimeoutError')), ANSWER_MS);
      const within = AbortSignal.any([signal, late.signal]);
      try {
        return await bucket.open(key, from, within).catch((error) => {
          // A connection that was kept, and that the server gave up meanwhile.
          if (!isBroken(error)) throw error;
          return bucket.open(key, from, within);
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
