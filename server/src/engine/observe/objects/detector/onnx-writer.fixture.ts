/**
 * Writes ONNX models by code: opset 13, for tests without weights.
 */
export const model = (name: string, graph: Buffer[]) =>
  Buffer.concat([number(1, 8), message(7, [text(2, name), ...graph]), message(8, [text(1, ''), number(2, 13)])]);

/** ONNX's numbers of tensor types. */
const FLOAT = 1;
const INT64 = 7;
const BOOL = 9;
const TYPES = { float: FLOAT, int64: INT64, bool: BOOL };
/** An end of a slice that is beyond every axis. */
export const LAST = 2 ** 31;

/** Protocol buffers: a field is its number and kind, then a varint, or a length and bytes. */
const number = (field: number, of: number) => Buffer.concat([varint(field << 3), varint(of)]);
const bytes = (field: number, of: Uint8Array) => Buffer.concat([varint((field << 3) | 2), varint(of.length), of]);
const text = (field: number, of: string) => bytes(field, Buffer.from(of));
const message = (field: number, parts: Buffer[]) => bytes(field, Buffer.concat(parts));

function varint(of: number): Buffer {
  const parts: number[] = [];
  for (let rest = of; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...parts, rest]);
    parts.push((rest % 128) + 128);
  }
}

/** A node of a graph. */
export const node = (operator: string, inputs: string[], output: string, attributes: Buffer = Buffer.alloc(0)) =>
  message(1, [...inputs.map((input) => text(1, input)), text(2, output), text(4, operator), attributes]);

/** One whole number (kind 2) or several (kind 7). */
export const attribute = (name: string, values: number[]) =>
  message(5, [
    text(1, name),
    ...(values.length === 1 ? [number(3, values[0]!)] : values.map((value) => number(8, value))),
    number(20, values.length === 1 ? 2 : 7),
  ]);

export const floats = (name: string, dims: number[], data: Float32Array) => tensor(name, FLOAT, dims, data);
export const integers = (name: string, data: number[], dims: number[] = [data.length]) =>
  tensor(
    name,
    INT64,
    dims,
    BigInt64Array.from(data, (one) => BigInt(one)),
  );

function tensor(name: string, type: number, dims: number[], data: Float32Array | BigInt64Array): Buffer {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return message(5, [...dims.map((dim) => number(1, dim)), number(2, type), text(8, name), bytes(9, raw)]);
}

/** An input (field 11) or output (field 12) of a graph. A dimension of null may have any size. */
export function value(
  field: 11 | 12,
  name: string,
  dims: (number | null)[],
  type: keyof typeof TYPES = 'float',
): Buffer {
  const shape = message(
    2,
    dims.map((dim) => message(1, dim === null ? [] : [number(1, dim)])),
  );
  return message(field, [text(1, name), message(2, [message(1, [number(1, TYPES[type]), shape])])]);
}
