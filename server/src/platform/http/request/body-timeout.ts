import type { FastifyRequest } from 'fastify';
import type { MinimumRate } from '../../net/index.ts';
import type { App } from '../types.ts';

/** Bodies slower than this over a minute are given up. */
export const BODY_RATE: MinimumRate = { bytesPerS: 1024, windowMs: 60_000 };

/**
 * Calls `giveUp` for a request whose body of any type arrives more slowly than `rate`. Time in which the server does
 * not read received bytes does not count.
 */
export function enforceBodyRate(app: App, rate: MinimumRate, giveUp: (request: FastifyRequest) => void): void {
  const quota = (rate.bytesPerS * rate.windowMs) / 1000;
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw } = request;
    if (!raw.complete) {
      let before = raw.socket.bytesRead;
      const timer = setInterval(() => {
        const { bytesRead } = raw.socket;
        if (raw.complete) clearInterval(timer);
        else if (bytesRead - before < quota && raw.readableLength === 0) giveUp(request);
        before = bytesRead;
      }, rate.windowMs).unref();
      raw.once('end', () => clearInterval(timer));
      raw.once('close', () => clearInterval(timer));
    }
    done(null, payload);
  });
}
