import { isTransient as isTransientFetch, translate } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';

/** What a provider answered instead of what was asked. */
export type Refusal = {
  status: number;
  /** The provider's own name for it, such as `SignatureDoesNotMatch`. */
  name: string;
  retryAfter?: string | null;
};

/** Who refused what. */
export type About = { provider: string; bucket: string; key?: string; host: string };

const TRANSIENT = new Set([
  'bucket_busy',
  'bucket_unavailable',
  'object_interrupted',
  'object_replaced',
  'object_damaged',
]);

/** Whether the same may succeed a little later. */
export const isTransient = (error: unknown) =>
  error instanceof Problem && (TRANSIENT.has(error.code) || isTransientFetch(error));

/** Whether the connection broke off, before an answer or within it. */
export const isBroken = (error: unknown) => error instanceof Problem && error.code === 'object_interrupted';

/** How long the provider asks to wait, in milliseconds; null when it does not say. */
export function waitOf(error: unknown): number | null {
  const text = error instanceof Problem ? error.headers['retry-after'] : undefined;
  if (text === undefined) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null;
}

/** Credentials that the provider does not know or does not accept any more, by its names for that. */
const REFUSED: Record<string, string> = {
  InvalidAccessKeyId: 'it does not know the access key id',
  SignatureDoesNotMatch: 'the secret access key does not belong to the access key id',
  ExpiredToken: 'the session token has expired',
  ExpiredTokenException: 'the token has expired',
  InvalidToken: 'the session token is not valid',
  TokenRefreshRequired: 'the session token must be renewed',
  invalid_grant: 'it does not accept the service account any more: the key was deleted, or the clock here is wrong',
  invalid_client: 'it does not know the service account',
};

/** The Problem for an answer that is none. Never carries the provider's text: it may repeat what was sent. */
export function refused(about: About, { status, name, retryAfter }: Refusal): Problem {
  const { provider, bucket, key } = about;
  const as = name && name !== String(status) ? ` (${name})` : '';
  const what = key === undefined ? `the bucket "${bucket}"` : `"${key}" in the bucket "${bucket}"`;
  const why = REFUSED[name];
  if (why || status === 401) {
    return problems.credentials_refused(
      `${provider} refuses the credentials${as}: ${why ?? 'it does not accept them'}. Give the integration others.`,
    );
  }
  if (status === 403) {
    return problems.bucket_access_denied(
      `${provider} does not allow these credentials to ${key === undefined ? 'list' : 'read'} ${what}${as}: change what they may do, or give others.`,
    );
  }
  if (name === 'NoSuchBucket' || (status === 404 && key === undefined)) {
    return problems.bucket_not_found(`${provider} has no bucket "${bucket}".`);
  }
  if (status === 404) return problems.object_not_found(`The bucket "${bucket}" has no object "${key}".`);
  if (status === 412 || status === 416) return problems.object_replaced();
  if (status === 301 || name === 'AuthorizationHeaderMalformed' || name === 'IllegalLocationConstraintException') {
    return problems.bucket_refused(`The bucket "${bucket}" lies in another region${as}: give its \`region\`.`);
  }
  if (status === 429 || name === 'SlowDown') {
    const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter } : {};
    return problems.bucket_busy(`${provider} asks to slow down${as}: try again later.`, { headers });
  }
  if (status >= 500)
    return problems.bucket_unavailable(`${provider} cannot answer now: it says ${status}${as}. Try again later.`);
  return problems.bucket_refused(`${provider} refuses to read ${what}: it says ${status}${as}.`);
}

/** The Problem for a connection that did not come about or broke; `error` as it is when it says nothing of one. */
export function broken(about: About, error: unknown): unknown {
  if (error instanceof Problem) return error;
  const { name, code } = error as { name?: string; code?: string };
  // Before its name: the client of S3 calls connections that broke off late, too.
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return problems.object_interrupted(`The connection to ${about.host} broke off.`);
  }
  if (name === 'TimeoutError' || code === 'ERR_ABORTED') {
    return problems.bucket_unavailable(`${about.provider} did not answer in time.`);
  }
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const said = translate(at, new URL(`https://${about.host}`));
    if (said instanceof Problem) return withoutCause(said);
  }
  return problems.bucket_unavailable(`${about.provider} did not answer as expected.`);
}

/** What a client threw may carry the request with its credentials. */
const withoutCause = ({ status, code, message }: Problem) => new Problem({ status, code, message });
