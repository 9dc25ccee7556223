import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Queryable } from '#platform/db/index';
import type { Streams } from './streams.ts';

/** read: view videos and results; write: upload and change; admin: everything, so it includes the other two. */
export type Scope = 'read' | 'write' | 'admin';

/** Who is calling: the user of a key, or of a session, and their organisation. Resolved before any handler of a route that is not public. */
export type Caller = Readonly<{
  /** Null in a session. */
  keyId: string | null;
  /** Present in a session: somebody is signed in, and a cookie says so. */
  sessionId?: string;
  userId: string;
  orgId: string;
  email: string;
  scopes: readonly Scope[];
  expiresAt: Date;
  /** The one folder that the key reaches; absent: the key has no such limit. */
  folderId?: string;
}>;

/** As whom something is done, however they were known. */
export type Person = Pick<Caller, 'orgId' | 'userId' | 'folderId'>;

/** A Fastify app whose schemas are TypeBox. A room's `routes.ts` exports `xRoutes(app: App, service)`. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Present on every route that is not public. */
    caller: Caller;
    /** Aborts when the client goes away before the answer is complete, and, for event streams, when the server closes. */
    readonly gone: AbortSignal;
    /** SHA-256 of the JSON or form body, present when the client sent an `Idempotency-Key`. */
    bodyDigest: string | null;
    /** On a `staged` or `resumable` route: what an earlier request with this `Idempotency-Key` remembered; null without one. */
    remembered: string | null;
    /**
     * On a `staged` or `resumable` route: remembers `value` (an id) for whoever repeats the request. `trx` is the transaction that creates
     * what it names: then that is created once, also when the node dies. Does nothing when the client sent no `Idempotency-Key`.
     */
    remember(value: string, trx: Queryable): Promise<void>;
  }
  interface FastifyInstance {
    /** Who sends the request, asked anew; throws what refuses them. */
    callerOf(request: FastifyRequest, scope: Scope | 'any' | 'session'): Promise<Caller>;
    /** The open event streams of this node. */
    readonly streams: Streams;
  }
  interface FastifyContextConfig {
    /**
     * The scope that a key, or the role of a signed-in person, must cover. `any`: a valid key or session, whatever its scopes; `session`: a
     * session, for which no key will do; `public`: neither (health, signed URLs). Every route declares one: the app does not start without.
     */
    scope?: Scope | 'any' | 'session' | 'public';
    /** Whether the route answers with events (`sendEvents`): such responses are limited in number. */
    stream?: boolean;
    /** Whether a session of any role is enough, although a key needs the scope: the room then holds its person to what is their own. */
    anySession?: boolean;
    /**
     * Whether keys that are limited to one folder may call this: the room then holds them to it. Without it they are refused, so that a new
     * route cannot forget them.
     */
    folderKeys?: boolean;
    /**
     * How a POST, PUT, PATCH or DELETE with an `Idempotency-Key` happens once, and what a repeat gets:
     * - `replay` (default of routes that need write or admin): all that the handler changes is one transaction, which the answer is recorded
     *   in. Nobody else sees a change before the answer, so the handler must not wait for a job, nor for a slow client;
     * - `staged`: for handlers that do wait. They commit step by step and `remember` what the first step creates, in its transaction. A repeat
     *   gets the answer; if the node died before there was one, the handler runs again with `request.remembered`;
     * - `resumable`: as `staged`, but the answer is not stored, because it is a stream or has a secret in it: the handler runs for each repeat;
     * - `none` (default of public routes and of those that only read): the key is ignored.
     */
    idempotency?: 'replay' | 'staged' | 'resumable' | 'none';
    /**
     * What a request counts as for the rate limits; default: what its method and scope say, and of public routes nothing. An `upload` counts by its
     * bytes and waits for its turn; the pieces of one upload are no writes of their own; a `file` behind a signed URL counts for its address alone.
     */
    countedAs?: 'read' | 'write' | 'upload' | 'file';
  }
}
