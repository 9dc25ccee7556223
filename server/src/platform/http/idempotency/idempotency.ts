import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { UnitOfWork } from '#platform/db/index';
import { newId } from '#platform/ids';
import { credentialId } from '../auth/authentication.ts';
import { problems } from '../problems.ts';
import { toErrorResponse } from '../response/error-response.ts';
import { type IdempotencyStore, type IdempotencyTicket, LOCK_S, type StoredResponse } from './store.ts';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Temporary refusals, which a repeat should not receive again. */
const PASSING = new Set([408, 425, 429]);

/** A request that holds its key, from its claim to its response. */
type ClaimedRequest = {
  ticket: IdempotencyTicket;
  heartbeat: NodeJS.Timeout;
  /** In the mode `replay`: the transaction of everything that the handler changes. */
  unit: UnitOfWork | null;
};

export type IdempotencyMode = 'replay' | 'staged' | 'resumable' | 'none';

/** Idempotency mode of a route: the declared one, else `replay` for writes and `none` for reads. */
export function idempotencyMode(route: Pick<RouteOptions, 'method' | 'config'>): IdempotencyMode {
  if (![route.method].flat().some((method) => WRITES.has(method))) return 'none';
  return route.config?.idempotency ?? (isWrite(route) ? 'replay' : 'none');
}

/** True if a route writes: by its method and its scope, since some POSTs only read. */
export function isWrite({ method, config }: Pick<RouteOptions, 'method' | 'config'>): boolean {
  const writes = [method].flat().some((name) => WRITES.has(name));
  return writes && (config?.scope === 'write' || config?.scope === 'admin');
}

/** True if a route stores data. On a full disk such writes are rejected, while a deletion frees space. */
export function storesData(route: Pick<RouteOptions, 'method' | 'config'>): boolean {
  return isWrite(route) && !route.config?.deletes && ![route.method].flat().includes('DELETE');
}

/**
 * Runs a write with an `Idempotency-Key` once: its first response below 500 is stored and replayed for 24 hours, on any
 * node, to the same key or session. The response is committed in the transaction of the change (see `IdempotencyMode`
 * for exceptions), so a crash leaves both or neither. A repeat during the first request waits for it up to `waitS`
 * seconds, and takes over if its node died. Returns a function that adds this to a route.
 */
export function createIdempotency(app: FastifyInstance, store: IdempotencyStore, waitS: number) {
  const claims = new WeakMap<FastifyRequest, ClaimedRequest>();
  app.decorateRequest('savedReference', null);
  app.decorateRequest('saveReference', async function saveReference(this: FastifyRequest, value, trx) {
    const claimed = claims.get(this);
    if (!claimed) return;
    const staged = this.routeOptions.config.idempotency === 'staged';
    const answer = { status: 200, contentType: null, body: Buffer.from(value) };
    const isStored = await (staged
      ? store.refer(claimed.ticket, value, trx)
      : store.complete(claimed.ticket, answer, trx));
    // Another node took over this request, so the changes of this one must not be committed.
    if (!isStored) throw inProgress();
  });

  async function claimKey(request: FastifyRequest, reply: FastifyReply, mode: IdempotencyMode) {
    const key = keyOf(request);
    if (key === undefined) return;
    const ticket = { scope: credentialId(request.caller), key, fingerprint: fingerprintOf(request), holder: newId() };
    const claim = await awaitClaim(ticket, request.disconnected);
    if (claim.state === 'mine') {
      request.savedReference = claim.reference;
      const heartbeat = setInterval(
        () => store.extend(ticket).catch((err) => warn(request, err, 'could not extend an idempotency claim')),
        (LOCK_S * 1000) / 3,
      );
      claims.set(request, { ticket, heartbeat, unit: mode === 'replay' ? store.unit() : null });
      return;
    }
    reply.header('idempotency-replayed', 'true');
    if (claim.answer.contentType !== null) return replay(reply, claim.answer);
    request.savedReference = claim.answer.body.toString('utf8');
  }

  /** Returns once the ticket holds the key, or a response exists. */
  async function awaitClaim(ticket: IdempotencyTicket, disconnected: AbortSignal) {
    const deadline = Date.now() + waitS * 1000;
    for (let wait = 10; ; wait = Math.min(wait * 1.5, 250)) {
      const claim = await store.claim(ticket);
      if (claim.state === 'mine' || claim.state === 'answered') return claim;
      if (claim.state === 'conflict') throw problems.idempotency_conflict();
      if (Date.now() > deadline || disconnected.aborted) throw inProgress();
      await sleep(wait);
    }
  }

  /**
   * Commits the response together with the changes before it is sent. On failure nothing is changed, and the client
   * gets an error.
   */
  async function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const claimed = claims.get(request);
    if (!claimed) return payload;
    end(request, claimed);
    try {
      const answer = answerToKeep(request, reply, payload);
      if (answer) await keep(request, claimed, answer);
      else await giveBack(request, claimed);
      return payload;
    } catch (error) {
      await giveBack(request, claimed);
      // Thrown, it would bypass the error handler, which has already run if this is an error response.
      return toErrorResponse(error, request, reply);
    }
  }

  async function keep(
    request: FastifyRequest,
    { ticket, unit }: ClaimedRequest,
    answer: StoredResponse,
  ): Promise<void> {
    const complete = () => store.complete(ticket, answer);
    const isStored = await (unit ? unit.run(complete) : complete());
    // In the mode `resumable` the saved reference is stored in place of the response.
    if (!isStored && request.routeOptions.config.idempotency !== 'resumable') throw inProgress();
    await unit?.commit();
  }

  /**
   * Ends responses without `onSend`, such as hijacked streams. A handler that still works for a disconnected client
   * retains its claim.
   */
  async function onResponse(request: FastifyRequest, reply: FastifyReply) {
    const claimed = claims.get(request);
    if (!claimed || !reply.sent) return;
    end(request, claimed);
    await giveBack(request, claimed);
  }

  function end(request: FastifyRequest, claimed: ClaimedRequest) {
    clearInterval(claimed.heartbeat);
    claims.delete(request);
  }

  /** Never throws: a claim that cannot be released expires. */
  async function giveBack(request: FastifyRequest, { ticket, unit }: ClaimedRequest): Promise<void> {
    await unit?.rollback();
    await store.release(ticket).catch((err) => warn(request, err, 'could not give an idempotency claim back'));
  }

  return (route: RouteOptions): void => {
    const mode = idempotencyMode(route);
    if (mode === 'none') return;
    const { handler } = route;
    route.preHandler = [(request, reply) => claimKey(request, reply, mode), ...[route.preHandler ?? []].flat()];
    route.handler = function inUnit(request, reply) {
      const handle = (): ReturnType<RouteHandlerMethod> => handler.call(this, request, reply);
      const unit = claims.get(request)?.unit;
      return unit ? unit.run(handle) : handle();
    };
    route.onSend = [...[route.onSend ?? []].flat(), onSend];
    route.onResponse = [onResponse, ...[route.onResponse ?? []].flat()];
  };
}

const warn = (request: FastifyRequest, err: unknown, message: string) =>
  request.log.warn({ reqId: request.id, err }, message);

/** The response to store; null if a repeat should run again, for example after a server error. */
function answerToKeep(request: FastifyRequest, reply: FastifyReply, payload: unknown): StoredResponse | null {
  const { statusCode: status } = reply;
  // A client that disconnected first may have been rejected for that reason.
  if (status >= 500 || PASSING.has(status) || (status >= 400 && request.disconnected.aborted)) return null;
  return { status, contentType: String(reply.getHeader('content-type') ?? ''), body: bytesOf(payload) };
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw problems.idempotency_key_invalid();
  return key;
}

/** Digest of method, URL and body; for a streamed body (uploads), of its length. */
function fingerprintOf(request: FastifyRequest): string {
  const body = request.bodyDigest ?? request.headers['content-length'] ?? '';
  return createHash('sha256').update(`${request.method} ${request.url}\n${body}`).digest('base64url');
}

function replay(reply: FastifyReply, { status, contentType, body }: StoredResponse): FastifyReply {
  reply.code(status);
  if (contentType) reply.header('content-type', contentType);
  return reply.send(body.length > 0 ? body : undefined);
}

/** The payload as bytes. Throws for a stream: such routes do not use the mode `replay`. */
function bytesOf(payload: unknown): Buffer {
  if (payload === undefined || payload === null) return Buffer.alloc(0);
  if (typeof payload === 'string') return Buffer.from(payload);
  if (Buffer.isBuffer(payload)) return payload;
  throw new TypeError('the answer to a keyed request is a stream');
}

const inProgress = () => problems.idempotency_in_progress(undefined, { headers: { 'retry-after': '2' } });
