import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#platform/log';

const LOOK_EVERY_MS = 500;
/** A full disk is the usual reason for a failed start. The server returns soon after there is space. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Restarts a server that has ended unexpectedly (out of memory, say), with growing delays while that fails. Pools of
 * callers reconnect by themselves. Returns a function that stops the supervision.
 */
export function watch(
  isAlive: () => boolean,
  restart: (signal: AbortSignal) => Promise<void>,
  log: Log,
): () => Promise<void> {
  const ending = new AbortController();
  const rest = (ms: number) => sleep(ms, undefined, { signal: ending.signal, ref: false });
  const looking = (async () => {
    let wait = LOOK_EVERY_MS;
    for (;;) {
      await rest(wait);
      if (isAlive()) continue;
      log.error('the database server has ended; starting it again');
      try {
        await restart(ending.signal);
        wait = LOOK_EVERY_MS;
      } catch (error) {
        ending.signal.throwIfAborted();
        wait = Math.min(LONGEST_WAIT_MS, wait * 2);
        log.error({ err: error }, 'the database server did not start again');
      }
    }
  })().catch(() => {}); // aborting is the only exit

  return async () => {
    ending.abort();
    await looking;
  };
}
