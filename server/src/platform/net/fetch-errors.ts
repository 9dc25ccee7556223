import { Problem } from '../problem.ts';
import { problems } from './problems.ts';

/** Codes of problems that a retry may solve. */
const TRANSIENT = new Set(['fetch_unreachable', 'fetch_timeout', 'fetch_interrupted', 'fetch_unavailable']);

/** True if a retry may succeed. Errors that are not Problems are internal and may be temporary, too. */
export const isTransientFetchError = (error: unknown) => !(error instanceof Problem) || TRANSIENT.has(error.code);

/** Converts an error of DNS, socket, TLS or the HTTP client to a `fetch_…` problem. Others are returned unchanged. */
export function toFetchProblem(error: unknown, { host }: URL): unknown {
  const cause = findProblem(error);
  if (cause) return cause;
  const { code = '' } = error as { code?: string };
  const options = { cause: error };
  if (code === 'ENOTFOUND' || code === 'ENODATA') {
    return problems.fetch_host_unknown(`The host ${host} cannot be resolved.`, options);
  }
  if (code.includes('TIMEOUT') || code === 'ETIMEDOUT') {
    return problems.fetch_timeout(`${host} did not respond in time.`, options);
  }
  if (code.startsWith('ERR_TLS_') || code.includes('CERT') || code.includes('SIGNATURE')) {
    return problems.fetch_certificate_invalid(`The TLS certificate of ${host} is not valid (${code}).`, options);
  }
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'].includes(code)) {
    return problems.fetch_interrupted(
      `The connection to ${host} broke off before the complete file was received.`,
      options,
    );
  }
  if (/^E[A-Z_]+$/.test(code)) return problems.fetch_unreachable(`${host} cannot be reached (${code}).`, options);
  if (code.startsWith('UND_ERR') || code.startsWith('HPE_')) {
    return problems.fetch_unreachable(`${host} did not respond with valid HTTP (${code}).`, options);
  }
  return error;
}

function findProblem(error: unknown): Problem | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Problem) return at;
  return null;
}
