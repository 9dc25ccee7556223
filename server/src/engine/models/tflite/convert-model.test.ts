// Converts small TensorFlow Lite models that are made by code, and runs the result.
import { Builder } from 'flatbuffers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { convertLiteModel } from './convert-model.ts';
import { fromHalf } from './lite-model.ts';

type Weights = { type: 'float' | 'half'; numbers: readonly number[] };
type MadeTensor = { shape: readonly number[]; weights?: Weights };
type Option = readonly [field: number, kind: 'byte' | 'integer', value: number];
type MadeOperator = { code: number; inputs: readonly number[]; output: number; options?: readonly Option[] };

const [ADD, CONCATENATION, CONVOLUTION, DEPTHWISE, DEQUANTIZE, RESHAPE] = [0, 2, 3, 4, 6, 22];
const VALID: Option = [0, 'byte', 1];

/** Writes a model whose first tensor is its input and whose last one is its output. */
function liteModel(tensors: readonly MadeTensor[], operators: readonly MadeOperator[]): Uint8Array {
  const b = new Builder(1024);
  const integers = (values: readonly number[]) => {
    b.startVector(4, values.length, 4);
    for (const value of values.toReversed()) b.addInt32(value);
    return b.endVector();
  };
  const offsets = (values: readonly number[]) => {
    b.startVector(4, values.length, 4);
    for (const value of values.toReversed()) b.addOffset(value);
    return b.endVector();
  };
  const buffers = tensors.map(({ weights }) => {
    const bytes = weights ? toBytes(weights) : new Uint8Array();
    b.startVector(1, bytes.length, 16);
    for (const byte of bytes.toReversed()) b.addInt8(byte);
    const data = b.endVector();
    b.startObject(1);
    if (weights) b.addFieldOffset(0, data, 0);
    return b.endObject();
  });
  const made = tensors.map(({ shape, weights }, at) => {
    const dims = integers(shape);
    b.startObject(8);
    b.addFieldOffset(0, dims, 0);
    b.addFieldInt8(1, weights?.type === 'half' ? 1 : 0, 0);
    b.addFieldInt32(2, at, 0);
    return b.endObject();
  });
  const codes = operators.map(({ code }) => {
    b.startObject(4);
    b.addFieldInt8(0, code, 0);
    return b.endObject();
  });
  const run = operators.map(({ inputs, output, options = [] }, at) => {
    b.startObject(8);
    for (const [field, kind, value] of options)
      if (kind === 'byte') b.addFieldInt8(field, value, -1);
      else b.addFieldInt32(field, value, -1);
    const table = b.endObject();
    const [from, to] = [integers(inputs), integers([output])];
    b.startObject(5);
    b.addFieldInt32(0, at, -1);
    b.addFieldOffset(1, from, 0);
    b.addFieldOffset(2, to, 0);
    b.addFieldOffset(4, table, 0);
    return b.endObject();
  });
  const lists = [offsets(made), integers([0]), integers([tensors.length - 1]), offsets(run)];
  b.startObject(4);
  for (const [field, list] of lists.entries()) b.addFieldOffset(field, list, 0);
  const graphs = offsets([b.endObject()]);
  const [codeList, bufferList] = [offsets(codes), offsets(buffers)];
  b.startObject(5);
  b.addFieldOffset(1, codeList, 0);
  b.addFieldOffset(2, graphs, 0);
  b.addFieldOffset(4, bufferList, 0);
  b.finish(b.endObject(), 'TFL3');
  return b.asUint8Array();
}

function toBytes({ type, numbers }: Weights): Uint8Array {
  const values = type === 'half' ? Uint16Array.from(numbers) : Float32Array.from(numbers);
  return new Uint8Array(values.buffer);
}

const floats = (numbers: readonly number[]): Weights => ({ type: 'float', numbers });

async function run(model: Uint8Array, shape: number[], numbers: readonly number[]) {
  const session = await InferenceSession.create(convertLiteModel(model), { logSeverityLevel: 3 });
  const { out0 } = await session.run({ input: new Tensor('float32', Float32Array.from(numbers), shape) });
  return { dims: [...out0!.dims], data: [...(out0!.data as Float32Array)] };
}

test('a convolution with padding, strides and bias, of channels that come last', async () => {
  const image = { shape: [1, 3, 3, 2] };
  const filter = { shape: [1, 3, 3, 2], weights: floats(Array.from({ length: 18 }, (_, k) => (k % 2 ? 10 : 1))) };
  const bias = { shape: [1], weights: floats([0.5]) };
  const model = liteModel(
    [image, filter, bias, { shape: [1, 2, 2, 1] }],
    [
      {
        code: CONVOLUTION,
        inputs: [0, 1, 2],
        output: 3,
        options: [
          [1, 'integer', 2],
          [2, 'integer', 2],
        ],
      },
    ],
  );
  // Each output sees 2 × 2 pixels of the image and padding; a pixel is 1 in the first channel and 2 in the second.
  const pixels = Array.from({ length: 9 }, () => [1, 2]).flat();
  expect(await run(model, [1, 3, 3, 2], pixels)).toEqual({ dims: [1, 2, 2, 1], data: Array(4).fill(4 * 21 + 0.5) });
});

test('a depthwise convolution of each channel, without padding, cut off at 0 and 6', async () => {
  const filter = { shape: [1, 1, 2, 2], weights: floats([1, -1, 1, -1]) };
  const model = liteModel(
    [{ shape: [1, 1, 3, 2] }, filter, { shape: [1, 1, 2, 2] }],
    [{ code: DEPTHWISE, inputs: [0, 1], output: 2, options: [VALID, [3, 'integer', 1], [4, 'byte', 3]] }],
  );
  expect((await run(model, [1, 1, 3, 2], [1, 1, 2, -1, 7, -2])).data).toEqual([3, 0, 6, 3]);
});

test('weights of 16 bits, sums, new shapes and lists one after the other', async () => {
  const half = { shape: [1, 1, 1, 2], weights: { type: 'half', numbers: [0x3c00, 0xc000] } } as const;
  const model = liteModel(
    [
      { shape: [1, 1, 2, 1] },
      half,
      { shape: [1, 1, 1, 2] },
      ...[
        [1, 1, 1, 2],
        [1, 1, 1, 1],
      ].map((shape) => ({ shape, weights: floats(Array(shape[3]).fill(1)) })),
      { shape: [1, 1, 2, 1] },
      { shape: [1, 1, 2, 1] },
      { shape: [1, 2, 1] },
      { shape: [1, 4, 1] },
    ],
    [
      { code: DEQUANTIZE, inputs: [1], output: 2 },
      {
        code: CONVOLUTION,
        inputs: [0, 4],
        output: 5,
        options: [
          [1, 'integer', 1],
          [2, 'integer', 1],
        ],
      },
      { code: ADD, inputs: [5, 0], output: 6 },
      { code: RESHAPE, inputs: [6], output: 7 },
      { code: CONCATENATION, inputs: [7, 7], output: 8, options: [[0, 'integer', 1]] },
    ],
  );
  expect(await run(model, [1, 1, 2, 1], [3, 4])).toEqual({ dims: [1, 4, 1], data: [6, 8, 6, 8] });
});

test('numbers of 16 bits', () => {
  const values = [0x0000, 0x3c00, 0xc000, 0x0001, 0x3555, 0x7c00, 0xfc00].map(fromHalf);
  expect(values).toEqual([0, 1, -2, 2 ** -24, 0.333251953125, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  expect(fromHalf(0x7e00)).toBeNaN();
});

test('what is not a supported model is refused with the reason', () => {
  expect(() => convertLiteModel(new Uint8Array())).toThrow('not a TensorFlow Lite model');
  expect(() => convertLiteModel(Buffer.from('this is something else'))).toThrow('not a TensorFlow Lite model');
  const unknown = liteModel([{ shape: [1] }, { shape: [1] }], [{ code: 99, inputs: [0], output: 1 }]);
  expect(() => convertLiteModel(unknown)).toThrow('operator 99');
});
