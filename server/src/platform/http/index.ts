/**
 * HTTP: the layer all rooms stand on. It knows keys only as text and callers only as a type; who they are is for the keys room to say.
 * A room's `routes.ts` takes an `App`, declares `config.scope` on each route and throws Problems; everything else (the order of checks,
 * the shape of errors, replays, streams) is decided here, once.
 */
export { createHttp, type HttpDeps } from './app.ts';
export { covers, reaches, requireScope } from './authentication.ts';
export { type Cookies, createCookies, SESSION_COOKIE } from './cookies.ts';
export { decodeCursor, encodeCursor } from './cursor.ts';
export { createIdempotencyStore } from './idempotency/store.ts';
export { jsonText } from './json-text.ts';
export { type Attempts, createAttempts } from './limits/attempts.ts';
export { createLimits } from './limits/index.ts';
export { createLimitStore } from './limits/store.ts';
export { renderOpenApi, serveOpenApi } from './openapi.ts';
export { problems as httpProblems } from './problems.ts';
export { refuseCrossSite } from './same-origin.ts';
export { CheckedElsewhere, Formed, failures, Maybe, Name, Nullable, publicFailures } from './schema.ts';
export { fileAnswers, type ServedFile, sendFile } from './send-file.ts';
export { lastEventId, sendEvents } from './sse.ts';
export type { App, Caller, Person, Scope } from './types.ts';
export { requireText } from './validation.ts';
