import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Departure = { reply: FastifyReply; controller: AbortController | null };

const departures = new WeakMap<FastifyRequest, Departure>();

/** Gives every request its `gone` signal, made on first use: most handlers never look at it. */
export function trackDeparture(app: FastifyInstance): void {
  app.decorateRequest('gone', {
    getter(this: FastifyRequest): AbortSignal {
      return controllerOf(this).signal;
    },
  });
  app.addHook('onRequest', (request, reply, done) => {
    departures.set(request, { reply, controller: null });
    done();
  });
}

/** Aborts the request's `gone` signal although its client is still there: the server closes. */
export function dismiss(request: FastifyRequest, reason: string): void {
  controllerOf(request).abort(new Error(reason));
}

function controllerOf(request: FastifyRequest): AbortController {
  const departure = departures.get(request)!;
  if (departure.controller) return departure.controller;
  const controller = new AbortController();
  departure.controller = controller;
  const { raw } = departure.reply;
  const leave = () => {
    if (!raw.writableFinished) controller.abort(new Error('the client went away'));
  };
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  return controller;
}
