import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import Fastify, { type FastifyReply, type FastifyRequest, LogController, type RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MinimumRate } from '../net/index.ts';
import { Problem } from '../problem.ts';
import { createAuthentication, requireScope, type SessionsOfPeople } from './authentication.ts';
import { acceptBodies } from './bodies.ts';
import { BODY_RATE, watchBodies } from './body-rate.ts';
import { trackDeparture } from './departure.ts';
import { renderError } from './errors.ts';
import { changesThings, createIdempotency, storesSomething } from './idempotency/index.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import type { Limits } from './limits/index.ts';
import { problems } from './problems.ts';
import { ErrorResponse, withoutNulls } from './schema.ts';
import { roundAnswers, serializerFactory } from './serialization.ts';
import { createStreams, STREAM_LIMITS, type StreamLimits } from './streams.ts';
import type { App, Caller } from './types.ts';
import { endUnread, UNREAD_MS } from './unread.ts';
import { checkTexts, validationProblem, validatorFactory } from './validation.ts';

export type HttpDeps = {
  log: Log;
  /** Largest JSON or form body in bytes; an upload route sets its own limit. */
  bodyBytes: number;
  /** Resolves a key to its caller; throws `key_malformed` (403), `key_unknown`, `key_expired` or `key_revoked` (401). */
  authenticate(key: string): Promise<Caller>;
  /** How people who signed in are known; without it keys are the only way. */
  sessions?: SessionsOfPeople;
  idempotency: IdempotencyStore;
  /** How often a key and an address may ask; without it as often as they like. */
  limits?: Limits;
  /** Throws `storage_full` (507) while the disks of the service are full; writes other than DELETE ask it first. */
  requireSpace?: () => Promise<void>;
  /** Networks of the proxies that may say, in `X-Forwarded-For`, where a request came from; default: none. */
  trustedProxies?: readonly string[];
  /** The slowest that a request body may arrive; default: `BODY_RATE`. */
  bodyRate?: MinimumRate;
  /** How long a client may leave a response unread, in milliseconds; default: a minute. */
  unreadMs?: number;
  /** Event streams that a key, and an address, may have open; default: `STREAM_LIMITS`. */
  streams?: StreamLimits;
  /** How long a repeat waits for the first request with its `Idempotency-Key`, in seconds. */
  idempotencyWaitS?: number;
};

/** What browsers may read of an answer besides the simple headers. */
const EXPOSED = [
  'X-Request-ID',
  'Idempotency-Replayed',
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

/** An answer is data: no page may frame it, run it or guess another type into it, and nothing on the way keeps it unless a route says so. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** A connection that is idle for this long is asked whether its other end is still there. */
const KEEP_ALIVE_MS = 60_000;
/** How long a refused client may go on sending a body that nobody reads. */
const UNREAD_BODY_MS = 10_000;

/**
 * The HTTP layer all rooms stand on: keys and scopes checked before a body is read, validation, one error shape, idempotency,
 * request ids, CORS. Routes are added by registering plugins on it; each declares `config.scope`, or the app does not start.
 */
export function createHttp(deps: HttpDeps): App {
  const nextId = requestIds();
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: deps.bodyBytes,
    trustProxy: deps.trustedProxies?.length ? [...deps.trustedProxies] : false,
    requestIdHeader: false,
    http: { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']) ?? nextId(),
    // One for each request is a cost of every request for the few that log: what they log names the request itself.
    childLoggerFactory: (logger) => logger,
    // Keep-alive connections are served until they close; a 503 in the last moment would lose their requests.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 255 },
    schemaController: {
      compilersFactory: { buildValidator: validatorFactory(), buildSerializer: serializerFactory() },
    },
    schemaErrorFormatter: validationProblem,
    frameworkErrors: renderError,
    clientErrorHandler: refuseConnection,
  }) as unknown as App;

  app.addSchema(ErrorResponse);
  app.decorateRequest('caller');
  app.decorateRequest('bodyDigest', null);
  app.setErrorHandler(renderError);
  acceptBodies(app);
  trackDeparture(app);
  checkTexts(app);
  roundAnswers(app);
  watchBodies(app, deps.bodyRate ?? BODY_RATE, giveUpOn);
  app.addHook('onRequest', (_request, reply, done) => {
    endUnread(reply, deps.unreadMs ?? UNREAD_MS);
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete && !request.caller) dropUnreadBody(request);
    done();
  });
  if (deps.log.isLevelEnabled('info')) logRequests(app);
  guardRoutes(app, deps);
  app.register(cors, { origin: '*', methods: METHODS, exposedHeaders: EXPOSED, maxAge: 600, strictPreflight: false });
  return app;
}

/** Gives each route the checks its `config` asks for, and refuses to start with a route that declares no scope. */
function guardRoutes(app: App, deps: HttpDeps): void {
  const { authenticate, sessions, idempotency, limits, requireSpace, idempotencyWaitS = 30 } = deps;
  const callerOf = createAuthentication(authenticate, sessions);
  app.decorate('callerOf', callerOf);
  const streams = createStreams(app, deps.streams ?? STREAM_LIMITS);
  app.decorate('streams', streams);
  const routes: RouteOptions[] = [];
  const makeIdempotent = createIdempotency(app, idempotency, idempotencyWaitS);

  app.addHook('onRoute', (route) => {
    routes.push(route);
    const needsSpace = storesSomething(route);
    const counted = route.config?.countedAs ?? (changesThings(route) ? 'write' : 'read');
    route.onRequest = [
      async (request: FastifyRequest, reply: FastifyReply) => {
        const scope = route.config?.scope;
        if (scope === 'public') {
          if (counted === 'file') limits?.admitFile(request, reply);
          return;
        }
        limits?.admitAddress(request);
        const caller = await callerOf(request, scope!).catch(async (error) => {
          // A database whose disk is full may be down: then that is what the caller has to know.
          if (needsSpace && !(error instanceof Problem)) await requireSpace?.();
          throw error;
        });
        const enough = scope === 'any' || scope === 'session' || (caller.sessionId && route.config?.anySession);
        if (!enough) requireScope(caller, scope!);
        if (caller.folderId && !route.config?.folderKeys) throw problems.key_limited();
        if (counted !== 'file') await limits?.admitKey(request, reply, caller, counted);
        request.caller = caller;
        if (route.config?.stream) streams.admit(request, reply);
        if (needsSpace) await requireSpace?.();
      },
      ...[route.onRequest ?? []].flat(),
    ];
    if (route.schema?.querystring) {
      route.schema = { ...route.schema, querystring: withoutNulls(route.schema.querystring as TSchema) };
    }
    if (route.schema?.body) {
      // A body may be left out where no field is required: bodyless POSTs are what existing clients send.
      route.preValidation = [emptyBodyIsObject, ...[route.preValidation ?? []].flat()];
    }
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
    // As the API's description is read: `/api/folders/get` is that path, and no folder with the id `get`.
    const closest = matching.reduce((a, b) => (placeholdersIn(b) < placeholdersIn(a) ? b : a));
    const methods = routes.filter((r) => r.url === closest).flatMap((r) => r.method);
    // CORS answers OPTIONS on every path.
    const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
    throw problems.method_not_allowed(`${path} does not know ${request.method}; it knows ${allow}.`, {
      headers: { allow },
    });
  }
  app.setNotFoundHandler(refuseUnknown);
  // Before anything else is found wrong with it.
  app.addHook('onRequest', async (request) => {
    if (request.is404) refuseUnknown(request);
  });
}

/** `/api/video/:id/status` as a pattern; looked at only for requests that no route took. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}

/** How many parts of a route's path stand for others. */
const placeholdersIn = (url: string) => url.split('/').filter((part) => part.startsWith(':') || part === '*').length;

async function emptyBodyIsObject(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}

/** The client's own request id when it is a sane one, so that its log and ours can be laid side by side. */
function requestIdOf(sent: string | string[] | undefined): string | null {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : null;
}

/** Ids of this process's requests: its own id and a number, which costs less than a new id for each. */
function requestIds(): () => string {
  const process = newId();
  let count = 0;
  return () => `${process}-${(++count).toString(36)}`;
}

function logRequests(app: App): void {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { method, url } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({
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

/** Node goes on reading a refused body so that the client sees the answer; one that never ends is cut off. */
function dropUnreadBody({ raw }: FastifyRequest): void {
  const timer = setTimeout(() => raw.socket?.destroy(), UNREAD_BODY_MS).unref();
  raw.once('end', () => clearTimeout(timer));
  raw.once('close', () => clearTimeout(timer));
}

/** Its sender is told where it still listens. */
function giveUpOn({ raw: { socket } }: FastifyRequest): void {
  refuseConnection(Object.assign(new Error('the body went silent'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  socket.destroySoon();
}

/** What cannot even be read as HTTP. */
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
