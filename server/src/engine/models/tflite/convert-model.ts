import { createGraphWriter, integer, integers, type Pair, permuted, samePads } from '../graph-writer.ts';
import { type LiteOperator, readLiteModel } from './lite-model.ts';

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
  const { addNode, addWeights, clipAtSix, finish } = createGraphWriter();
  const values = new Map<number, Value>();
  const [input = 0] = inputs;
  values.set(input, { name: 'input', channelsFirst: false });
  const shapeOf = (tensor: number) => tensors[tensor]!.shape;
  const isImage = (tensor: number) => shapeOf(tensor).length === 4;

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
    if (activation === RELU_6) return clipAtSix(name);
    throw new Error(`the model has the activation ${activation}, which is not supported`);
  }

  function convolve({ code, inputs: from, outputs: [output = 0], options }: LiteOperator): Value {
    const [image = 0, filter = 0, bias = -1] = from;
    const isDepthwise = code === DEPTHWISE_CONVOLUTION;
    const [first = 1, height = 1, width = 1, last = 1] = shapeOf(filter);
    const fields = isDepthwise
      ? { activation: 4, dilationX: 5, dilationY: 6 }
      : { activation: 3, dilationX: 4, dilationY: 5 };
    const strides: Pair = [options.integer(2, 1), options.integer(1, 1)];
    const dilations: Pair = [options.integer(fields.dilationY, 1), options.integer(fields.dilationX, 1)];
    const kernel: Pair = [height, width];
    const sizeOf = (tensor: number): Pair => [shapeOf(tensor)[1]!, shapeOf(tensor)[2]!];
    const geometry = { from: sizeOf(image), to: sizeOf(output), kernel, strides, dilations };
    const channels = shapeOf(image)[3]!;
    // Filters are outputs × rows × columns × inputs; depthwise, 1 × rows × columns × outputs.
    const order = isDepthwise ? [3, 0, 1, 2] : TO_CHANNELS_FIRST;
    const dims = isDepthwise ? [last, first, height, width] : [first, last, height, width];
    const parts = [nameOf(image, true), addWeights(dims, permuted(dataOf(filter), shapeOf(filter), order))];
    if (bias >= 0) parts.push(addWeights(shapeOf(bias), dataOf(bias)));
    const attributes = [
      integers('strides', [...strides]),
      integers('dilations', [...dilations]),
      integers('kernel_shape', [...kernel]),
      integer('group', isDepthwise ? channels : 1),
      integers('pads', options.byte(0) === SAME_PADDING ? samePads(geometry) : [0, 0, 0, 0]),
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
    return { name: `out${at}`, shape: shapeOf(tensor) };
  });
  return finish({ name: 'input', shape: shapeOf(input) }, output);
}
