import type { FastifyRequest } from 'fastify';
import type { App } from './types.ts';

/** Calls `giveUp` for a request whose body has not gone on for about this long; one that nobody reads here at the moment is not silent. */
export function watchBodies(app: App, silenceMs: number, giveUp: (request: FastifyRequest) => void): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw } = request;
    if (!raw.complete) {
      let seen = raw.socket.bytesRead;
      const timer = setInterval(() => {
        const came = raw.socket.bytesRead;
        if (raw.complete) clearInterval(timer);
        else if (came === seen && raw.readableLength === 0) giveUp(request);
        seen = came;
      }, silenceMs).unref();
      raw.once('end', () => clearInterval(timer));
      raw.once('close', () => clearInterval(timer));
    }
    done(null, payload);
  });
}
