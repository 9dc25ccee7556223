import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import type { Queryable } from '#platform/db/index';
import type { Problem } from '../problem.ts';
import type { OpenSpan } from '../tracing/index.ts';
import type { Deprecation } from './response/deprecation.ts';

/** `read`: view videos and results; `write`: upload and change; `admin`: full access, includes the other two. */
export type Scope = 'read' | 'write' | 'admin';

/**
 * The authenticated user of a request and their organization. Set before the handler of every route that is not public.
 */
export type Caller = Readonly<{
  /** Null in a session. */
  keyId: string | null;
  /** Present for a session, which is authenticated by a cookie. */
  sessionId?: string;
  userId: string;
  orgId: string;
  email: string;
  scopes: readonly Scope[];
  expiresAt: Date;
  /** The only folder that the key can access; absent if it has no such limit. */
  folderId?: string;
}>;

/** The user on whose behalf code runs: without scopes, never as an admin. */
export type Person = Pick<Caller, 'orgId' | 'userId' | 'folderId'> & Partial<Pick<Caller, 'scopes'>>;

/** A Fastify app whose schemas are TypeBox. A room's `routes.ts` exports `xRoutes(app: App, service)`. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The open event streams of a node: counted, and ended with their key or session or when the server closes. */
export type OpenStreams = {
  /** Counts a stream until its response closes. Throws `too_many_streams` (429). */
  admit(request: FastifyRequest, reply: FastifyReply): void;
  /** Calls `refuse` once the key or session of the stream is no longer valid. Returns a function that stops this. */
  watch(request: FastifyRequest, refuse: (error: Problem) => void): () => void;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Present on every route that is not public. */
    caller: Caller;
    /**
     * Aborts when the client disconnects before the response is complete and, for event streams, when the server
     * closes.
     */
    readonly disconnected: AbortSignal;
    /** Span of the request; null without tracing. */
    span: OpenSpan | null;
    /** SHA-256 of the JSON or form body; present if the client sent an `Idempotency-Key`. */
    bodyDigest: string | null;
    /**
     * On `staged` and `resumable` routes: the reference that an earlier request saved with the same `Idempotency-Key`,
     * or null.
     */
    savedReference: string | null;
    /**
     * On `staged` and `resumable` routes: stores `value` (an id) for repeats of the request. `trx` is the transaction
     * that creates the object, so that it is created once even if the node dies. Does nothing without an
     * `Idempotency-Key`.
     */
    saveReference(value: string, trx: Queryable): Promise<void>;
  }
  interface FastifyInstance {
    /** Authenticates the request again. Throws if it is rejected. */
    authenticateRequest(
      request: FastifyRequest,
      scope: Scope | 'any' | 'session',
      enrollment?: boolean,
    ): Promise<Caller>;
    /** The open event streams of this node. */
    readonly streams: OpenStreams;
  }
  interface FastifyContextConfig {
    /**
     * The scope that the key, or the role of the signed-in user, must cover. `any`: any valid key or session;
     * `session`: a session, no key; `public`: neither (health, signed URLs). Required: the app does not start without
     * it.
     */
    scope?: Scope | 'any' | 'session' | 'public';
    /** True if the route responds with events (`sendEvents`), whose number is limited. */
    stream?: boolean;
    /**
     * True if a session of any role is sufficient although a key needs the scope. The room then limits users to their
     * own objects.
     */
    anySession?: boolean;
    /** True if a session whose user has to set up a second factor first may call this route. Others refuse it. */
    enrollment?: boolean;
    /**
     * True if keys limited to a folder may call this route; the room then enforces the limit. They are rejected by
     * default, so that a new route cannot forget them.
     */
    folderKeys?: boolean;
    /**
     * Handling of a POST, PUT, PATCH or DELETE with an `Idempotency-Key`:
     * - `replay` (default for the scopes write and admin): the changes of the handler and its response are one
     * transaction. Others see no change before the response, so the handler must not wait for a job or a slow client;
     * - `staged`: for handlers that wait. They commit in steps, and save a reference to the object that the first step
     * creates in its transaction. A repeat gets the response, or, if the node died before, runs the handler with
     * `request.savedReference`;
     * - `resumable`: as `staged`, but the response is not stored because it is a stream or contains a secret: the
     * handler runs for each repeat;
     * - `none` (default for public and reading routes): the key is ignored.
     */
    idempotency?: 'replay' | 'staged' | 'resumable' | 'none';
    /** True if a POST deletes: a full disk does not prevent it. */
    deletes?: boolean;
    /**
     * Category for rate limits. Default: by method and scope; public routes are not counted. An `upload` counts by its
     * bytes and may be queued; chunks of one upload do not count as writes; a `file` behind a signed URL counts for its
     * address only.
     */
    countedAs?: 'read' | 'write' | 'upload' | 'file';
    /** Set once a later major version will remove the operation: its responses and its description state it. */
    deprecated?: Deprecation;
  }
}
