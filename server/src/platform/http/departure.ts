import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const REPLY = Symbol('reply');
const CONTROLLER = Symbol('controller');

/** Where a request keeps what its `gone` signal is made of. */
type Departing = FastifyRequest & { [REPLY]: FastifyReply; [CONTROLLER]: AbortController | null };

/** Gives every request its `gone` signal, made on first use: most handlers never look at it. */
export function trackDeparture(app: FastifyInstance): void {
  app.decorateRequest('gone', {
    getter(this: FastifyRequest): AbortSignal {
      return controllerOf(this).signal;
    },
  });
  app.decorateRequest(REPLY, null);
  app.decorateRequest(CONTROLLER, null);
  app.addHook('onRequest', (request, reply, done) => {
    (request as Departing)[REPLY] = reply;
    done();
  });
}

/** Aborts the request's `gone` signal although its client is still there: the server closes. */
export function dismiss(request: FastifyRequest, reason: string): void {
  controllerOf(request).abort(new Error(reason));
}

function controllerOf(request: FastifyRequest): AbortController {
  const departing = request as Departing;
  if (departing[CONTROLLER]) return departing[CONTROLLER];
  const controller = new AbortController();
  departing[CONTROLLER] = controller;
  const { raw } = departing[REPLY];
  const leave = () => {
    if (!raw.writableFinished) controller.abort(new Error('the client went away'));
  };
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  return controller;
}
