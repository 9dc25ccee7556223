import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import { type TSchema, Type } from 'typebox';

/** read: view videos and results; write: upload and change; admin: everything. Each includes the ones before it only if the key lists them. */
export type Scope = 'read' | 'write' | 'admin';

/** Who is calling: the key's user and organisation. Resolved before any handler of a route that is not public. */
export type Caller = Readonly<{
  keyId: string;
  userId: string;
  orgId: string;
  email: string;
  scopes: readonly Scope[];
  expiresAt: Date;
}>;

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
    /** Aborts when the client goes away before the answer is complete. */
    gone: AbortSignal;
  }
  interface FastifyContextConfig {
    /** The scope a key needs; `public` routes take no key (health, signed URLs). Every route declares one: registration fails without. */
    scope?: Scope | 'public';
  }
}

/** An optional field that may also be null: existing clients send both. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** A field that is always there and may be null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const ErrorResponse = Type.Object(
  {
    detail: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
      description: 'What is wrong, in a sentence to act on; an object where there is structure.',
    }),
    message: Type.String({ description: 'The same, always as a sentence.' }),
    error: Type.String({ description: 'Stable code, listed in the error reference.' }),
  },
  { $id: 'ErrorResponse', additionalProperties: true, description: 'Every error has this shape.' },
);

const MEANINGS: Record<number, string> = {
  400: 'The request is invalid; the message names the field.',
  401: 'The key is unknown, expired or revoked.',
  403: 'No key, a malformed one, a missing scope, or no access to the resource.',
  404: 'There is nothing under this id.',
  409: 'The request conflicts with the current state.',
  410: 'The resource is gone.',
  413: 'The body is too large.',
  415: 'The content type is not accepted here.',
  416: 'The requested range lies outside the file.',
  429: 'Too many requests; retry after the given seconds.',
  500: 'The server could not complete the request.',
  503: 'The server cannot serve this now; try again.',
};

/** Response schemas for a route's error statuses; what every authenticated route can answer (400, 401, 403, 429, 500) is always included. */
export function failures(...more: number[]): Record<number, TSchema> {
  const codes = [...new Set([400, 401, 403, 429, 500, ...more])].sort();
  return Object.fromEntries(
    codes.map((code) => [code, Type.Ref('ErrorResponse', { description: MEANINGS[code] ?? 'Error.' })]),
  );
}
