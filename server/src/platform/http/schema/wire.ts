import {
  type Static,
  type TArray,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnion,
  Type,
} from 'typebox';
import { isTimestamp, type TTimestamp } from './fields.ts';

/** `video_ids` → `videoIds`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** Flattens an intersection, so that the compiler's messages name fields. */
type Flat<T> = { [K in keyof T]: T[K] };

type RequiredKeys<P extends TProperties> = { [K in keyof P]: P[K] extends TOptional ? never : K }[keyof P];
type OptionalKeys<P extends TProperties> = { [K in keyof P]: P[K] extends TOptional ? K : never }[keyof P];

/** The domain form of a schema: fields in camelCase, timestamps as dates. */
export type Domain<S> = S extends { '~unsafe': infer T }
  ? T
  : S extends TTimestamp
    ? Date
    : S extends TObject<infer P>
      ? keyof P extends never
        ? object
        : Flat<
            { [K in RequiredKeys<P> & string as CamelCase<K>]: Domain<P[K]> } & {
              [K in OptionalKeys<P> & string as CamelCase<K>]?: Domain<P[K]>;
            }
          >
      : S extends TArray<infer Item>
        ? Domain<Item>[]
        : S extends TUnion<infer Branches>
          ? Domain<Branches[number]>
          : S extends TSchema
            ? Static<S>
            : unknown;

/** The input of `toWire`: the same with read-only lists. */
export type DomainInput<S> = ReadonlyLists<Domain<S>>;
type ReadonlyLists<T> = T extends Date
  ? T
  : T extends readonly (infer Item)[]
    ? readonly ReadonlyLists<Item>[]
    : T extends object
      ? { [K in keyof T]: ReadonlyLists<T[K]> }
      : T;

/**
 * Maps a domain object to the resource of `schema`: names to snake_case, dates to ISO strings. Undeclared fields and
 * undefined values are dropped; records and free-form objects are not changed.
 */
export function toWire<S extends TSchema>(schema: S, value: DomainInput<S>): Static<S> {
  return codecOf(schema).encode(value) as Static<S>;
}

/** The reverse, for validated bodies and queries. Undeclared fields are dropped. */
export function fromWire<S extends TSchema>(schema: S, value: Static<S>): Domain<S> {
  return codecOf(schema).decode(value) as Domain<S>;
}

type Codec = { encode(value: unknown): unknown; decode(value: unknown): unknown };

const unchanged: Codec = { encode: (value) => value, decode: (value) => value };
const timestamp: Codec = {
  encode: (value) => (value instanceof Date ? value.toISOString() : value),
  decode: (value) => (typeof value === 'string' ? new Date(value) : value),
};

/** A codec is built once for each schema. */
const codecs = new WeakMap<TSchema, Codec>();

function codecOf(schema: TSchema): Codec {
  let codec = codecs.get(schema);
  if (!codec) {
    codec = build(schema);
    codecs.set(schema, codec);
  }
  return codec;
}

function build(schema: TSchema): Codec {
  if (Type.IsUnsafe(schema)) return unchanged;
  if (isTimestamp(schema)) return timestamp;
  if (Type.IsArray(schema)) return listCodec(codecOf(schema.items));
  if (Type.IsUnion(schema)) return unionCodec(schema.anyOf);
  if (Type.IsObject(schema) && Object.keys(schema.properties).length > 0) return objectCodec(schema.properties);
  return unchanged;
}

function listCodec({ encode, decode }: Codec): Codec {
  const map = (each: (value: unknown) => unknown) => (value: unknown) =>
    Array.isArray(value) ? value.map((item) => each(item)) : value;
  return encode === unchanged.encode ? unchanged : { encode: map(encode), decode: map(decode) };
}

function objectCodec(properties: TProperties): Codec {
  const fields = Object.entries(properties).map(([wire, schema]) => ({
    wire,
    name: camelCase(wire),
    ...codecOf(schema),
  }));
  const map = (from: 'wire' | 'name', to: 'wire' | 'name', direction: 'encode' | 'decode') => (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const mapped: Record<string, unknown> = {};
    for (const field of fields) {
      const given = (value as Record<string, unknown>)[field[from]];
      if (given !== undefined) mapped[field[to]] = field[direction](given);
    }
    return mapped;
  };
  return { encode: map('name', 'wire', 'encode'), decode: map('wire', 'name', 'decode') };
}

/** Chooses the branch of a union by its literal fields, else by its required fields. */
function unionCodec(branches: TSchema[]): Codec {
  const known = branches.map((schema) => ({ schema, codec: codecOf(schema) }));
  const mapped = known.filter(({ codec }) => codec !== unchanged);
  if (mapped.length === 0) return unchanged;
  const choose = (value: unknown, nameOf: (wire: string) => string) => {
    if (mapped.length === 1) return mapped[0]!.codec;
    return mapped.find(({ schema }) => fits(schema, value, nameOf))?.codec ?? unchanged;
  };
  return {
    encode: (value) => choose(value, camelCase).encode(value),
    decode: (value) => choose(value, (wire) => wire).decode(value),
  };
}

function fits(schema: TSchema, value: unknown, nameOf: (wire: string) => string): boolean {
  if (Type.IsArray(schema)) return Array.isArray(value);
  if (Type.IsString(schema)) return typeof value === 'string' || value instanceof Date;
  if (!Type.IsObject(schema)) return false;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return false;
  return Object.entries(schema.properties).every(([wire, property]) => {
    const given = (value as Record<string, unknown>)[nameOf(wire)];
    if (given === undefined) return Type.IsOptional(property);
    return !Type.IsLiteral(property) || property.const === given;
  });
}

const camelCase = (name: string) => name.replace(/_+([^_])/g, (_, letter: string) => letter.toUpperCase());
