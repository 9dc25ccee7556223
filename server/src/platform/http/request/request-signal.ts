import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const REPLY = Symbol('reply');
const CONTROLLER = Symbol('controller');

/** A request with the parts of its `disconnected` signal. */
type RequestWithSignal = FastifyRequest & { [REPLY]: FastifyReply; [CONTROLLER]: AbortController | null };

/** Adds the `disconnected` signal to every request, created on first use because most handlers need none. */
export function addRequestSignal(app: FastifyInstance): void {
  app.decorateRequest('disconnected', {
    getter(this: FastifyRequest): AbortSignal {
      return controllerOf(this).signal;
    },
  });
  app.decorateRequest(REPLY, null);
  app.decorateRequest(CONTROLLER, null);
  app.addHook('onRequest', (request, reply, done) => {
    (request as RequestWithSignal)[REPLY] = reply;
    done();
  });
}

/** Aborts the `disconnected` signal of a request while its client is still connected, because the server closes. */
export function disconnect(request: FastifyRequest, reason: string): void {
  controllerOf(request).abort(new Error(reason));
}

function controllerOf(request: FastifyRequest): AbortController {
  const departing = request as RequestWithSignal;
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
