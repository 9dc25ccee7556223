/**
 * HTTP: the layer that all rooms build on. It knows keys only as text and callers only as a type; the keys room
 * authenticates them. A room declares its routes with `routes` and throws Problems; order of checks, errors, repeats
 * and streams are implemented here.
 */
export { createHttp, type HttpDeps } from './app.ts';
export type { AuditTrail } from './audit.ts';
export { hasScope, requireScope } from './auth/authentication.ts';
export { type Cookies, createCookies, SESSION_COOKIE } from './auth/cookies.ts';
export { refuseCrossSite } from './auth/same-origin.ts';
export { decodeCursor, encodeCursor, type IdPage, readIdPage } from './cursor.ts';
export { createIdempotencyStore } from './idempotency/store.ts';
export { type AttemptLimit, createAttemptLimit } from './limits/attempt-limit.ts';
export { createRateLimits } from './limits/rate-limits.ts';
export { createRateLimitStore, type RateLimitStore } from './limits/store.ts';
export { renderOpenApi, serveOpenApi } from './openapi/document.ts';
export { problems as httpProblems } from './problems.ts';
export { reportIgnored } from './request/ignored-fields.ts';
export { type UnusedParameters, unknownNameHint } from './request/unknown-parameters.ts';
export { requireText } from './request/validation.ts';
export { jsonText } from './response/json-text.ts';
export type { ServedFile } from './response/send-file.ts';
export { routes } from './routes.ts';
export { failures, publicFailures } from './schema/failures.ts';
export { Maybe, Name, Nullable, PatternString, parseDateTime, ServiceValidated, Timestamp } from './schema/fields.ts';
export { resource } from './schema/resource.ts';
export { signature, tokenOf } from './schema/signature.ts';
export type { UnusedFields } from './schema/unused-fields.ts';
export { type Domain, fromWire, toWire } from './schema/wire.ts';
export { lastEventId, type ServerSentEvent, sendEvents } from './sse/send-events.ts';
export type { App, Caller, Person, Scope } from './types.ts';
