import { CLASSES } from './classes.ts';
import { INPUT_SIDE, OUTPUT_SIZE } from './yolox.ts';

/**
 * A detector made by code, with the contract of the real one: an ONNX model that sees the same thing in every picture. With it everything around the
 * detector is tested where no weights are.
 */
export function constantModel({
  className,
  score,
  rows = OUTPUT_SIZE / 85,
}: {
  className: string;
  score: number;
  rows?: number;
}): Buffer {
  const output = new Float32Array(rows * 85);
  // A box of 96 × 160 pixels in the middle of the picture, as row 12 and column 12 of the middle grid would tell it.
  const at = (INPUT_SIDE / 8) ** 2 + 7 * (INPUT_SIDE / 16) + 12;
  if (at < rows) {
    output.set([0.5, 0.5, Math.log(96 / 16), Math.log(160 / 16), score], at * 85);
    output[at * 85 + 5 + CLASSES.indexOf(className)] = 1;
  }
  const input = [1, 3, INPUT_SIDE, INPUT_SIDE];
  const graph = [
    // The picture takes part with nothing: its least value times zero.
    message(1, [text(1, 'images'), text(2, 'least'), text(4, 'ReduceMin')]),
    message(1, [text(1, 'least'), text(1, 'zero'), text(2, 'nothing'), text(4, 'Mul')]),
    message(1, [text(1, 'nothing'), text(1, 'constant'), text(2, 'output'), text(4, 'Add')]),
    text(2, 'constant detector'),
    tensor('zero', [1], Float32Array.of(0)),
    tensor('constant', [1, rows, 85], output),
    value(11, 'images', input),
    value(12, 'output', [1, 1, rows, 85]),
  ];
  return Buffer.concat([number(1, 8), message(7, graph), message(8, [text(1, ''), number(2, 13)])]);
}

const FLOAT = 1;

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

function tensor(name: string, dims: number[], data: Float32Array): Buffer {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return message(5, [...dims.map((dim) => number(1, dim)), number(2, FLOAT), text(8, name), bytes(9, raw)]);
}

function value(field: number, name: string, dims: number[]): Buffer {
  const shape = message(
    2,
    dims.map((dim) => message(1, [number(1, dim)])),
  );
  return message(field, [text(1, name), message(2, [message(1, [number(1, FLOAT), shape])])]);
}
