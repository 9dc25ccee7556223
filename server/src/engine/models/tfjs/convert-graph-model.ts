import { createGraphWriter, integer, integers, type Pair, permuted, samePads, text } from '../graph-writer.ts';
import { type Constant, type GraphNode, readGraphModel } from './graph-model.ts';

/** Order of axes: TensorFlow has channels last, ONNX first. */
const TO_CHANNELS_FIRST = [0, 3, 1, 2];
/** Filters are rows × columns × inputs × outputs; depthwise, rows × columns × channels × multiples. */
const TO_FILTERS = [3, 2, 0, 1];
const TO_DEPTHWISE = [2, 3, 0, 1];

/** A computed image: its name in the graph, its channels, rows and columns. Constants have no size. */
type Value = { name: string; channels: number; size: Pair | null };

/**
 * Converts a TensorFlow.js graph model to ONNX, for convolutional networks of one image. The input, named `input`,
 * keeps its form, with floats; the requested outputs are named `out0` and so on, with channels first. The same model
 * always gives the same bytes. Throws if the outputs need an operator that is not supported.
 */
export function convertGraphModel(json: Uint8Array, weights: Uint8Array, outputs: readonly string[]): Uint8Array {
  const { nodes, constants } = readGraphModel(json, weights);
  const { addNode, addWeights, clipAtSix, finish } = createGraphWriter();
  const values = new Map<string, Value>();
  let inputShape: number[] | null = null;

  function constantOf(name: string): Constant {
    const constant = constants.get(name);
    if (!constant) throw new Error(`the model has no constant ${name}`);
    return constant;
  }

  /** The image that a node computes. Constants, one number for each channel or for all, become images of one pixel. */
  function compute(name: string): Value {
    const known = values.get(name);
    if (known) return known;
    const constant = constants.get(name);
    const node = nodes.get(name);
    if (!constant && !node) throw new Error(`the model has no node ${name}`);
    const value = constant ? toValue(constant) : convert(node!);
    values.set(name, value);
    return value;
  }

  function toValue({ shape, data }: Constant): Value {
    if (shape.slice(0, -1).some((length) => length > 1)) throw new Error('the model computes with a constant image');
    return { name: addWeights([1, data.length, 1, 1], data), channels: data.length, size: null };
  }

  function imageOf(name: string): Value & { size: Pair } {
    const { size, ...value } = compute(name);
    if (!size) throw new Error('the model computes with a constant image');
    return { ...value, size };
  }

  function activate(name: string, activation: string | undefined): string {
    if (activation === undefined) return name;
    if (activation === 'Relu6') return clipAtSix(name);
    if (activation === 'Relu') return addNode('Relu', [name]);
    throw new Error(`the model has the activation ${activation}, which is not supported`);
  }

  function convolve({ op, input: [image = '', filter = '', bias = ''], attributes }: GraphNode): Value {
    const { name, channels, size: from } = imageOf(image);
    const { shape, data } = constantOf(filter);
    const isDepthwise = op.includes('Depthwise');
    const order = isDepthwise ? TO_DEPTHWISE : TO_FILTERS;
    const dims = order.map((axis) => shape[axis]!);
    const kernel: Pair = [shape[0]!, shape[1]!];
    const strides = pairOf(attributes.strides);
    const dilations = pairOf(attributes.dilations);
    const isSame = decoded(attributes.padding?.s) === 'SAME';
    const covered = [0, 1].map((axis) => (isSame ? 1 : (kernel[axis]! - 1) * dilations[axis]! + 1));
    const sizeAlong = (axis: 0 | 1) => Math.floor((from[axis] - covered[axis]!) / strides[axis]) + 1;
    const size: Pair = [sizeAlong(0), sizeAlong(1)];
    const filters = isDepthwise ? [dims[0]! * dims[1]!, 1, ...dims.slice(2)] : dims;
    const parts = [name, addWeights(filters, permuted(data, shape, order))];
    const [first, ...others] = (attributes.fused_ops?.list?.s ?? []).map(decoded);
    const hasBias = first === 'BiasAdd';
    if (hasBias) parts.push(addWeights([filters[0]!], constantOf(bias).data));
    const output = addNode('Conv', parts, [
      integers('strides', [...strides]),
      integers('dilations', [...dilations]),
      integers('kernel_shape', [...kernel]),
      integer('group', isDepthwise ? channels : 1),
      integers('pads', isSame ? samePads({ from, to: size, kernel, strides, dilations }) : [0, 0, 0, 0]),
    ]);
    return { name: activate(output, hasBias ? others[0] : first), channels: filters[0]!, size };
  }

  function calculate(operator: string, input: readonly string[]): Value {
    const terms = input.map(compute);
    const name = addNode(
      operator,
      terms.map((term) => term.name),
    );
    const channels = Math.max(...terms.map((term) => term.channels));
    return { name, channels, size: terms.find(({ size }) => size)?.size ?? null };
  }

  function convert({ op, input, attributes, ...node }: GraphNode): Value {
    const [first = '', second = ''] = input;
    switch (op) {
      case 'Placeholder': {
        inputShape = (attributes.shape?.shape?.dim ?? []).map(({ size }) => Number(size));
        const [, rows = 0, columns = 0, channels = 0] = inputShape;
        const name = addNode('Transpose', ['input'], [integers('perm', TO_CHANNELS_FIRST)]);
        return { name, channels, size: [rows, columns] };
      }
      // The image is of floats already, and the only one of its batch, which TensorFlow splits and joins again.
      case 'Cast':
      case 'Unpack':
      case 'ExpandDims':
      case 'Squeeze':
      case 'Pack':
        return compute(first);
      case '_FusedConv2D':
      case 'FusedDepthwiseConv2dNative':
      case 'DepthwiseConv2dNative':
        return convolve({ op, input, attributes, ...node });
      case 'AddV2':
        return calculate('Add', input);
      case 'Sub':
      case 'Mul':
        return calculate(op, input);
      case 'Sigmoid': {
        const value = compute(first);
        return { ...value, name: addNode('Sigmoid', [value.name]) };
      }
      case 'ResizeBilinear': {
        const { name, channels, size: from } = imageOf(first);
        const [rows = 0, columns = 0] = constantOf(second).data;
        const scales = addWeights([4], Float32Array.of(1, 1, rows / from[0], columns / from[1]));
        const mode = attributes.half_pixel_centers?.b ? 'half_pixel' : 'asymmetric';
        const how = [text('mode', 'linear'), text('coordinate_transformation_mode', mode)];
        return { name: addNode('Resize', [name, '', scales], how), channels, size: [rows, columns] };
      }
      default:
        throw new Error(`the model has the operator ${op}, which is not supported`);
    }
  }

  const made = outputs.map((output, at) => {
    const { name, channels, size } = imageOf(output);
    addNode('Identity', [name], [], `out${at}`);
    return { name: `out${at}`, shape: [1, channels, ...size] };
  });
  if (!inputShape) throw new Error('the outputs do not depend on an image');
  return finish({ name: 'input', shape: inputShape }, made);
}

/** Texts of the graph are in Base64. */
const decoded = (value: string | undefined): string => Buffer.from(value ?? '', 'base64').toString('latin1');

/** The numbers of rows and columns among those of all four axes. */
function pairOf(attribute: GraphNode['attributes'][string]): Pair {
  const [, rows = 1, columns = 1] = (attribute?.list?.i ?? []).map(Number);
  return [rows, columns];
}
