import type { FastifyReply, FastifyRequest } from 'fastify';
import { failureKind } from '../../db/retry.ts';
import { Problem } from '../../problem.ts';
import { isS3Failure, storageProblems } from '../../storage/index.ts';
import { problems } from '../problems.ts';

/** The body of every error response, as JSON text. */
export function errorBody({ detail, message, code, errors }: Problem, requestId: string): string {
  const faults = errors.length > 0 ? { errors } : {};
  return JSON.stringify({ detail, message, error: code, ...faults, request_id: requestId });
}

/** Sends an error. Anything that is not a Problem is logged and becomes `internal_error`, without internal details. */
export function renderError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.send(toErrorResponse(error, request, reply));
}

/** Sets status and headers of an error response; returns its body. */
export function toErrorResponse(error: unknown, request: FastifyRequest, reply: FastifyReply): string {
  const problem = toProblem(error);
  if (problem.isFault && !isAbandoned(error, request))
    request.log.error({ reqId: request.id, err: error, path: request.url.split('?')[0] }, problem.message);
  if (problem.isFault) request.span?.fail(problem);
  else request.span?.set({ 'error.type': problem.code });
  reply.code(problem.status).headers(problem.headers).type('application/json; charset=utf-8');
  return errorBody(problem, request.id);
}

/** True for work that ended because nobody waits for it any more. */
const isAbandoned = (error: unknown, { disconnected }: FastifyRequest): boolean =>
  disconnected.aborted && error === disconnected.reason;

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const {
    code = '',
    statusCode = 500,
    message = '',
  } = error as { code?: string; statusCode?: number; message?: string };
  const known = KNOWN[code];
  if (known) return known(error);
  if (isS3Failure(error)) {
    return storageProblems.storage_unreachable(undefined, { cause: error, headers: { 'retry-after': '1' } });
  }
  if (failureKind(error) === 'connection') {
    return problems.database_unavailable(undefined, { cause: error, headers: { 'retry-after': '1' } });
  }
  // Other 4xx errors of Fastify and its plugins concern the request, and their message is safe to send.
  if (statusCode === 413) return problems.body_too_large(undefined, { cause: error });
  if (statusCode === 415 || statusCode === 406) return problems.content_type_unsupported(undefined, { cause: error });
  if (statusCode >= 400 && statusCode < 500 && code.startsWith('FST_')) {
    return problems.request_invalid(sentence(message), { cause: error });
  }
  return problems.internal_error(undefined, { cause: error });
}

const nul = () => problems.request_invalid('The request contains a NUL character, which no text here may have.');

const half = () =>
  problems.request_invalid('The request contains half a character (a lone surrogate), which no text here may have.');

const KNOWN: Record<string, (error: unknown) => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (cause) => problems.body_too_large(undefined, { cause }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) => problems.content_type_unsupported(undefined, { cause }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    problems.request_invalid('The body is not as long as its Content-Length says.'),
  FST_ERR_BAD_URL: () => problems.url_invalid(),
  FST_ERR_MAX_PARAM_LENGTH: () => problems.route_not_found(),
  // PostgreSQL: disk_full.
  '53100': (cause) => problems.database_full(undefined, { cause }),
  // PostgreSQL text cannot contain U+0000; it must have come from the client.
  '22021': nul,
  '22P05': nul,
  // PostgreSQL JSON cannot contain a lone surrogate.
  '22P02': (cause) =>
    /surrogate/i.test((cause as { detail?: string }).detail ?? '')
      ? half()
      : problems.internal_error(undefined, { cause }),
};

const sentence = (text: string) => `${text.replace(/\.+$/, '')}.`;
