import type { Readable } from 'node:stream';
import { problems } from './problems.ts';

/** Minimum rate of a peer: bytes per second on average over a window of time spent waiting for it. */
export type MinimumRate = { bytesPerS: number; windowMs: number };

/** Minimum rate for fetched files. A video would take days at a lower one. */
export const FETCH_RATE: MinimumRate = { bytesPerS: 8 * 1024, windowMs: 30_000 };
/** Consecutive slow windows after which a transfer fails. */
const MAX_SLOW_WINDOWS = 3;

/**
 * Enforces the minimum rate of one transfer over all its connections. Reconnecting counts as waiting, the reader's own
 * time does not. A window without data ends the body with `fetch_interrupted`, the third slow window in a row with
 * `fetch_too_slow`. `peer` is the subject of their messages.
 */
export function createRateWatch({ bytesPerS, windowMs }: MinimumRate, peer: string) {
  const quota = (bytesPerS * windowMs) / 1000;
  let bytes = 0;
  let waitedMs = 0;
  let waitStartMs = performance.now();
  let slowWindows = 0;

  function startWindow(): void {
    bytes = 0;
    waitedMs = 0;
    waitStartMs = performance.now();
  }

  /** Error that ends the body after this window; null if it continues. */
  function endSlowWindow(): Error | null {
    const isSilent = bytes === 0;
    startWindow();
    const seconds = (windows: number) => Math.round((windows * windowMs) / 100) / 10;
    if (++slowWindows === MAX_SLOW_WINDOWS) {
      const rate = `sent fewer than ${bytesPerS} bytes a second for ${seconds(slowWindows)} seconds`;
      return problems.fetch_too_slow(`${peer} ${rate}, so the transfer was ended.`);
    }
    return isSilent ? problems.fetch_interrupted(`${peer} sent nothing for ${seconds(1)} seconds.`) : null;
  }

  return {
    /** Yields the chunks of one connection's body. */
    async *read(body: Readable): AsyncGenerator<Buffer> {
      let timer: NodeJS.Timeout;
      const endWindowIn = (ms: number) => {
        timer = setTimeout(() => {
          const reason = endSlowWindow();
          if (reason) body.destroy(reason);
          else endWindowIn(windowMs);
        }, ms);
      };
      const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      try {
        for (;;) {
          const leftMs = windowMs - waitedMs - (performance.now() - waitStartMs);
          endWindowIn(Math.max(0, leftMs));
          const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
          if (done) return;
          waitedMs += performance.now() - waitStartMs;
          bytes += value.length;
          if (bytes >= quota) {
            startWindow();
            slowWindows = 0;
          }
          yield value;
          waitStartMs = performance.now();
        }
      } finally {
        body.destroy();
      }
    },
  };
}
