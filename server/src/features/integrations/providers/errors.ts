import { isTransientFetchError, toFetchProblem } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';

/** An error response of a provider. */
export type ProviderError = {
  status: number;
  /** Error code of the provider, such as `SignatureDoesNotMatch`. */
  name: string;
  retryAfter?: string | null;
};

/** Target of a failed request. */
export type RequestTarget = { provider: string; bucket: string; key?: string; host: string };

const TRANSIENT_CODES = new Set([
  'bucket_busy',
  'bucket_unavailable',
  'object_interrupted',
  'object_replaced',
  'object_damaged',
]);

/** True if the request may succeed later. */
export const isTransientBucketError = (error: unknown) =>
  error instanceof Problem && (TRANSIENT_CODES.has(error.code) || isTransientFetchError(error));

/** True if the connection closed before or during the response. */
export const isConnectionLost = (error: unknown) => error instanceof Problem && error.code === 'object_interrupted';

/** Delay that the provider requests, in milliseconds; null if it requests none. */
export function retryAfterMs(error: unknown): number | null {
  const text = error instanceof Problem ? error.headers['retry-after'] : undefined;
  if (text === undefined) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null;
}

/** Reasons of rejected credentials, by the error codes of the providers. */
const CREDENTIAL_REASONS: Record<string, string> = {
  InvalidAccessKeyId: 'the access key id is unknown',
  SignatureDoesNotMatch: 'the secret access key does not match the access key id',
  ExpiredToken: 'the session token has expired',
  ExpiredTokenException: 'the token has expired',
  InvalidToken: 'the session token is invalid',
  TokenRefreshRequired: 'the session token must be renewed',
  invalid_grant: 'the key of the service account was deleted, or the clock of this server is wrong',
  invalid_client: 'the service account is unknown',
};

/** Never includes the provider's text: it may repeat the request with its credentials. */
export function toProviderProblem(target: RequestTarget, { status, name, retryAfter }: ProviderError): Problem {
  const { provider, bucket, key } = target;
  const code = name && name !== String(status) ? ` (${name})` : '';
  const object = key === undefined ? `the bucket "${bucket}"` : `"${key}" in the bucket "${bucket}"`;
  const reason = CREDENTIAL_REASONS[name];
  if (reason || status === 401) {
    return problems.credentials_refused(
      `${provider} rejected the credentials${code}${reason ? `: ${reason}` : ''}. Replace those of the integration.`,
    );
  }
  if (status === 403) {
    return problems.bucket_access_denied(
      `${provider} does not allow these credentials to ${key === undefined ? 'list' : 'read'} ${object}${code}. Change their permissions, or use other credentials.`,
    );
  }
  if (name === 'NoSuchBucket' || (status === 404 && key === undefined)) {
    return problems.bucket_not_found(`${provider} has no bucket "${bucket}".`);
  }
  if (status === 404) return problems.object_not_found(`The bucket "${bucket}" has no object "${key}".`);
  if (status === 412 || status === 416) return problems.object_replaced();
  if (status === 301 || name === 'AuthorizationHeaderMalformed' || name === 'IllegalLocationConstraintException') {
    return problems.bucket_refused(
      `The bucket "${bucket}" is in another region${code}. Set the \`region\` of the integration.`,
    );
  }
  if (status === 429 || name === 'SlowDown') {
    const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter } : {};
    return problems.bucket_busy(`${provider} limits the request rate${code}. Try again later.`, { headers });
  }
  if (status >= 500) {
    return problems.bucket_unavailable(`${provider} responded with status ${status}${code}. Try again later.`);
  }
  return problems.bucket_refused(
    `${provider} rejected the request to read ${object} with status ${status}${code}. Check the settings of the integration.`,
  );
}

/** Problem of a connection that failed; returns errors of other kinds as `bucket_unavailable`. */
export function toConnectionProblem(target: RequestTarget, error: unknown): unknown {
  if (error instanceof Problem) return error;
  const { name, code } = error as { name?: string; code?: string };
  // Before the name: the S3 client reports interrupted connections as timeouts, too.
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return problems.object_interrupted(`The connection to ${target.host} closed before the response was complete.`);
  }
  if (name === 'TimeoutError' || code === 'ERR_ABORTED') {
    return problems.bucket_unavailable(`${target.provider} did not respond in time. Try again later.`);
  }
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const problem = toFetchProblem(cause, new URL(`https://${target.host}`));
    if (problem instanceof Problem) return withoutCause(problem);
  }
  return problems.bucket_unavailable(`${target.provider} sent an unexpected response. Try again later.`);
}

/** A client's error may include the request with its credentials. */
const withoutCause = ({ status, code, message }: Problem) => new Problem({ status, code, message });
