import { type Attribute, FLOAT, INT64, INTS, type Node, onnxModel, type Tensor } from './onnx-model.ts';

const IR_VERSION = 8;
const OPERATOR_SET = 13;
const INT_ATTRIBUTE = 2;
const STRING_ATTRIBUTE = 3;

/** Writes the graph of an ONNX model, node by node in execution order. The same calls always give the same bytes. */
export function createGraphWriter() {
  const nodes: Node[] = [];
  const weights: Tensor[] = [];

  /** Adds a node and returns the name of its output. */
  function addNode(op_type: string, from: readonly string[], attribute: Attribute[] = [], name?: string): string {
    const output = name ?? `value${nodes.length}`;
    nodes.push({ op_type, input: [...from], output: [output], attribute });
    return output;
  }

  /** Adds constant numbers and returns their name. */
  function addWeights(dims: number[], data: Float32Array | BigInt64Array): string {
    const name = `weights${weights.length}`;
    const raw_data = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    weights.push({ name, dims, data_type: data instanceof BigInt64Array ? INT64 : FLOAT, raw_data });
    return name;
  }

  return {
    addNode,
    addWeights,
    /** Cuts values off below 0 and above 6. */
    clipAtSix: (name: string) =>
      addNode('Clip', [name, addWeights([], Float32Array.of(0)), addWeights([], Float32Array.of(6))]),
    /** The model: tensors of floats with their shapes go in and out. */
    finish(input: NamedShape, output: readonly NamedShape[]): Uint8Array {
      const graph = {
        node: nodes,
        name: 'converted',
        initializer: weights,
        input: [toValue(input)],
        output: output.map(toValue),
      };
      const type = onnxModel();
      const opset_import = [{ domain: '', version: OPERATOR_SET }];
      return type.encode(type.fromObject({ ir_version: IR_VERSION, opset_import, graph })).finish();
    },
  };
}

type NamedShape = { name: string; shape: readonly number[] };

export const integer = (name: string, i: number): Attribute => ({ name, type: INT_ATTRIBUTE, i });
export const integers = (name: string, ints: number[]): Attribute => ({ name, type: INTS, ints });
export const text = (name: string, s: string): Attribute => ({ name, type: STRING_ATTRIBUTE, s: Buffer.from(s) });

const toValue = ({ name, shape }: NamedShape) => ({
  name,
  type: { tensor_type: { elem_type: FLOAT, shape: { dim: shape.map((dim_value) => ({ dim_value })) } } },
});

/** Rows and columns. */
export type Pair = readonly [number, number];
type Geometry = { from: Pair; to: Pair; kernel: Pair; strides: Pair; dilations: Pair };

/** Padding of a convolution that keeps the size: before and after each axis, the odd pixel after it. */
export function samePads({ from, to, kernel, strides, dilations }: Geometry): number[] {
  const total = [0, 1].map((axis) => {
    const covered = (to[axis]! - 1) * strides[axis]! + (kernel[axis]! - 1) * dilations[axis]! + 1;
    return Math.max(0, covered - from[axis]!);
  });
  const before = total.map((pixels) => pixels >> 1);
  return [...before, ...total.map((pixels, axis) => pixels - before[axis]!)];
}

/** Numbers of four axes, with the axes in another order: axis `k` of the result is axis `order[k]`. */
export function permuted(data: Float32Array, shape: readonly number[], order: readonly number[]): Float32Array {
  const steps = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1));
  const [d0, d1, d2, d3] = order.map((axis) => shape[axis]!) as [number, number, number, number];
  const [s0, s1, s2, s3] = order.map((axis) => steps[axis]!) as [number, number, number, number];
  const result = new Float32Array(data.length);
  let to = 0;
  for (let a = 0; a < d0; a++)
    for (let b = 0; b < d1; b++)
      for (let c = 0; c < d2; c++) for (let d = 0; d < d3; d++) result[to++] = data[a * s0 + b * s1 + c * s2 + d * s3]!;
  return result;
}
