/**
 * The detector's file for a picture of another shape. The network is made of convolutions only and takes any size that its coarsest grid divides; just the file says
 * 416 × 416. A picture of 16:9 leaves 44 % of that empty, and what is empty takes as long as what is not.
 */

/** Field numbers of ONNX, see onnx.proto: ModelProto.graph; GraphProto.input, output and value_info. */
const GRAPH = 7;
const INPUT = 11;
const OUTPUT = 12;
const VALUE_INFO = 13;
/** ValueInfoProto.type, TypeProto.tensor_type, TypeProto.Tensor.shape, TensorShapeProto.dim and its dim_value. */
const TYPE = 2;
const TENSOR_TYPE = 1;
const SHAPE = 2;
const DIM = 1;
const DIM_VALUE = 1;

/** Protocol buffers' kinds of fields: a varint, a length and bytes, or a number of fixed size. */
const VARINT = 0;
const LENGTH = 2;
const FIXED_BYTES: Record<number, number> = { 1: 8, 5: 4 };

/** The same model with another input and output shape; shapes in between are left for the runtime to work out. Throws for what is no ONNX model. */
export function reshapeModel(model: Uint8Array, input: readonly number[], output: readonly number[]): Uint8Array {
  return edit(model, GRAPH, (graph) => {
    const entries = [...fields(graph)].filter(({ number }) => number !== VALUE_INFO);
    const bare = Buffer.concat(entries.map(({ bytes }) => bytes));
    return edit(edit(bare, INPUT, withShape(input)), OUTPUT, withShape(output));
  });
}

const withShape = (dims: readonly number[]) => (value: Uint8Array) => {
  const shape = Buffer.concat(dims.map((dim) => message(DIM, Buffer.from([DIM_VALUE << 3, ...varint(dim)]))));
  return edit(value, TYPE, (type) => edit(type, TENSOR_TYPE, (tensor) => edit(tensor, SHAPE, () => shape)));
};

/** A message in which the content of one of its messages is another. */
function edit(of: Uint8Array, number: number, change: (content: Uint8Array) => Uint8Array): Uint8Array {
  const parts = [...fields(of)].map((field) =>
    field.number === number && field.content ? message(number, change(field.content)) : field.bytes,
  );
  return Buffer.concat(parts);
}

type Field = { number: number /** All of it. */; bytes: Uint8Array; content: Uint8Array | null };

function* fields(of: Uint8Array): Generator<Field> {
  let at = 0;
  const readVarint = () => {
    let value = 0;
    for (let unit = 1; at < of.length; unit *= 128) {
      const byte = of[at++]!;
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
    throw notOne();
  };
  while (at < of.length) {
    const start = at;
    const key = readVarint();
    const kind = key & 7;
    if (kind === VARINT) readVarint();
    const length = kind === LENGTH ? readVarint() : kind === VARINT ? 0 : FIXED_BYTES[kind];
    if (length === undefined || at + length > of.length) throw notOne();
    const content = kind === LENGTH ? of.subarray(at, at + length) : null;
    at += length;
    yield { number: key >>> 3, bytes: of.subarray(start, at), content };
  }
}

const notOne = () => new Error('the file is no ONNX model, or cut off');

const message = (number: number, content: Uint8Array) =>
  Buffer.concat([Buffer.from([...varint((number << 3) | LENGTH), ...varint(content.length)]), content]);

function varint(of: number): number[] {
  return of < 128 ? [of] : [(of % 128) + 128, ...varint(Math.floor(of / 128))];
}
