import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#platform/log';

const LOOK_EVERY_MS = 500;
/** A full disk is the usual reason why it does not start: it is back soon after there is room. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Looks after a server in use: when it is gone although nobody stopped it (killed for memory, say), it is started again,
 * with growing waits while that fails. Callers' pools reconnect by themselves. Returns how to stop looking.
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
      log.error('the database server is gone; starting it again');
      try {
        await restart(ending.signal);
        wait = LOOK_EVERY_MS;
      } catch (error) {
        ending.signal.throwIfAborted();
        wait = Math.min(LONGEST_WAIT_MS, wait * 2);
        log.error({ err: error }, 'the database server did not start again');
      }
    }
  })().catch(() => {}); // the abort is the only way out

  return async () => {
    ending.abort();
    await looking;
  };
}
