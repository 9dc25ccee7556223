import { fromHalf } from '../tflite/lite-model.ts';

/** A node of the graph of a TensorFlow.js model; attributes are as its JSON has them. */
export type GraphNode = {
  name: string;
  op: string;
  input: readonly string[];
  attributes: Readonly<Record<string, GraphAttribute | undefined>>;
};
export type GraphAttribute = {
  s?: string;
  shape?: { dim: { size: string | number }[] };
  list?: { i?: (string | number)[]; s?: string[] };
  b?: boolean;
};
/** Constants are floats, also where the model has whole numbers. */
export type Constant = { shape: number[]; data: Float32Array };
export type GraphModel = { nodes: ReadonlyMap<string, GraphNode>; constants: ReadonlyMap<string, Constant> };

type StoredWeights = { name: string; shape: number[]; dtype: string; quantization?: { dtype: string } };
type Stored = {
  modelTopology: { node: { name: string; op: string; input?: string[]; attr?: GraphNode['attributes'] }[] };
  weightsManifest: { weights: StoredWeights[] }[];
};

const BYTES = { float16: 2, float32: 4, int32: 4 } as const;

/**
 * Reads a TensorFlow.js graph model: its JSON, and the bytes of its weights. Throws if a type of weights is not
 * supported, or the bytes are not as many as the graph states.
 */
export function readGraphModel(json: Uint8Array, weights: Uint8Array): GraphModel {
  const { modelTopology, weightsManifest } = JSON.parse(Buffer.from(json).toString('utf8')) as Stored;
  const view = new DataView(weights.buffer, weights.byteOffset, weights.byteLength);
  const constants = new Map<string, Constant>();
  let at = 0;
  for (const { name, shape, dtype, quantization } of weightsManifest.flatMap((group) => group.weights)) {
    const type = quantization?.dtype ?? dtype;
    if (!isSupported(type)) throw new Error(`the model has weights of the type ${type}, which is not supported`);
    const count = shape.reduce((product, length) => product * length, 1);
    if (at + count * BYTES[type] > weights.length) throw new Error('the model has fewer weights than its graph states');
    const from = at;
    constants.set(name, { shape, data: Float32Array.from({ length: count }, (_, k) => READ[type](view, from, k)) });
    at += count * BYTES[type];
  }
  if (at !== weights.length) throw new Error('the model has more weights than its graph states');
  const nodes = modelTopology.node.map(({ name, op, input = [], attr = {} }): [string, GraphNode] => [
    name,
    { name, op, input: input.map(tensorName), attributes: attr },
  ]);
  return { nodes: new Map(nodes), constants };
}

type NumberType = keyof typeof BYTES;
const isSupported = (type: string): type is NumberType => type in BYTES;

const READ: Record<NumberType, (view: DataView, from: number, k: number) => number> = {
  float16: (view, from, k) => fromHalf(view.getUint16(from + 2 * k, true)),
  float32: (view, from, k) => view.getFloat32(from + 4 * k, true),
  int32: (view, from, k) => view.getInt32(from + 4 * k, true),
};

/** Name of the node that computes a tensor, which may be its first output of several. */
const tensorName = (input: string) => input.replace(/:0$/, '');
