import { type TSchema, type TStringOptions, Type } from 'typebox';
import { NAME_IN_WORDS, NAME_PATTERN } from '../text.ts';

/** An optional field that may also be null: existing clients send both. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

/** A field that is always there and may be null. The description is the field's, so it moves to where readers look for it. */
export const Nullable = <T extends TSchema>(schema: T) => {
  const { description } = schema as { description?: string };
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
};

/** A text of a form that `pattern` tells machines, and `words` people: "The field `sha256` must be 64 hexadecimal digits." */
export const Formed = (pattern: string, words: string, options: TStringOptions = {}) =>
  Type.String({ ...options, pattern, [FORM_IN_WORDS]: words });
export const FORM_IN_WORDS = 'x-form';

/** A name that people give: kept as it is, in one line, without control characters. At least one character. */
export const Name = (options: TStringOptions & { maxLength: number }) =>
  Formed(NAME_PATTERN, NAME_IN_WORDS, { minLength: 1, ...options });

type QueryField = TSchema & { anyOf?: TSchema[]; description?: string };

/**
 * The same parameters of a query string, none of which may be null: text has no null, and taken for one, `limit=0` would be
 * no limit at all.
 */
export function withoutNulls(query: TSchema): TSchema {
  const { properties } = query as unknown as { properties: Record<string, QueryField> };
  const told = Object.entries(properties).map(([name, schema]) => {
    const anyOf = schema.anyOf?.filter((branch) => !Type.IsNull(branch));
    if (!anyOf || anyOf.length === schema.anyOf?.length) return [name, schema];
    return [name, anyOf.length > 1 ? { ...schema, anyOf } : { ...anyOf[0], description: schema.description }];
  });
  return { ...query, properties: Object.fromEntries(told) };
}

/**
 * A field that its room checks itself, with clearer sentences than a schema gives: any value passes the door, and the API's description
 * shows the named schema (`ApiDescription.schemas`).
 */
export const CheckedElsewhere = (name: string, description: string) =>
  Type.Unsafe<unknown>({ [SCHEMA_NAME]: name, description });
export const SCHEMA_NAME = 'x-schema';

export const ErrorResponse = Type.Object(
  {
    detail: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
      description: 'What is wrong, in a sentence to act on; an object where there is structure.',
    }),
    message: Type.String({ description: 'The same, always as a sentence.' }),
    error: Type.String({ description: 'Stable code, listed in the error reference.' }),
    request_id: Type.Optional(
      Type.String({ description: 'Only from status 500 on: quote it to whoever runs the service; it is in the log.' }),
    ),
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
  410: 'The resource is gone.',
  412: 'The protocol version in the headers is not spoken here.',
  413: 'The body is too large.',
  415: 'The content type is not accepted here.',
  416: 'The requested range lies outside the file.',
  423: 'Another connection is writing to it.',
  429: 'Too many requests; retry after the given seconds.',
  460: 'The bytes do not match their checksum and were not kept.',
  500: 'The server could not complete the request; the body carries a request id.',
  501: 'This service does not have it; the message says what to do instead.',
  503: 'The server cannot serve this now; try again.',
  507: 'The storage is full.',
};

const refer = (codes: number[]): Record<number, TSchema> =>
  Object.fromEntries(
    [...new Set(codes)]
      .sort((a, b) => a - b)
      .map((code) => [code, Type.Ref('ErrorResponse', { description: MEANINGS[code] ?? 'Error.' })]),
  );

/**
 * Response schemas for a route's error statuses; what every authenticated route can answer (400, 401, 403, 429, 500, 503) is always included.
 * The type is empty on purpose: a handler's return type is that of its successes, errors are thrown.
 */
export function failures(...more: number[]): Record<never, TSchema> {
  return refer([400, 401, 403, 429, 500, 503, ...more]);
}

/** The same for a route that takes no key: exactly these statuses. */
export function publicFailures(...codes: number[]): Record<never, TSchema> {
  return refer(codes);
}
