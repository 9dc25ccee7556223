import type { Readable } from 'node:stream';
import { problems } from './problems.ts';

/** The slowest that a peer may send: bytes a second, on average over a window of waiting for it. */
export type MinimumRate = { bytesPerS: number; windowMs: number };

/** For files that are fetched; a network that is slower than this takes days for a video. */
export const FETCH_RATE: MinimumRate = { bytesPerS: 8 * 1024, windowMs: 30_000 };
/** Slow windows in a row after which the peer is too slow; before that the network may be at fault. */
const MAX_SLOW_WINDOWS = 3;

/**
 * Watches the rate of one transfer over all of its connections: reconnecting counts as waiting, what the reader does between two chunks does
 * not. A window without a byte ends the body with `fetch_interrupted`, the third slow one in a row with `fetch_too_slow`. `peer` starts their
 * sentences.
 */
export function watchRate({ bytesPerS, windowMs }: MinimumRate, peer: string) {
  const quota = (bytesPerS * windowMs) / 1000;
  let bytes = 0;
  let waitedMs = 0;
  let waitsSince = performance.now();
  let slowWindows = 0;

  function startWindow(): void {
    bytes = 0;
    waitedMs = 0;
    waitsSince = performance.now();
  }

  /** Why the body ends with this window; null where it continues. */
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
    /** The chunks of one connection's body. */
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
          const leftMs = windowMs - waitedMs - (performance.now() - waitsSince);
          endWindowIn(Math.max(0, leftMs));
          const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
          if (done) return;
          waitedMs += performance.now() - waitsSince;
          bytes += value.length;
          if (bytes >= quota) {
            startWindow();
            slowWindows = 0;
          }
          yield value;
          waitsSince = performance.now();
        }
      } finally {
        body.destroy();
      }
    },
  };
}
