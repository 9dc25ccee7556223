import { type Attribute, FLOAT, INT64, INTS, type Node, onnxModel, type Tensor } from '../onnx-model.ts';
import { type LiteOperator, type LiteTable, readLiteModel } from './lite-model.ts';

/** TensorFlow Lite's numbers of operators, of their activations, and of padding. */
const ADD = 0;
const CONCATENATION = 2;
const CONVOLUTION = 3;
const DEPTHWISE_CONVOLUTION = 4;
const DEQUANTIZE = 6;
const RESHAPE = 22;
const NO_ACTIVATION = 0;
const RELU_6 = 3;
const SAME_PADDING = 0;

const IR_VERSION = 8;
const OPERATOR_SET = 13;
const INT_ATTRIBUTE = 2;

/** Orders of axes: TensorFlow Lite has channels last, ONNX first. */
const TO_CHANNELS_FIRST = [0, 3, 1, 2];
const TO_CHANNELS_LAST = [0, 2, 3, 1];

/** A computed tensor: its name in the graph, and whether its channels come first. */
type Value = { name: string; channelsFirst: boolean };

/**
 * Converts a TensorFlow Lite model of floats to ONNX, for convolutional networks: the operators above. The input keeps
 * its form; outputs are named `out0` and so on. The same model always gives the same bytes. Throws if the model has
 * another operator.
 */
export function convertLiteModel(file: Uint8Array): Uint8Array {
  const { tensors, operators, inputs, outputs } = readLiteModel(file);
  const nodes: Node[] = [];
  const weights: Tensor[] = [];
  const values = new Map<number, Value>();
  const [input = 0] = inputs;
  values.set(input, { name: 'input', channelsFirst: false });
  const shapeOf = (tensor: number) => tensors[tensor]!.shape;
  const isImage = (tensor: number) => shapeOf(tensor).length === 4;

  function addNode(op_type: string, from: readonly string[], attribute: Attribute[] = [], name?: string): string {
    const output = name ?? `value${nodes.length}`;
    nodes.push({ op_type, input: [...from], output: [output], attribute });
    return output;
  }

  function addWeights(dims: number[], data: Float32Array | BigInt64Array): string {
    const name = `weights${weights.length}`;
    const raw_data = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    weights.push({ name, dims, data_type: data instanceof BigInt64Array ? INT64 : FLOAT, raw_data });
    return name;
  }

  const scalar = (value: number) => addWeights([], Float32Array.of(value));
  const transposed = (name: string, perm: number[]) => addNode('Transpose', [name], [integers('perm', perm)]);

  function dataOf(tensor: number): Float32Array {
    const { data } = tensors[tensor]!;
    if (!(data instanceof Float32Array)) throw new Error('the model has weights that are not floats');
    return data;
  }

  /** Name of a computed tensor in the requested order of axes. */
  function nameOf(tensor: number, channelsFirst: boolean): string {
    const value = values.get(tensor);
    if (!value) throw new Error('the model computes with a tensor that it has not computed');
    if (!isImage(tensor) || value.channelsFirst === channelsFirst) return value.name;
    return transposed(value.name, channelsFirst ? TO_CHANNELS_FIRST : TO_CHANNELS_LAST);
  }

  function activate(name: string, activation: number): string {
    if (activation === NO_ACTIVATION) return name;
    if (activation === RELU_6) return addNode('Clip', [name, scalar(0), scalar(6)]);
    throw new Error(`the model has the activation ${activation}, which is not supported`);
  }

  function convolve({ code, inputs: from, outputs: [output = 0], options }: LiteOperator): Value {
    const [image = 0, filter = 0, bias = -1] = from;
    const isDepthwise = code === DEPTHWISE_CONVOLUTION;
    const [first = 1, height = 1, width = 1, last = 1] = shapeOf(filter);
    const fields = isDepthwise
      ? { activation: 4, dilationX: 5, dilationY: 6 }
      : { activation: 3, dilationX: 4, dilationY: 5 };
    const strides = [options.integer(2, 1), options.integer(1, 1)];
    const dilations = [options.integer(fields.dilationY, 1), options.integer(fields.dilationX, 1)];
    const kernel = [height, width];
    const channels = shapeOf(image)[3]!;
    // Filters are outputs × rows × columns × inputs; depthwise, 1 × rows × columns × outputs.
    const order = isDepthwise ? [3, 0, 1, 2] : TO_CHANNELS_FIRST;
    const dims = isDepthwise ? [last, first, height, width] : [first, last, height, width];
    const parts = [nameOf(image, true), addWeights(dims, permuted(dataOf(filter), shapeOf(filter), order))];
    if (bias >= 0) parts.push(addWeights(shapeOf(bias), dataOf(bias)));
    const attributes = [
      integers('strides', strides),
      integers('dilations', dilations),
      integers('kernel_shape', kernel),
      integer('group', isDepthwise ? channels : 1),
      integers('pads', padsOf(options, { from: shapeOf(image), to: shapeOf(output), kernel, strides, dilations })),
    ];
    const name = activate(addNode('Conv', parts, attributes), options.byte(fields.activation));
    return { name, channelsFirst: true };
  }

  function convert(operator: LiteOperator): Value {
    const { code, inputs: from, options } = operator;
    const [output = 0] = operator.outputs;
    switch (code) {
      case CONVOLUTION:
      case DEPTHWISE_CONVOLUTION:
        return convolve(operator);
      case ADD: {
        const channelsFirst = isImage(output);
        const terms = from.map((tensor) => nameOf(tensor, channelsFirst));
        return { name: activate(addNode('Add', terms), options.byte(0)), channelsFirst };
      }
      case CONCATENATION: {
        const axes = shapeOf(output).length;
        const axis = integer('axis', (options.integer(0) + axes) % axes);
        const parts = from.map((tensor) => nameOf(tensor, false));
        return { name: activate(addNode('Concat', parts, [axis]), options.byte(1)), channelsFirst: false };
      }
      case RESHAPE: {
        const shape = addWeights([shapeOf(output).length], BigInt64Array.from(shapeOf(output), BigInt));
        return { name: addNode('Reshape', [nameOf(from[0]!, false), shape]), channelsFirst: false };
      }
      default:
        throw new Error(`the model has the operator ${code}, which is not supported`);
    }
  }

  for (const operator of operators) {
    const [output = 0] = operator.outputs;
    // Weights of 16 bits, which are read as floats.
    if (operator.code === DEQUANTIZE) tensors[output]!.data = dataOf(operator.inputs[0]!);
    else values.set(output, convert(operator));
  }
  const output = outputs.map((tensor, at) => {
    addNode('Identity', [nameOf(tensor, false)], [], `out${at}`);
    return toValue(`out${at}`, shapeOf(tensor));
  });
  const graph = {
    node: nodes,
    name: 'converted',
    initializer: weights,
    input: [toValue('input', shapeOf(input))],
    output,
  };
  const type = onnxModel();
  const opset_import = [{ domain: '', version: OPERATOR_SET }];
  return type.encode(type.fromObject({ ir_version: IR_VERSION, opset_import, graph })).finish();
}

const integer = (name: string, i: number): Attribute => ({ name, type: INT_ATTRIBUTE, i });
const integers = (name: string, ints: number[]): Attribute => ({ name, type: INTS, ints });

const toValue = (name: string, shape: readonly number[]) => ({
  name,
  type: { tensor_type: { elem_type: FLOAT, shape: { dim: shape.map((dim_value) => ({ dim_value })) } } },
});

type Geometry = { from: number[]; to: number[]; kernel: number[]; strides: number[]; dilations: number[] };

/** Padding of a convolution: before and after each axis, the odd pixel after it. */
function padsOf(options: LiteTable, { from, to, kernel, strides, dilations }: Geometry): number[] {
  if (options.byte(0) !== SAME_PADDING) return [0, 0, 0, 0];
  const total = [0, 1].map((axis) => {
    const covered = (to[axis + 1]! - 1) * strides[axis]! + (kernel[axis]! - 1) * dilations[axis]! + 1;
    return Math.max(0, covered - from[axis + 1]!);
  });
  const before = total.map((pixels) => pixels >> 1);
  return [...before, ...total.map((pixels, axis) => pixels - before[axis]!)];
}

/** Weights with their axes in another order: axis `k` of the result is axis `order[k]`. */
function permuted(data: Float32Array, shape: readonly number[], order: readonly number[]): Float32Array {
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
