import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { newId } from '#platform/ids';
import { credentialOf } from '../authentication.ts';
import { problems } from '../problems.ts';
import { type IdempotencyStore, LOCK_S, type StoredAnswer, type Ticket } from './store.ts';

/** A longer answer is not kept: its request simply runs again. */
const MAX_STORED_BYTES = 1 << 20;
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Refusals that say "not now" rather than "no". */
const PASSING = new Set([408, 425, 429]);

/** One claimed request, from its claim to its answer. */
type Claimed = { ticket: Ticket; heartbeat: NodeJS.Timeout; remembered: boolean };

export type IdempotencyMode = 'replay' | 'resumable' | 'none';

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
 * A write with an `Idempotency-Key` happens once: its first answer below 500 is stored and replayed for 24 hours, on any node, to the same API key or session.
 * A repeat that comes while the first is under way waits for it up to `waitS` seconds; when the first one's node died, the repeat takes over.
 * Returns the hooks for one route.
 */
export function createIdempotency(app: FastifyInstance, store: IdempotencyStore, waitS: number) {
  const claims = new WeakMap<FastifyRequest, Claimed>();
  app.decorateRequest('remembered', null);
  app.decorateRequest('remember', async function remember(this: FastifyRequest, value, trx) {
    const claimed = claims.get(this);
    if (!claimed || claimed.remembered) return;
    const kept = await store.complete(
      claimed.ticket,
      { status: 200, contentType: null, body: Buffer.from(value) },
      trx,
    );
    // Another node took this request over: what this one has begun must not happen.
    if (!kept) throw inProgress();
    // When the transaction rolls back after this, the claim is open again; `end` then gives it back.
    claimed.remembered = trx === undefined;
  });

  async function preHandler(request: FastifyRequest, reply: FastifyReply) {
    const key = keyOf(request);
    if (key === undefined) return;
    const ticket = { scope: credentialOf(request.caller), key, fingerprint: fingerprintOf(request), holder: newId() };
    const answer = await claim(ticket, request.gone);
    if (answer) {
      reply.header('idempotency-replayed', 'true');
      if (answer.contentType !== null) return replay(reply, answer);
      request.remembered = answer.body.toString('utf8');
    } else {
      const heartbeat = setInterval(
        () =>
          store
            .extend(ticket)
            .catch((err) => request.log.warn({ reqId: request.id, err }, 'could not extend an idempotency claim')),
        (LOCK_S * 1000) / 3,
      );
      claims.set(request, { ticket, heartbeat, remembered: false });
    }
  }

  /** Null once the ticket holds the key; otherwise the first request's answer. */
  async function claim(ticket: Ticket, gone: AbortSignal): Promise<StoredAnswer | null> {
    const deadline = Date.now() + waitS * 1000;
    for (let wait = 10; ; wait = Math.min(wait * 1.5, 250)) {
      const found = await store.claim(ticket);
      if (found.state === 'mine') return null;
      if (found.state === 'answered') return found.answer;
      if (found.state === 'conflict') throw problems.idempotency_conflict();
      if (Date.now() > deadline || gone.aborted) throw inProgress();
      await sleep(wait);
    }
  }

  async function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const claimed = claims.get(request);
    if (!claimed) return payload;
    const body = bytesOf(payload);
    const refused = reply.statusCode >= 400;
    // A client that left before it was refused may have been refused because it left.
    const keep =
      body !== null &&
      body.length <= MAX_STORED_BYTES &&
      reply.statusCode < 500 &&
      !PASSING.has(reply.statusCode) &&
      !(refused && request.gone.aborted);
    if (keep) {
      const contentType = String(reply.getHeader('content-type') ?? '');
      end(request, claimed);
      await store.complete(claimed.ticket, { status: reply.statusCode, contentType, body });
    } else await giveBack(request, claimed);
    return payload;
  }

  /** The end of answers that no `onSend` sees: hijacked streams. A handler still at work for a client that left keeps its claim. */
  async function onResponse(request: FastifyRequest, reply: FastifyReply) {
    const claimed = claims.get(request);
    if (claimed && reply.sent) await giveBack(request, claimed);
  }

  function end(request: FastifyRequest, claimed: Claimed) {
    clearInterval(claimed.heartbeat);
    claims.delete(request);
  }

  async function giveBack(request: FastifyRequest, claimed: Claimed) {
    end(request, claimed);
    await store.release(claimed.ticket);
  }

  return { preHandler, onSend, onResponse };
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

/** The payload as bytes; null for a stream. */
function bytesOf(payload: unknown): Buffer | null {
  if (payload === undefined || payload === null) return Buffer.alloc(0);
  if (typeof payload === 'string') return Buffer.from(payload);
  return Buffer.isBuffer(payload) ? payload : null;
}

const inProgress = () => problems.idempotency_in_progress(undefined, { headers: { 'retry-after': '2' } });
