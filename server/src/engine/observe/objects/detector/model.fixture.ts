import { CLASSES } from '../classes.ts';
import { INPUT_SIDE, VALUES_PER_CELL } from './yolox.ts';

/**
 * A detector model made by code, with the contract of the real one: an ONNX model with the same detection in every
 * frame of any shape, for tests of everything around the detector without weights.
 */
export function constantModel({
  className,
  score,
  rows = LAST,
}: {
  className: string;
  score: number;
  /** Number of output rows to keep, for a model with a different contract. */
  rows?: number;
}): Buffer {
  const strides = [8, 16, 32];
  const grids = strides.map((stride) => {
    const side = INPUT_SIDE / stride;
    const grid = new Float32Array(VALUES_PER_CELL * side * side);
    const put = (channel: number, value: number) => {
      grid[channel * side * side + 7 * side + 12] = value;
    };
    // A box of 96 × 160 pixels in the middle of a square picture, at row 7 and column 12 of the middle grid.
    if (stride === 16) {
      for (const [channel, value] of [0.5, 0.5, Math.log(96 / 16), Math.log(160 / 16), score].entries())
        put(channel, value);
      put(5 + CLASSES.indexOf(className), 1);
    }
    return floats(`grid${stride}`, [1, VALUES_PER_CELL, side, side], grid);
  });
  const graph = [
    node('Shape', ['images'], 'shape'),
    node('Slice', ['shape', 'two', 'four'], 'size'),
    // As in a network, each grid is as large as the picture lets it be.
    ...strides.flatMap((stride) => [
      node('Div', ['size', `stride${stride}`], `cells${stride}`),
      node('Slice', [`grid${stride}`, 'corner', `cells${stride}`, 'axes'], `cut${stride}`),
      node('Reshape', [`cut${stride}`, 'flat'], `flat${stride}`),
    ]),
    node(
      'Concat',
      strides.map((stride) => `flat${stride}`),
      'columns',
      attribute('axis', [2]),
    ),
    node('Transpose', ['columns'], 'all', attribute('perm', [0, 2, 1])),
    node('Slice', ['all', 'zero', 'rows', 'one'], 'kept'),
    // The picture takes part with nothing: its least value times zero.
    node('ReduceMin', ['images'], 'least', attribute('keepdims', [0])),
    node('Mul', ['least', 'none'], 'nothing'),
    node('Add', ['nothing', 'kept'], 'output'),
    text(2, 'constant detector'),
    ...grids,
    ...strides.map((stride) => integers(`stride${stride}`, [stride])),
    integers('zero', [0]),
    integers('one', [1]),
    integers('two', [2]),
    integers('four', [4]),
    integers('rows', [rows]),
    integers('corner', [0, 0]),
    integers('axes', [2, 3]),
    integers('flat', [1, VALUES_PER_CELL, -1]),
    floats('none', [1], Float32Array.of(0)),
    value(11, 'images', [1, 3, INPUT_SIDE, INPUT_SIDE]),
    value(12, 'output', [1, 3549, VALUES_PER_CELL]),
  ];
  return Buffer.concat([number(1, 8), message(7, graph), message(8, [text(1, ''), number(2, 13)])]);
}

const FLOAT = 1;
const INT64 = 7;
const LAST = 2 ** 31;

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

const node = (operator: string, inputs: string[], output: string, attributes: Buffer = Buffer.alloc(0)) =>
  message(1, [...inputs.map((input) => text(1, input)), text(2, output), text(4, operator), attributes]);

/** One whole number (kind 2) or several (kind 7). */
const attribute = (name: string, values: number[]) =>
  message(5, [
    text(1, name),
    ...(values.length === 1 ? [number(3, values[0]!)] : values.map((value) => number(8, value))),
    number(20, values.length === 1 ? 2 : 7),
  ]);

const floats = (name: string, dims: number[], data: Float32Array) => tensor(name, FLOAT, dims, data);
const integers = (name: string, data: number[]) =>
  tensor(
    name,
    INT64,
    [data.length],
    BigInt64Array.from(data, (one) => BigInt(one)),
  );

function tensor(name: string, type: number, dims: number[], data: Float32Array | BigInt64Array): Buffer {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return message(5, [...dims.map((dim) => number(1, dim)), number(2, type), text(8, name), bytes(9, raw)]);
}

function value(field: number, name: string, dims: number[]): Buffer {
  const shape = message(
    2,
    dims.map((dim) => message(1, [number(1, dim)])),
  );
  return message(field, [text(1, name), message(2, [message(1, [number(1, FLOAT), shape])])]);
}
