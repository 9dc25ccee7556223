import { crc32 } from 'node:zlib';
import { Problem } from '#platform/problem';
import { observeProblem } from './problems.ts';

/**
 * Storage format of observations: a header and typed arrays in their memory layout, so that loading needs a checksum
 * and no parsing.
 */
export type ArtifactContents = {
  kind: string;
  /** Everything that is not an array, as JSON. */
  facts: unknown;
  arrays: Record<string, NumericArray>;
};

export type NumericArray = Float64Array | Float32Array | Int32Array | Uint8Array;

/** Bytes before the JSON header of an artifact; they state its length. */
export const HEADER_AT = 24;

const MAGIC = 'SLOBSERV';
const FORMAT = 1;
const CHECKED_FROM = 16;

const TYPES = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u8: Uint8Array } as const;
type TypeName = keyof typeof TYPES;
/** `offset` in bytes counts from the end of the header. */
export type ArrayEntry = { name: string; type: TypeName; length: number; offset: number };
type Header = { kind: string; facts: unknown; arrays: ArrayEntry[] };

export function packArtifact({ kind, facts, arrays }: ArtifactContents): Uint8Array {
  const sized = Object.entries(arrays).map(([name, values]) => ({
    name,
    type: typeName(values),
    length: values.length,
  }));
  // Offsets count from the end of the header, whose length depends on them.
  let offset = 0;
  const entries = sized.map((entry, index): ArrayEntry => {
    const at = offset;
    offset = aligned(at + Object.values(arrays)[index]!.byteLength);
    return { ...entry, offset: at };
  });
  const header = Buffer.from(JSON.stringify({ kind, facts, arrays: entries } satisfies Header));
  const arraysAt = aligned(HEADER_AT + header.length);
  const bytes = Buffer.alloc(arraysAt + offset);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt32LE(FORMAT, 8);
  bytes.writeUInt32LE(bytes.length, 16);
  bytes.writeUInt32LE(header.length, 20);
  header.copy(bytes, HEADER_AT);
  for (const { name, offset: at } of entries) {
    const { buffer, byteOffset, byteLength } = arrays[name]!;
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), arraysAt + at);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 12);
  return bytes;
}

/** Reads an artifact. The arrays are views of `bytes` if it is aligned. Throws `observation_damaged` (500). */
export function unpackArtifact(bytes: Uint8Array, kind: string): ArtifactContents {
  const damaged = (how: string) =>
    observeProblem.observation_damaged(`The stored ${kind} observations of this video cannot be read: ${how}.`);
  // `slice` of a Buffer would be a view.
  const aligned8 = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const data = Buffer.from(aligned8.buffer, aligned8.byteOffset, aligned8.byteLength);
  if (data.length < HEADER_AT || data.toString('latin1', 0, 8) !== MAGIC) throw damaged('they are not an artifact');
  if (data.readUInt32LE(8) !== FORMAT) throw damaged(`format ${data.readUInt32LE(8)} is not supported`);
  if (data.readUInt32LE(16) !== data.length) throw damaged('they are truncated or too long');
  if (data.readUInt32LE(12) !== crc32(data.subarray(CHECKED_FROM))) throw damaged('their checksum is wrong');
  // A correct checksum means that `packArtifact` wrote the header.
  const headerLength = data.readUInt32LE(20);
  const header = JSON.parse(data.toString('utf8', HEADER_AT, HEADER_AT + headerLength)) as Header;
  if (header.kind !== kind) throw damaged(`they are ${header.kind} observations`);
  const arraysAt = data.byteOffset + aligned(HEADER_AT + headerLength);
  const arrays = header.arrays.map(({ name, type, length, offset }): [string, NumericArray] => [
    name,
    new TYPES[type](data.buffer as ArrayBuffer, arraysAt + offset, length),
  ]);
  return { kind, facts: header.facts, arrays: Object.fromEntries(arrays) };
}

/** Length in bytes of the JSON header, from the first `HEADER_AT` bytes of a file; null if it is not an artifact. */
export function headerLength(start: Uint8Array, size: number): number | null {
  const data = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  if (data.length < HEADER_AT || data.toString('latin1', 0, 8) !== MAGIC || data.readUInt32LE(8) !== FORMAT)
    return null;
  const length = data.readUInt32LE(20);
  return data.readUInt32LE(16) === size && HEADER_AT + length <= size ? length : null;
}

/** Position of the first array in an artifact whose header has this length. */
export const arraysStart = (headerBytes: number): number => aligned(HEADER_AT + headerBytes);

/** The values of an array from their stored bytes, which are copied. */
export function toValues(type: TypeName, bytes: Uint8Array): NumericArray {
  return new TYPES[type](new Uint8Array(bytes).buffer);
}

/** Bytes of one value. */
export const valueBytes = (type: TypeName): number => TYPES[type].BYTES_PER_ELEMENT;

/** True if the bytes are a complete artifact of this kind. */
export function isArtifact(bytes: Uint8Array, kind: string): boolean {
  try {
    unpackArtifact(bytes, kind);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

const aligned = (length: number) => Math.ceil(length / 8) * 8;

function typeName(values: NumericArray): TypeName {
  if (values instanceof Float64Array) return 'f64';
  if (values instanceof Float32Array) return 'f32';
  return values instanceof Int32Array ? 'i32' : 'u8';
}
