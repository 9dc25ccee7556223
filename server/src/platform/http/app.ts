import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import Fastify, { type FastifyReply, type FastifyRequest, LogController, type RouteOptions } from 'fastify';
import helmet from 'helmet';
import type { TSchema } from 'typebox';
import { newId } from '../ids.ts';
import { type Log, withLogFields } from '../log.ts';
import { requestEnded } from '../measurements.ts';
import type { MinimumRate } from '../net/index.ts';
import { Problem } from '../problem.ts';
import { isTracing } from '../tracing/index.ts';
import { type AuditTrail, createRecorder, recordRefusal } from './audit.ts';
import { createAuthentication, requireScope, type SessionAuthentication } from './auth/authentication.ts';
import { createIdempotency, isWrite, storesData } from './idempotency/idempotency.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { problems } from './problems.ts';
import { acceptBodies } from './request/body-parsers.ts';
import { BODY_RATE, enforceBodyRate } from './request/body-timeout.ts';
import { findIgnoredFields, IGNORED_FIELDS, reportIgnored } from './request/ignored-fields.ts';
import { addRequestSignal } from './request/request-signal.ts';
import { traceRequests } from './request/trace-requests.ts';
import { addUnusedParameters, refuseUnknownParameters, type UnusedParameters } from './request/unknown-parameters.ts';
import { checkTexts, validationProblem, validatorFactory } from './request/validation.ts';
import { setDeprecation } from './response/deprecation.ts';
import { renderError } from './response/error-response.ts';
import { closeUnreadResponse, UNREAD_TIMEOUT_MS } from './response/response-timeout.ts';
import { roundResponses, serializerFactory } from './response/serialization.ts';
import { ErrorResponse } from './schema/failures.ts';
import { withoutNulls } from './schema/fields.ts';
import { addUnusedFields, type UnusedFields } from './schema/unused-fields.ts';
import { createOpenStreams, STREAM_LIMITS, type StreamLimits } from './sse/open-streams.ts';
import type { App, Caller } from './types.ts';

export type HttpDeps = {
  log: Log;
  /** Largest JSON or form body in bytes; an upload route sets its own limit. */
  bodyBytes: number;
  /**
   * Resolves a key to its caller. Throws `key_malformed` (403), `key_unknown`, `key_expired` or `key_revoked` (401).
   */
  authenticate(key: string): Promise<Caller>;
  /** Authenticates signed-in users; without it, requests need a key. */
  sessions?: SessionAuthentication;
  idempotency: IdempotencyStore;
  /** Records operations in the audit log; without it, none are. */
  audit?: AuditTrail;
  /** Rate limits per key and address; without them requests are unlimited. */
  limits?: RateLimits;
  /** Throws `storage_full` (507) while the disks are full. Called before writes that do not delete. */
  requireSpace?: () => Promise<void>;
  /** Makes room on full disks for recording a deletion. Called before writes that delete. */
  makeRoom?: () => Promise<void>;
  /** Networks of proxies whose `X-Forwarded-For` header is trusted; default: none. */
  trustedProxies?: readonly string[];
  /** Minimum rate of request bodies; default: `BODY_RATE`. */
  bodyRate?: MinimumRate;
  /** Longest time in milliseconds that a client may leave a response unread; default: a minute. */
  unreadMs?: number;
  /** Maximum number of open event streams per key and address; default: `STREAM_LIMITS`. */
  streams?: StreamLimits;
  /** Responds to a browser that opens an unknown page; without it, such requests get JSON as all others. */
  pageNotFound?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;
  /** Fields without effect that bodies may have; default: none. */
  unusedFields?: UnusedFields;
  /** Query parameters without effect that operations accept; default: none. */
  unusedParameters?: UnusedParameters;
  /** Version of the interface: the header `API-Version` of each response. */
  apiVersion?: string;
  /** Longest time in seconds that a repeat waits for the first request with its `Idempotency-Key`. */
  idempotencyWaitS?: number;
};

/** Response headers that scripts of other origins may read besides the simple ones. */
const EXPOSED = [
  'X-Request-ID',
  'API-Version',
  'Deprecation',
  'Sunset',
  'Idempotency-Replayed',
  IGNORED_FIELDS,
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Location',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Checksum-Algorithm',
  'Tus-Max-Size',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Expires',
  'ETag',
  'Content-Range',
  'Accept-Ranges',
  'Content-Length',
  'Content-Disposition',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Responses are data: browsers must not frame, run or sniff them, and caches store them only if the route allows it.
 */
const setSecurityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  xFrameOptions: { action: 'deny' },
  // Whether a host is reachable over HTTPS alone is for its operator to say.
  strictTransportSecurity: false,
});

/** Idle time after which TCP probes a connection. */
const KEEP_ALIVE_MS = 60_000;
/** Longest time that a rejected client may continue to send a body that nobody reads. */
const UNREAD_BODY_MS = 10_000;

/**
 * The HTTP layer of all rooms: authentication and scopes (before a body is read), validation, errors, idempotency,
 * request ids and CORS. Rooms register their routes as plugins. Every route declares `config.scope`, or the app does
 * not start.
 */
export function createHttp(deps: HttpDeps): App {
  const nextId = requestIds();
  const setHeaders = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    reply.header('x-request-id', request.id);
    if (deps.apiVersion) reply.header('api-version', deps.apiVersion);
    setDeprecation(request, reply);
    setSecurityHeaders(request.raw, reply.raw, () => {});
  };
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: deps.bodyBytes,
    trustProxy: deps.trustedProxies?.length ? [...deps.trustedProxies] : false,
    requestIdHeader: false,
    http: { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']) ?? nextId(),
    // A child logger per request would cost every request; the few log lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    // Keep-alive connections are served until they close: a 503 during shutdown would lose their requests.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 255 },
    schemaController: {
      compilersFactory: { buildValidator: validatorFactory(), buildSerializer: serializerFactory() },
    },
    schemaErrorFormatter: validationProblem,
    // Fastify runs no hooks for a URL that it cannot read.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      return renderError(error, request, reply);
    },
    clientErrorHandler: refuseConnection,
  }) as unknown as App;

  app.addSchema(ErrorResponse);
  app.decorateRequest('caller');
  app.decorateRequest('bodyDigest', null);
  app.decorateRequest('span', null);
  app.setErrorHandler(renderError);
  acceptBodies(app);
  addRequestSignal(app);
  checkTexts(app);
  roundResponses(app);
  enforceBodyRate(app, deps.bodyRate ?? BODY_RATE, giveUpOn);
  app.addHook('onRequest', (_request, reply, done) => {
    closeUnreadResponse(reply, deps.unreadMs ?? UNREAD_TIMEOUT_MS);
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete && !request.caller) dropUnreadBody(request);
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => withLogFields({ reqId: request.id }, done));
  if (isTracing()) traceRequests(app);
  app.addHook('onResponse', (request, reply, done) => {
    if (requestEnded.isObserved) publishRequest(request, reply);
    done();
  });
  if (deps.log.isLevelEnabled('debug')) logRequests(app);
  guardRoutes(app, deps);
  app.register(cors, { origin: '*', methods: METHODS, exposedHeaders: EXPOSED, maxAge: 600, strictPreflight: false });
  return app;
}

/** Adds the checks that the `config` of a route requires. A route without a scope stops the start. */
function guardRoutes(app: App, deps: HttpDeps): void {
  const { authenticate, sessions, idempotency, audit, limits, requireSpace, makeRoom, idempotencyWaitS = 30 } = deps;
  const { unusedFields = {}, unusedParameters = {} } = deps;
  const authenticateRequest = createAuthentication(authenticate, sessions);
  app.decorate('authenticateRequest', authenticateRequest);
  const streams = createOpenStreams(app, deps.streams ?? STREAM_LIMITS);
  app.decorate('streams', streams);
  const routes: RouteOptions[] = [];
  const makeIdempotent = createIdempotency(app, idempotency, idempotencyWaitS);
  const makeRecorded = createRecorder(audit, idempotency.unit);

  app.addHook('onRoute', (route) => {
    routes.push(route);
    const needsSpace = storesData(route);
    const deletes = isWrite(route) && !needsSpace;
    const counted = route.config?.countedAs ?? (isWrite(route) ? 'write' : 'read');
    route.onRequest = [
      async (request: FastifyRequest, reply: FastifyReply) => {
        const scope = route.config?.scope;
        if (scope === 'public') {
          if (counted === 'file') limits?.admitFile(request, reply);
          return;
        }
        limits?.admitAddress(request);
        const caller = await authenticateRequest(request, scope!, route.config?.enrollment).catch(async (error) => {
          // If the database is down because its disk is full, the caller gets that error.
          if (needsSpace && !(error instanceof Problem)) await requireSpace?.();
          if (deletes && !(error instanceof Problem)) await makeRoom?.();
          throw error;
        });
        const enough = scope === 'any' || scope === 'session' || (caller.sessionId && route.config?.anySession);
        try {
          if (!enough) requireScope(caller, scope!);
          if (caller.folderId && !route.config?.folderKeys) throw problems.key_limited();
        } catch (error) {
          await recordRefusal(audit, request, caller, error);
          throw error;
        }
        // Before its first write, which counts the request.
        if (deletes) await makeRoom?.();
        if (counted !== 'file') await limits?.admitKey(request, reply, caller, counted);
        request.caller = caller;
        if (route.config?.stream) streams.admit(request, reply);
        if (needsSpace) await requireSpace?.();
      },
      ...[route.onRequest ?? []].flat(),
    ];
    const { operationId } = (route.schema ?? {}) as { operationId?: string };
    const query = addUnusedParameters(route.schema?.querystring as TSchema | undefined, operationId, unusedParameters);
    if (query) route.schema = { ...route.schema, querystring: withoutNulls(query) };
    const body = route.schema?.body as TSchema | undefined;
    if (body) {
      route.schema = { ...route.schema, body: addUnusedFields(body, unusedFields) };
      // A body without required fields may be omitted: existing clients send such POSTs without one.
      route.preValidation = [emptyBodyIsObject, nameIgnoredFields(body), ...[route.preValidation ?? []].flat()];
    }
    // Signed URLs, pages and the addresses to which other servers send users may have any parameters.
    if (route.config?.scope && route.config.scope !== 'public') {
      route.preValidation = [refuseUnknownParameters(query), ...[route.preValidation ?? []].flat()];
    }
    makeRecorded(route);
    makeIdempotent(route);
  });

  app.addHook('onReady', async () => {
    const open = routes.filter((route) => !route.config?.scope && route.method !== 'OPTIONS');
    if (open.length === 0) return;
    throw new Error(`Routes without config.scope: ${open.map((r) => `${r.method} ${r.url}`).join(', ')}`);
  });

  function refuseUnknown(request: FastifyRequest): never {
    const path = request.url.split('?')[0]!;
    const matching = routes.map((r) => r.url).filter((url) => url !== '*' && patternOf(url).test(path));
    if (matching.length === 0) throw problems.route_not_found(`There is no endpoint ${request.method} ${path}.`);
    // `/api/folders/get` is a path of its own, not a folder with the id `get`.
    const closest = matching.reduce((a, b) => (placeholdersIn(b) < placeholdersIn(a) ? b : a));
    const methods = routes.filter((r) => r.url === closest).flatMap((r) => r.method);
    // CORS answers OPTIONS on every path.
    const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
    throw problems.method_not_allowed(`${path} does not know ${request.method}; it knows ${allow}.`, {
      headers: { allow },
    });
  }
  app.setNotFoundHandler(refuseUnknown);
  // Runs before all other checks of such a request.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const page = opensPage(request) ? deps.pageNotFound?.(request, reply) : null;
    return page ?? refuseUnknown(request);
  });
}

/** True for a browser that opens an address outside of the API. */
const opensPage = ({ method, url, headers }: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(method) && !/^\/api(\/|\?|$)/.test(url) && /\btext\/html\b/.test(headers.accept ?? '');

/** `/api/video/:id/status` as a pattern; used only for requests that matched no route. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}

/** Number of placeholders in the path of a route. */
const placeholdersIn = (url: string) => url.split('/').filter((part) => part.startsWith(':') || part === '*').length;

async function emptyBodyIsObject(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}

/** A hook that names the fields of the body without effect, also of one that is refused. */
const nameIgnoredFields = (body: TSchema) => async (request: FastifyRequest, reply: FastifyReply) =>
  reportIgnored(reply, findIgnoredFields(body, request.body));

/** The request id of the client if it is valid, so that logs of both sides can be matched. */
function requestIdOf(sent: string | string[] | undefined): string | null {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : null;
}

/** Request ids of this process: its id and a counter, which is cheaper than a new id per request. */
function requestIds(): () => string {
  const process = newId();
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}

function publishRequest({ routeOptions }: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
  const { operationId } = (routeOptions.schema ?? {}) as { operationId?: string };
  const seconds = routeOptions.config?.stream ? null : elapsedTime / 1000;
  requestEnded.publish({ operation: operationId ?? null, status: statusCode, seconds });
}

function logRequests(app: App): void {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { method, url } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.debug({
      reqId: request.id,
      method,
      path: url.split('?')[0],
      status: reply.statusCode,
      ms,
      key: request.caller?.keyId ?? undefined,
      session: request.caller?.sessionId,
    });
    done();
  });
}

/** Node reads a rejected body on, so that the client receives the response; a body that never ends is cut off here. */
function dropUnreadBody({ raw }: FastifyRequest): void {
  // Requests of the service to itself have no socket that could be closed.
  const timer = setTimeout(() => raw.destroy(), UNREAD_BODY_MS).unref();
  raw.once('end', () => clearTimeout(timer));
  raw.once('close', () => clearTimeout(timer));
}

/** Sends 408 to a client whose body stalled, and closes its connection. */
function giveUpOn({ raw: { socket } }: FastifyRequest): void {
  refuseConnection(Object.assign(new Error('the body went silent'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  socket.destroySoon();
}

/** Responds to input that is not valid HTTP. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const [status, reason, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'The request headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'The request did not arrive in time.']
        : [400, 'Bad Request', 'This is not a valid HTTP request.'];
  const body = JSON.stringify({ detail: message, message, error: 'request_invalid' });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
