import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionLost, isTransientBucketError, retryAfterMs } from './errors.ts';
import type { Bucket } from './types.ts';

const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 200;
/** If the provider requests a longer delay, a later attempt of the caller retries. */
const MAX_DELAY_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 30_000;

/** Retries calls after transient errors, with the delay that the provider requests, and adds a response timeout. */
export function withRetry(bucket: Bucket): Bucket {
  async function retry<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        return await call(AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]));
      } catch (error) {
        signal.throwIfAborted();
        const delayMs = retryAfterMs(error) ?? FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random());
        if (attempt === MAX_ATTEMPTS || delayMs > MAX_DELAY_MS || !isTransientBucketError(error)) throw error;
        await sleep(delayMs, undefined, { signal });
      }
    }
  }
  return {
    ...bucket,
    list: (page, signal) => retry(signal, (signal) => bucket.list(page, signal)),
    stat: (key, signal) => retry(signal, (signal) => bucket.stat(key, signal)),
    async open(key, from, signal) {
      // The timeout ends with the response headers: the body may take longer.
      const timeout = new AbortController();
      const timer = setTimeout(
        () => timeout.abort(new DOMException('no response', 'TimeoutError')),
        RESPONSE_TIMEOUT_MS,
      );
      const responseSignal = AbortSignal.any([signal, timeout.signal]);
      try {
        return await bucket.open(key, from, responseSignal).catch((error) => {
          // The server had closed a connection of the pool.
          if (!isConnectionLost(error)) throw error;
          return bucket.open(key, from, responseSignal);
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
