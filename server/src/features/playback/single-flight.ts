import { problems } from './problems.ts';

type Flight<T> = { done: Promise<T>; waiters: number; controller: AbortController };

/** Value of the `Retry-After` header at the concurrency limit, in seconds. */
const RETRY_AFTER_S = 5;

/**
 * Runs work once per key at a time: concurrent callers share the run and its result. A run is aborted when its last
 * caller disconnects. At `maxPending` different keys, further ones are rejected with `playback_busy` (503).
 */
export function createSingleFlight<T>(maxPending: number) {
  const flights = new Map<string, Flight<T>>();

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    if (flights.size >= maxPending) {
      throw problems.playback_busy(undefined, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
    }
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    done.catch(() => {});
    const flight = { done, waiters: 0, controller };
    flights.set(key, flight);
    return flight;
  }

  return async (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const flight = flights.get(key) ?? start(key, work);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal.reason);
    flight.waiters++;
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([flight.done, aborted]);
    } finally {
      signal.removeEventListener('abort', abort);
      if (--flight.waiters === 0) {
        if (flights.get(key) === flight) flights.delete(key);
        flight.controller.abort(signal.reason);
      }
    }
  };
}
