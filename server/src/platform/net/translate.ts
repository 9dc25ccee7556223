import { Problem } from '../problem.ts';
import { problems } from './problems.ts';

/** Problems after which the same fetch may succeed a little later. */
const TRANSIENT = new Set(['fetch_unreachable', 'fetch_timeout', 'fetch_interrupted', 'fetch_unavailable']);

/** Whether trying again makes sense. What is no Problem is a fault of ours, which may pass too. */
export const isTransient = (error: unknown) => !(error instanceof Problem) || TRANSIENT.has(error.code);

/** Says in a sentence why a fetch failed. `error` is what DNS, the socket, TLS or the HTTP client threw. */
export function translate(error: unknown, { host }: URL): unknown {
  const cause = problemIn(error);
  if (cause) return cause;
  const { code = '' } = error as { code?: string };
  const with_ = { cause: error };
  if (code === 'ENOTFOUND' || code === 'ENODATA') {
    return problems.fetch_host_unknown(`The host ${host} is not known to the name service.`, with_);
  }
  if (code.includes('TIMEOUT') || code === 'ETIMEDOUT') {
    return problems.fetch_timeout(`${host} did not answer in time.`, with_);
  }
  if (code.startsWith('ERR_TLS_') || code.includes('CERT') || code.includes('SIGNATURE')) {
    return problems.fetch_certificate_invalid(`The TLS certificate of ${host} is not valid (${code}).`, with_);
  }
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'].includes(code)) {
    return problems.fetch_interrupted(`The connection to ${host} broke off before the whole file had arrived.`, with_);
  }
  if (/^E[A-Z_]+$/.test(code)) return problems.fetch_unreachable(`${host} cannot be reached (${code}).`, with_);
  if (code.startsWith('UND_ERR') || code.startsWith('HPE_')) {
    return problems.fetch_unreachable(`${host} did not answer as a web server does (${code}).`, with_);
  }
  return error;
}

function problemIn(error: unknown): Problem | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Problem) return at;
  return null;
}
