import { type TSchema, Type } from 'typebox';

export const ErrorResponse = Type.Object(
  {
    detail: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
      description: 'What is wrong, in a sentence to act on; an object where there is structure.',
    }),
    message: Type.String({ description: 'The same, always as a sentence.' }),
    error: Type.String({ description: 'Stable code, listed in the error reference.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          param: Type.String({ description: 'Path of the field or parameter: `fields[0].name`.' }),
          message: Type.String({ description: 'What is wrong with it.' }),
        }),
        { description: 'All invalid fields, where the request has any.' },
      ),
    ),
    request_id: Type.String({ description: 'Identifier of the request; the log of the operator has it, too.' }),
  },
  {
    $id: 'ErrorResponse',
    additionalProperties: true,
    description: 'Every error has this shape.',
    examples: [
      {
        detail: 'There is no video with this id.',
        message: 'There is no video with this id.',
        error: 'video_not_found',
        request_id: '019a0b1c2d3e7f008000000000000099-1',
      },
    ],
  },
);

const MEANINGS: Record<number, string> = {
  400: 'The request is invalid; the message names the field.',
  401: 'The key is unknown, expired or revoked, or the session has ended.',
  403: 'No key or session, a malformed key, a missing scope, or no access to the resource.',
  404: 'There is nothing under this id.',
  409: 'The request conflicts with the current state.',
  410: 'The resource was deleted.',
  412: 'The protocol version in the headers is not spoken here.',
  413: 'The body is too large.',
  415: 'The content type is not accepted here.',
  416: 'The requested range lies outside the file.',
  423: 'Another connection is writing to it.',
  429: 'Too many requests; retry after the given seconds.',
  460: 'The bytes do not match their checksum and were not kept.',
  500: 'The server could not complete the request; the body carries a request id.',
  501: 'This service does not have it; the message says what to do instead.',
  502: 'Another server, such as that of the URL or bucket, failed; try again.',
  503: 'The server cannot serve this now; try again.',
  504: 'Another server did not respond in time; try again.',
  507: 'The storage is full.',
};

const refer = (codes: number[]): Record<number, TSchema> =>
  Object.fromEntries(
    [...new Set(codes)]
      .sort((a, b) => a - b)
      .map((code) => [code, Type.Ref('ErrorResponse', { description: MEANINGS[code] ?? 'Error.' })]),
  );

/**
 * Response schemas of error statuses; 400, 401, 403, 429, 500 and 503 are always included. Typed as empty on purpose:
 * the return type of a handler is that of its successes, errors are thrown.
 */
export function failures(...more: number[]): Record<never, TSchema> {
  return refer([400, 401, 403, 429, 500, 503, ...more]);
}

/** The same for a public route, with exactly these statuses. */
export function publicFailures(...codes: number[]): Record<never, TSchema> {
  return refer(codes);
}
