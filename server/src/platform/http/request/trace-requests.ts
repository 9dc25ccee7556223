import type { FastifyReply, FastifyRequest } from 'fastify';
import { openRequestSpan } from '../../tracing/index.ts';
import type { App } from '../types.ts';

/**
 * Opens a span for each request of an operation, and runs the request in it. It has the template of the path and the
 * status, and nothing that the client sent.
 */
export function traceRequests(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { url, schema } = request.routeOptions;
    const { operationId } = (schema ?? {}) as { operationId?: string };
    if (operationId === undefined) return done();
    request.span = openRequestSpan(request.headers.traceparent, () => ({
      name: `${request.method} ${url}`,
      attributes: {
        'http.request.method': request.method,
        'http.route': url,
        'sightline.operation': operationId,
      },
    }));
    if (request.span) request.span.run(done);
    else done();
  });
  app.addHook('onResponse', ({ span }: FastifyRequest, { statusCode, raw }: FastifyReply, done) => {
    if (span) {
      span.set({ 'http.response.status_code': statusCode });
      if (!raw.writableFinished) span.set({ 'sightline.disconnected': true });
      span.end();
    }
    done();
  });
}
