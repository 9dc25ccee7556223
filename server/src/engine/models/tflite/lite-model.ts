import { ByteBuffer } from 'flatbuffers';

/** A tensor of a TensorFlow Lite model: weights have data, all others are computed. */
export type LiteTensor = { shape: number[]; data: Float32Array | Int32Array | null };
export type LiteOperator = { code: number; inputs: number[]; outputs: number[]; options: LiteTable };
export type LiteModel = { tensors: LiteTensor[]; operators: LiteOperator[]; inputs: number[]; outputs: number[] };

/** A table of a FlatBuffers file, whose fields are read by their numbers in TensorFlow Lite's schema. */
export type LiteTable = {
  /** Whole numbers of four bytes and of one; the default of the schema where the field is missing. */
  integer(field: number, missing?: number): number;
  byte(field: number, missing?: number): number;
  integers(field: number): number[];
  tables(field: number): LiteTable[];
  table(field: number): LiteTable;
  bytes(field: number): Uint8Array;
};

const IDENTIFIER = 'TFL3';
/** Numbers of the types of tensors. */
const FLOAT32 = 0;
const FLOAT16 = 1;
const INT32 = 2;
/** Bytes of an offset, and of the two sizes at the start of a table of fields. */
const OFFSET = 4;
const FIELD = 2;

/** Reads a TensorFlow Lite model with one graph. Throws if it is not one, or has types that are not supported. */
export function readLiteModel(file: Uint8Array): LiteModel {
  const buffer = new ByteBuffer(file);
  if (file.length < 2 * OFFSET || !hasIdentifier(file)) throw new Error('the file is not a TensorFlow Lite model');
  const root = tableAt(buffer, buffer.readInt32(0));
  const codes = root.tables(1).map((code) => Math.max(code.byte(0), code.integer(3)));
  const [graph, ...others] = root.tables(2);
  if (!graph || others.length > 0) throw new Error('the model does not have one graph');
  const buffers = root.tables(4);
  return {
    tensors: graph.tables(0).map((tensor) => {
      if (tensor.table(6) !== NOTHING) throw new Error('the model has sparse tensors');
      const stored = buffers[tensor.integer(2)]!.bytes(0);
      return { shape: tensor.integers(0), data: stored.length > 0 ? toNumbers(stored, tensor.byte(1)) : null };
    }),
    inputs: graph.integers(1),
    outputs: graph.integers(2),
    operators: graph.tables(3).map((operator) => ({
      code: codes[operator.integer(0)]!,
      inputs: operator.integers(1),
      outputs: operator.integers(2),
      options: operator.table(4),
    })),
  };
}

const hasIdentifier = (file: Uint8Array) =>
  Buffer.from(file.buffer, file.byteOffset + OFFSET, OFFSET).toString('latin1') === IDENTIFIER;

function toNumbers(stored: Uint8Array, type: number): Float32Array | Int32Array {
  // A copy, because the numbers may not be aligned in the file.
  const { buffer } = Uint8Array.from(stored);
  if (type === FLOAT32) return new Float32Array(buffer);
  if (type === INT32) return new Int32Array(buffer);
  if (type === FLOAT16) return Float32Array.from(new Uint16Array(buffer), fromHalf);
  throw new Error(`the model has tensors of type ${type}`);
}

/** The value of a number of 16 bits: a sign, five bits of exponent and ten of fraction. */
export function fromHalf(bits: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 0x400) * 2 ** (exponent - 15);
}

/** The table of a field that is missing: all of its fields are. */
const NOTHING: LiteTable = {
  integer: (_field, missing = 0) => missing,
  byte: (_field, missing = 0) => missing,
  integers: () => [],
  tables: () => [],
  table: () => NOTHING,
  bytes: () => new Uint8Array(),
};

function tableAt(buffer: ByteBuffer, at: number): LiteTable {
  /** Place of a field's value; null if it is missing. */
  const placeOf = (field: number) => {
    const offset = buffer.__offset(at, 2 * FIELD + FIELD * field);
    return offset === 0 ? null : at + offset;
  };
  /** Places of the elements of a list. */
  const listOf = (field: number, bytes: number): number[] => {
    const place = placeOf(field);
    if (place === null) return [];
    const list = buffer.__indirect(place);
    return Array.from({ length: buffer.readInt32(list) }, (_, k) => list + OFFSET + bytes * k);
  };
  const read = (field: number, missing: number, valueAt: (place: number) => number) => {
    const place = placeOf(field);
    return place === null ? missing : valueAt(place);
  };
  return {
    integer: (field, missing = 0) => read(field, missing, (place) => buffer.readInt32(place)),
    byte: (field, missing = 0) => read(field, missing, (place) => buffer.readInt8(place)),
    integers: (field) => listOf(field, OFFSET).map((place) => buffer.readInt32(place)),
    tables: (field) => listOf(field, OFFSET).map((place) => tableAt(buffer, buffer.__indirect(place))),
    table(field) {
      const place = placeOf(field);
      return place === null ? NOTHING : tableAt(buffer, buffer.__indirect(place));
    },
    bytes(field) {
      const place = placeOf(field);
      if (place === null) return new Uint8Array();
      const list = buffer.__indirect(place);
      return buffer.bytes().subarray(list + OFFSET, list + OFFSET + buffer.readInt32(list));
    },
  };
}
