import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { UnitOfWork } from '#platform/db/index';
import { newId } from '#platform/ids';
import { credentialOf } from '../authentication.ts';
import { errorAnswer } from '../errors.ts';
import { problems } from '../problems.ts';
import { type IdempotencyStore, LOCK_S, type StoredAnswer, type Ticket } from './store.ts';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Refusals that say "not now" rather than "no". */
const PASSING = new Set([408, 425, 429]);

/** One claimed request, from its claim to its answer. */
type Claimed = {
  ticket: Ticket;
  heartbeat: NodeJS.Timeout;
  /** In the mode `replay`: the transaction of all that the handler changes. */
  unit: UnitOfWork | null;
};

export type IdempotencyMode = 'replay' | 'staged' | 'resumable' | 'none';

/** What a route does with an `Idempotency-Key`: what it declares, else replay for writes and nothing for the rest. */
export function idempotencyOf(route: Pick<RouteOptions, 'method' | 'config'>): IdempotencyMode {
  if (![route.method].flat().some((method) => WRITES.has(method))) return 'none';
  return route.config?.idempotency ?? (changesThings(route) ? 'replay' : 'none');
}

/** Whether a route writes: its method says so, and its scope that the method means it (some POSTs only ask). */
export function changesThings({ method, config }: Pick<RouteOptions, 'method' | 'config'>): boolean {
  const writes = [method].flat().some((name) => WRITES.has(name));
  return writes && (config?.scope === 'write' || config?.scope === 'admin');
}

/** Whether a route stores something: on a full disk such writes are refused, while a DELETE frees space. */
export function storesSomething(route: Pick<RouteOptions, 'method' | 'config'>): boolean {
  return changesThings(route) && ![route.method].flat().includes('DELETE');
}

/**
 * A write with an `Idempotency-Key` happens once: its first answer below 500 is stored and replayed for 24 hours, on any node, to the same API
 * key or session. The answer is committed in the transaction of the change (see `IdempotencyMode` for routes that need several), so that a
 * crash leaves both or neither. A repeat that comes while the first is under way waits for it up to `waitS` seconds; when the first one's node
 * died, the repeat takes over. Returns what adds this to a route.
 */
export function createIdempotency(app: FastifyInstance, store: IdempotencyStore, waitS: number) {
  const claims = new WeakMap<FastifyRequest, Claimed>();
  app.decorateRequest('remembered', null);
  app.decorateRequest('remember', async function remember(this: FastifyRequest, value, trx) {
    const claimed = claims.get(this);
    if (!claimed) return;
    const staged = this.routeOptions.config.idempotency === 'staged';
    const answer = { status: 200, contentType: null, body: Buffer.from(value) };
    const kept = await (staged ? store.refer(claimed.ticket, value, trx) : store.complete(claimed.ticket, answer, trx));
    // Another node took this request over: what this one has begun must not happen.
    if (!kept) throw inProgress();
  });

  async function claimKey(request: FastifyRequest, reply: FastifyReply, mode: IdempotencyMode) {
    const key = keyOf(request);
    if (key === undefined) return;
    const ticket = { scope: credentialOf(request.caller), key, fingerprint: fingerprintOf(request), holder: newId() };
    const claim = await awaitClaim(ticket, request.gone);
    if (claim.state === 'mine') {
      request.remembered = claim.reference;
      const heartbeat = setInterval(
        () => store.extend(ticket).catch((err) => warn(request, err, 'could not extend an idempotency claim')),
        (LOCK_S * 1000) / 3,
      );
      claims.set(request, { ticket, heartbeat, unit: mode === 'replay' ? store.unit() : null });
      return;
    }
    reply.header('idempotency-replayed', 'true');
    if (claim.answer.contentType !== null) return replay(reply, claim.answer);
    request.remembered = claim.answer.body.toString('utf8');
  }

  /** Returns once the ticket holds the key, or there is an answer. */
  async function awaitClaim(ticket: Ticket, gone: AbortSignal) {
    const deadline = Date.now() + waitS * 1000;
    for (let wait = 10; ; wait = Math.min(wait * 1.5, 250)) {
      const claim = await store.claim(ticket);
      if (claim.state === 'mine' || claim.state === 'answered') return claim;
      if (claim.state === 'conflict') throw problems.idempotency_conflict();
      if (Date.now() > deadline || gone.aborted) throw inProgress();
      await sleep(wait);
    }
  }

  /** Records the answer, with what was changed, before it is sent. Where that fails the client gets an error instead, and nothing was changed. */
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
      // Thrown, it would get past our error handler, which has run where this is the answer to an error.
      return errorAnswer(error, request, reply);
    }
  }

  async function keep(request: FastifyRequest, { ticket, unit }: Claimed, answer: StoredAnswer): Promise<void> {
    const complete = () => store.complete(ticket, answer);
    const kept = await (unit ? unit.run(complete) : complete());
    // In the mode `resumable` what was remembered stays in the answer's place.
    if (!kept && request.routeOptions.config.idempotency !== 'resumable') throw inProgress();
    await unit?.commit();
  }

  /** The end of answers that no `onSend` sees: hijacked streams. A handler still at work for a client that left keeps its claim. */
  async function onResponse(request: FastifyRequest, reply: FastifyReply) {
    const claimed = claims.get(request);
    if (!claimed || !reply.sent) return;
    end(request, claimed);
    await giveBack(request, claimed);
  }

  function end(request: FastifyRequest, claimed: Claimed) {
    clearInterval(claimed.heartbeat);
    claims.delete(request);
  }

  /** Never throws: a claim that cannot be given back ends by itself. */
  async function giveBack(request: FastifyRequest, { ticket, unit }: Claimed): Promise<void> {
    await unit?.rollback();
    await store.release(ticket).catch((err) => warn(request, err, 'could not give an idempotency claim back'));
  }

  return (route: RouteOptions): void => {
    const mode = idempotencyOf(route);
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

/** The answer to store; null where a repeat should run again, as after an error of ours. */
function answerToKeep(request: FastifyRequest, reply: FastifyReply, payload: unknown): StoredAnswer | null {
  const { statusCode: status } = reply;
  // A client that left before it was refused may have been refused because it left.
  if (status >= 500 || PASSING.has(status) || (status >= 400 && request.gone.aborted)) return null;
  return { status, contentType: String(reply.getHeader('content-type') ?? ''), body: bytesOf(payload) };
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw problems.idempotency_key_invalid();
  return key;
}

/** Method, URL and body; of a body that is streamed (uploads) only its length is known beforehand. */
function fingerprintOf(request: FastifyRequest): string {
  const body = request.bodyDigest ?? request.headers['content-length'] ?? '';
  return createHash('sha256').update(`${request.method} ${request.url}\n${body}`).digest('base64url');
}

function replay(reply: FastifyReply, { status, contentType, body }: StoredAnswer): FastifyReply {
  reply.code(status);
  if (contentType) reply.header('content-type', contentType);
  return reply.send(body.length > 0 ? body : undefined);
}

/** The payload as bytes. Throws for a stream: routes that send one are not of the mode `replay`. */
function bytesOf(payload: unknown): Buffer {
  if (payload === undefined || payload === null) return Buffer.alloc(0);
  if (typeof payload === 'string') return Buffer.from(payload);
  if (Buffer.isBuffer(payload)) return payload;
  throw new TypeError('the answer to a keyed request is a stream');
}

const inProgress = () => problems.idempotency_in_progress(undefined, { headers: { 'retry-after': '2' } });
