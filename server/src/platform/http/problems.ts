import { defineProblems } from '../problem.ts';

/** Errors of the HTTP layer itself, before a request reaches a room. */
export const HTTP_PROBLEMS = {
  key_missing: {
    status: 403,
    sentence: 'This request carries no API key: send it as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
  },
  last_id_invalid: {
    status: 400,
    sentence: 'The last event id must be a whole number, as in the `id:` lines of the stream.',
  },
  key_malformed: {
    status: 403,
    sentence: 'What was sent is not an API key: a key is "sk_" followed by letters and digits.',
  },
  key_ambiguous: {
    status: 403,
    sentence: 'The Authorization and X-API-Key headers carry different keys: send one key.',
  },
  session_needed: {
    status: 403,
    sentence: 'This is for people who are signed in: sign in at /api/auth/sign-in; a key is not enough.',
  },
  cross_site: {
    status: 403,
    sentence:
      'This request comes from a page of another site: a browser that is signed in may send it from this one only.',
  },
  scope_missing: { status: 403, sentence: "The key lacks this operation's scope." },
  key_limited: {
    status: 403,
    sentence: 'This key is limited to one folder, and this operation reaches further: use another key.',
  },
  rate_limited: { status: 429, sentence: 'Too many requests: try again after the seconds that `Retry-After` says.' },
  too_many_streams: {
    status: 429,
    sentence: 'Too many event streams are open: close one, and try again after the seconds that `Retry-After` says.',
  },
  request_invalid: { status: 400, sentence: 'The request is invalid.' },
  body_not_json: { status: 400, sentence: 'The body is not valid JSON.' },
  body_too_deep: { status: 400, sentence: 'The JSON body is nested more than 100 levels deep.' },
  body_too_large: { status: 413, sentence: 'The body is larger than this endpoint accepts.' },
  content_type_unsupported: { status: 415, sentence: 'This endpoint does not accept this content type.' },
  cursor_invalid: { status: 400, sentence: 'The query parameter `cursor` is not one that a page of this list gave.' },
  url_invalid: { status: 400, sentence: 'The URL is not valid: its percent-encoding cannot be read.' },
  range_outside: { status: 416, sentence: 'The requested range lies outside the file.' },
  route_not_found: { status: 404, sentence: 'There is no such endpoint.' },
  method_not_allowed: { status: 405, sentence: 'This endpoint does not know this method.' },
  idempotency_key_invalid: {
    status: 400,
    sentence: 'The Idempotency-Key header must be 1 to 255 visible ASCII characters.',
  },
  idempotency_conflict: {
    status: 409,
    sentence: 'This Idempotency-Key was used for another request: use a new key for a new request.',
  },
  idempotency_in_progress: {
    status: 409,
    sentence: 'The first request with this Idempotency-Key is still under way: try again shortly.',
  },
  database_unavailable: { status: 503, sentence: 'The database does not respond. Try again in a moment.' },
  database_full: {
    status: 507,
    sentence:
      'The database could not record the change, because its disk is full; nothing was changed. Free some space on that disk, then send the request again.',
  },
  internal_error: {
    status: 500,
    sentence: 'The server could not complete the request. The request id is in the log.',
  },
} as const;

export const problems = defineProblems(HTTP_PROBLEMS);
