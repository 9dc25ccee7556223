// Converts small TensorFlow.js models that are made by code, and runs the result.
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { convertGraphModel } from './convert-graph-model.ts';

type MadeNode = { name: string; op: string; input?: string[]; attr?: object };
type MadeWeights = { name: string; shape: number[]; numbers: number[]; dtype?: string; half?: boolean };

const base64 = (value: string) => Buffer.from(value).toString('base64');
const list = (...i: number[]) => ({ list: { i: i.map(String) } });
const image = (rows: number, columns: number, channels: number): MadeNode => ({
  name: 'image',
  op: 'Placeholder',
  attr: { shape: { shape: { dim: [1, rows, columns, channels].map((size) => ({ size: String(size) })) } } },
});
const convolution = (op: string, more: { stride?: number; padding?: string; fused?: string[] } = {}): MadeNode => ({
  name: 'convolved',
  op,
  input: ['image', 'filter', 'bias'],
  attr: {
    strides: list(1, more.stride ?? 1, more.stride ?? 1, 1),
    dilations: list(1, 1, 1, 1),
    padding: { s: base64(more.padding ?? 'SAME') },
    fused_ops: { list: { s: (more.fused ?? []).map(base64) } },
  },
});

/** The two files of a model. */
function made(nodes: MadeNode[], weights: MadeWeights[]): [json: Uint8Array, weights: Uint8Array] {
  const stored = weights.map(({ name, shape, dtype = 'float32', half }) => ({
    name,
    shape,
    dtype,
    ...(half ? { quantization: { dtype: 'float16' } } : {}),
  }));
  const parts = weights.map(({ numbers, half, dtype }) =>
    half ? Uint16Array.from(numbers) : dtype === 'int32' ? Int32Array.from(numbers) : Float32Array.from(numbers),
  );
  const json = JSON.stringify({ modelTopology: { node: nodes }, weightsManifest: [{ weights: stored }] });
  return [Buffer.from(json), Buffer.concat(parts.map((part) => new Uint8Array(part.buffer)))];
}

async function run(model: [Uint8Array, Uint8Array], output: string, shape: number[], numbers: readonly number[]) {
  const session = await InferenceSession.create(convertGraphModel(...model, [output]), { logSeverityLevel: 3 });
  const { out0 } = await session.run({ input: new Tensor('float32', Float32Array.from(numbers), shape) });
  return { dims: [...out0!.dims], data: [...(out0!.data as Float32Array)] };
}

test('a convolution with padding, strides, bias and activation, of weights of 16 bits', async () => {
  // 0x3c00 is 1 and 0xbc00 is -1.
  const filter = { name: 'filter', shape: [3, 3, 1, 2], numbers: Array(9).fill([0x3c00, 0xbc00]).flat(), half: true };
  const bias = { name: 'bias', shape: [2], numbers: [0.5, 0] };
  const model = made(
    [image(4, 4, 1), convolution('_FusedConv2D', { stride: 2, fused: ['BiasAdd', 'Relu6'] })],
    [filter, bias],
  );
  const { dims, data } = await run(model, 'convolved', [1, 4, 4, 1], Array(16).fill(0.5));
  expect(dims).toEqual([1, 2, 2, 2]);
  // With an even size, the padding is on the right and below alone: 9, 6, 6 and 4 pixels are covered.
  expect(data).toEqual([5, 3.5, 3.5, 2.5, 0, 0, 0, 0]);
});

test('a depthwise convolution of each channel, without padding', async () => {
  const filter = { name: 'filter', shape: [1, 2, 2, 1], numbers: [1, 10, 1, 10] };
  const model = made([image(1, 3, 2), convolution('DepthwiseConv2dNative', { padding: 'VALID' })], [filter]);
  const { dims, data } = await run(model, 'convolved', [1, 1, 3, 2], [1, 1, 2, 2, 3, 3]);
  expect({ dims, data }).toEqual({ dims: [1, 2, 1, 2], data: [3, 5, 30, 50] });
});

test('arithmetic with constants for each channel, through the batch that is split and joined', async () => {
  const nodes: MadeNode[] = [
    image(1, 1, 2),
    { name: 'float', op: 'Cast', input: ['image'] },
    { name: 'parts', op: 'Unpack', input: ['float'] },
    { name: 'whole', op: 'Pack', input: ['parts:0', 'axis'] },
    { name: 'less', op: 'Sub', input: ['whole', 'mean'] },
    { name: 'scaled', op: 'Mul', input: ['less', 'two'] },
    { name: 'sum', op: 'AddV2', input: ['scaled', 'whole'] },
  ];
  const weights = [
    { name: 'mean', shape: [1, 1, 1, 2], numbers: [1, 2] },
    { name: 'two', shape: [], numbers: [2] },
  ];
  expect((await run(made(nodes, weights), 'sum', [1, 1, 1, 2], [5, 7])).data).toEqual([13, 17]);
});

test('an image that is enlarged', async () => {
  const nodes: MadeNode[] = [
    image(1, 2, 1),
    { name: 'large', op: 'ResizeBilinear', input: ['image', 'size'], attr: { half_pixel_centers: { b: true } } },
    { name: 'likely', op: 'Sigmoid', input: ['large'] },
  ];
  const size = { name: 'size', shape: [2], numbers: [1, 4], dtype: 'int32' };
  const { dims, data } = await run(made(nodes, [size]), 'likely', [1, 1, 2, 1], [0, 4]);
  expect(dims).toEqual([1, 1, 1, 4]);
  const logits = data.map((value) => Math.log(value / (1 - value)));
  for (const [at, expected] of [0, 1, 3, 4].entries()) expect(logits[at]).toBeCloseTo(expected, 4);
});

test.each<[string, MadeNode[], MadeWeights[], RegExp]>([
  ['an operator', [image(1, 1, 1), { name: 'out', op: 'Tanh', input: ['image'] }], [], /operator Tanh/],
  [
    'an activation',
    [image(1, 1, 1), { ...convolution('_FusedConv2D', { fused: ['Elu'] }), name: 'out' }],
    [{ name: 'filter', shape: [1, 1, 1, 1], numbers: [1] }],
    /activation Elu/,
  ],
  ['a type of weights', [image(1, 1, 1)], [{ name: 'out', shape: [1], numbers: [1], dtype: 'string' }], /type string/],
  ['a node that is missing', [image(1, 1, 1)], [], /no node out/],
  ['an output without an image', [image(1, 1, 1)], [{ name: 'out', shape: [1], numbers: [1] }], /constant image/],
])('%s that is not supported is an error', (_name, nodes, weights, message) => {
  expect(() => convertGraphModel(...made(nodes, weights), ['out'])).toThrow(message);
});

test('weights that are more or fewer than the graph states are an error', () => {
  const [json, weights] = made([image(1, 1, 1)], [{ name: 'out', shape: [2], numbers: [1, 2] }]);
  expect(() => convertGraphModel(json, weights.subarray(4), ['out'])).toThrow(/fewer weights/);
  expect(() => convertGraphModel(json, Buffer.concat([weights, weights]), ['out'])).toThrow(/more weights/);
});
