import { type TSchema, type TString, type TStringOptions, Type } from 'typebox';
import { NAME_IN_WORDS, NAME_PATTERN } from '../../text.ts';

/** An optional field that may be null; existing clients use both forms. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

/** A required field that may be null. The description moves to the field, where readers look for it. */
export const Nullable = <T extends TSchema>(schema: T) => {
  const { description } = schema as { description?: string };
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
};

/** A time on the wire, ISO 8601 in UTC. `toWire` and `fromWire` convert it from and to a `Date`. */
export interface TTimestamp extends TString {
  '~timestamp': true;
}
export const Timestamp = (options: TStringOptions = {}): TTimestamp =>
  Object.defineProperty(Type.String({ ...options, format: 'date-time' }), '~timestamp', { value: true }) as TTimestamp;
export const isTimestamp = (schema: TSchema): schema is TTimestamp => '~timestamp' in schema;

/**
 * Reads a field of the format `date-time`. `Date` does not accept a leap second (`:60`): it is read as the start of the
 * next minute, as PostgreSQL does.
 */
export const parseDateTime = (text: string): Date =>
  new Date(Date.parse(text.replace(':60', ':59')) + (text.includes(':60') ? 1000 : 0));

/**
 * A string with a pattern, and `words` that describe it in errors: "The field `sha256` must be 64 hexadecimal digits."
 */
export const PatternString = (pattern: string, words: string, options: TStringOptions = {}) =>
  Type.String({ ...options, pattern, [PATTERN_DESCRIPTION]: words });
export const PATTERN_DESCRIPTION = 'x-form';

/** A name chosen by a user, stored unchanged: one line of at least one character, without control characters. */
export const Name = (options: TStringOptions & { maxLength: number }) =>
  PatternString(NAME_PATTERN, NAME_IN_WORDS, { minLength: 1, ...options });

type QueryField = TSchema & { anyOf?: TSchema[]; description?: string };

/** The same query parameters without null: text has no null, and `limit=0` would otherwise be converted to null. */
export function withoutNulls(query: TSchema): TSchema {
  const { properties } = query as unknown as { properties: Record<string, QueryField> };
  const fields = Object.entries(properties).map(([name, schema]) => {
    const anyOf = schema.anyOf?.filter((branch) => !Type.IsNull(branch));
    if (!anyOf || anyOf.length === schema.anyOf?.length) return [name, schema];
    return [name, anyOf.length > 1 ? { ...schema, anyOf } : { ...anyOf[0], description: schema.description }];
  });
  return { ...query, properties: Object.fromEntries(fields) };
}

/**
 * A field that the service validates itself, with better error messages. Any value passes the schema; the OpenAPI
 * document refers to the named schema (`ApiDescription.schemas`).
 */
export const ServiceValidated = (name: string, description: string) =>
  Type.Unsafe<unknown>({ [SCHEMA_NAME]: name, description });
export const SCHEMA_NAME = 'x-schema';
