import { FLOAT, type Graph, type Node, type Tensor } from '../../models/onnx-model.ts';

/** Reads and changes the constants of a network. Those in operators become initializers. */
export function createConstants(graph: Graph) {
  for (const { op_type, output, attribute } of graph.node) {
    const tensor = attribute.find(({ name }) => name === 'value')?.t;
    if (op_type === 'Constant' && tensor) graph.initializer.push(Object.assign(tensor, { name: output[0] }));
  }
  const tensors = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  graph.node = graph.node.filter(({ op_type, output }) => op_type !== 'Constant' || !tensors.has(output[0]!));

  /** The numbers of a tensor of floats in one piece, as exports write them; null for others. */
  function floatsOf(name: string): Float32Array | null {
    const tensor = tensors.get(name);
    if (tensor?.data_type !== FLOAT || tensor.raw_data.length !== 4 * countOf(tensor)) return null;
    return new Float32Array(Uint8Array.from(tensor.raw_data).buffer);
  }

  function add(name: string, values: ArrayLike<number>, dims: Tensor['dims'] = [values.length]): string {
    const tensor = { name, dims, data_type: FLOAT, raw_data: new Uint8Array(Float32Array.from(values).buffer) };
    const known = tensors.get(name);
    if (known) graph.initializer.splice(graph.initializer.indexOf(known), 1);
    graph.initializer.push(tensor);
    tensors.set(name, tensor);
    return name;
  }

  /** Weights and bias of a convolution; null if they are not known. */
  function parametersOf({ input }: Node): { weights: Float32Array; bias: Float32Array; dims: Tensor['dims'] } | null {
    const [, weightsName = '', biasName = ''] = input;
    const dims = tensors.get(weightsName)?.dims;
    const weights = floatsOf(weightsName);
    const bias = biasName === '' ? new Float32Array(Number(dims?.[0] ?? 0)) : floatsOf(biasName);
    return weights && bias && dims ? { weights, bias, dims } : null;
  }

  return {
    add,
    /** The value of a constant that is one number. */
    numberOf(name: string): number | null {
      const values = floatsOf(name);
      return values?.length === 1 ? values[0]! : null;
    },
    /** Lower and upper limit of a clip: inputs, or attributes in older exports. */
    limitsOf(clip: Node): (number | null | undefined)[] {
      const [, ...inputs] = clip.input;
      if (inputs.length > 0) return inputs.map(this.numberOf);
      return ['min', 'max'].map((name) => clip.attribute.find((each) => each.name === name)?.f);
    },
    channelsOf: (convolution: Node) => Number(tensors.get(convolution.input[1] ?? '')?.dims[0] ?? 0),
    /** True for a convolution with known weights that adds nothing around the image. */
    isUnpadded(node: Node): boolean {
      const pads = node.attribute.find(({ name }) => name === 'pads')?.ints ?? [];
      return node.op_type === 'Conv' && pads.every((pad) => Number(pad) === 0) && parametersOf(node) !== null;
    },
    /** Multiplies the result of a convolution, then adds to it. Returns false if its weights are not known. */
    scale(convolution: Node, factor: number, shift: number): boolean {
      const found = parametersOf(convolution);
      if (!found) return false;
      const weights = found.weights.map((weight) => weight * factor);
      setParameters(convolution, { ...found, weights, bias: found.bias.map((value) => value * factor + shift) });
      return true;
    },
    /** Makes a convolution without padding do to its input what stood before it: multiply, then add. */
    shiftInput(convolution: Node, factor: number, shift: number): void {
      const found = parametersOf(convolution)!;
      const each = found.weights.length / found.bias.length;
      const bias = found.bias.map((value, filter) =>
        found.weights.subarray(filter * each, (filter + 1) * each).reduce((sum, weight) => sum + weight * shift, value),
      );
      setParameters(convolution, { ...found, weights: found.weights.map((weight) => weight * factor), bias });
    },
  };

  function setParameters(
    convolution: Node,
    { weights, bias, dims }: { weights: Float32Array; bias: Float32Array; dims: Tensor['dims'] },
  ): void {
    const [input = ''] = convolution.input;
    const [name = ''] = convolution.output;
    convolution.input = [input, add(`${name} weights`, weights, dims), add(`${name} bias`, bias)];
  }
}

const countOf = ({ dims }: Tensor) => dims.reduce((product: number, each) => product * Number(each), 1);
