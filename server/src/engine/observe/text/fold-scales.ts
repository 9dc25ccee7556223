import { FLOAT_ATTRIBUTE, type Graph, type Node, removeUnused } from '../../models/onnx-model.ts';
import { createConstants } from './graph-constants.ts';

/** A hard swish, x × clip(x + 3, 0, 6) ÷ 6, as x × clip(x ÷ 6 + ½, 0, 1). */
const SHIFT = 3;
const RANGE = 6;
const HARD_SIGMOID = [
  { name: 'alpha', type: FLOAT_ATTRIBUTE, f: 1 / RANGE },
  { name: 'beta', type: FLOAT_ATTRIBUTE, f: SHIFT / RANGE },
];

/**
 * The networks of PP-OCRv4 multiply and shift the result of each convolution and each hard swish by one learned number,
 * in operators of their own, each of which passes over all pixels. They become part of the weights, and what is left
 * of a hard swish is fused by the runtime. Results differ by rounding only; other networks are left unchanged.
 */
export function foldScales(graph: Graph): void {
  const constants = createConstants(graph);
  const usersOf = (name: string) => graph.node.filter(({ input }) => input.includes(name));
  const makerOf = (name: string) => graph.node.find(({ output }) => output[0] === name);
  const isOutput = (name: string) => graph.output.some((output) => output.name === name);
  const otherInput = ({ input }: Node, name: string) => input.find((each) => each !== name) ?? '';

  /** Puts nodes in the place of the first of others, the last of which had the result that `name` has now. */
  function replace(old: readonly Node[], nodes: readonly Node[], name: string): void {
    const result = old.at(-1)!.output[0]!;
    const at = Math.min(...old.map((node) => graph.node.indexOf(node)));
    graph.node.splice(at, 0, ...nodes);
    graph.node = graph.node.filter((node) => !old.includes(node));
    for (const node of graph.node) node.input = node.input.map((each) => (each === result ? name : each));
  }

  /** The one user of a result, and its number, if it is an operator of this type with one. */
  function scalarUser(name: string, type: string): { node: Node; value: number } | null {
    const [node, ...others] = usersOf(name);
    const value = node && constants.numberOf(otherInput(node, name));
    const isOne = node?.op_type === type && others.length === 0 && !isOutput(node.output[0]!);
    return isOne && typeof value === 'number' ? { node, value } : null;
  }

  function foldAfter(convolution: Node): void {
    const [name = ''] = convolution.output;
    for (;;) {
      const [factor, shift] = [scalarUser(name, 'Mul'), scalarUser(name, 'Add')];
      const found = factor ?? shift;
      if (!found || !constants.scale(convolution, factor?.value ?? 1, shift?.value ?? 0)) return;
      replace([found.node], [], name);
    }
  }

  /** Finds the operators of a hard swish by its last one, and what it is of. */
  function hardSwishOf(division: Node): { x: string; nodes: Node[] } | null {
    const product = makerOf(division.input[0] ?? '');
    const clip = product?.input.map(makerOf).find((node) => node?.op_type === 'Clip');
    const sum = makerOf(clip?.input[0] ?? '');
    if (!product || !clip || sum?.op_type !== 'Add' || product.op_type !== 'Mul') return null;
    const x = otherInput(product, clip.output[0]!);
    const isIt =
      sum.input.includes(x) &&
      constants.numberOf(otherInput(sum, x)) === SHIFT &&
      String(constants.limitsOf(clip)) === String([0, RANGE]) &&
      constants.numberOf(division.input[1] ?? '') === RANGE;
    return isIt && !isOutput(division.output[0]!) ? { x, nodes: [sum, clip, product, division] } : null;
  }

  function foldHardSwish(division: Node): void {
    const found = division.op_type === 'Div' ? hardSwishOf(division) : null;
    if (!found) return;
    const { x, nodes } = found;
    const [gate, swish] = [`${x} gate`, `${x} swish`];
    const node = (op_type: string, input: string[], output: string, attribute: Node['attribute'] = []): Node => ({
      op_type,
      input,
      output: [output],
      attribute,
    });
    replace(nodes, [node('HardSigmoid', [x], gate, HARD_SIGMOID), node('Mul', [x, gate], swish)], swish);
    const factor = scalarUser(swish, 'Mul');
    const shift = factor && scalarUser(factor.node.output[0]!, 'Add');
    const maker = makerOf(x);
    if (!shift || maker?.op_type !== 'Conv') return;
    const users = usersOf(shift.node.output[0]!);
    // Zeros around the image are not shifted, so that a convolution with padding cannot do it.
    if (users.every((user) => user.input[0] === shift.node.output[0] && constants.isUnpadded(user))) {
      for (const user of users) constants.shiftInput(user, factor.value, shift.value);
      replace([factor.node, shift.node], [], swish);
      return;
    }
    // The runtime has no fast operator for numbers, but one for each channel.
    const scaled = `${swish} scaled`;
    const parameters = [factor.value, shift.value, 0, 1].map((value, at) =>
      constants.add(`${scaled} ${at}`, Array(constants.channelsOf(maker)).fill(value)),
    );
    const epsilon = { name: 'epsilon', type: FLOAT_ATTRIBUTE, f: 0 };
    replace([factor.node, shift.node], [node('BatchNormalization', [swish, ...parameters], scaled, [epsilon])], scaled);
  }

  /** x + x × g, in which g has one number for each channel, as x × (1 + g). */
  function foldGate(sum: Node): void {
    const product = sum.input.map(makerOf).find((node) => node?.op_type === 'Mul');
    const x = product && otherInput(sum, product.output[0]!);
    const gate = x && product.input.includes(x) ? otherInput(product, x) : '';
    const isSmall = makerOf(gate)?.op_type === 'HardSigmoid';
    if (sum.op_type !== 'Add' || !x || !product || !isSmall || usersOf(product.output[0]!).length > 1) return;
    if (isOutput(sum.output[0]!) || usersOf(gate).length > 1) return;
    const more = { op_type: 'Add', input: [gate, constants.add('one', [1])], output: [`${gate} + 1`], attribute: [] };
    const gated = { op_type: 'Mul', input: [x, more.output[0]!], output: [`${x} gated`], attribute: [] };
    replace([product, sum], [more, gated], gated.output[0]!);
  }

  for (const node of [...graph.node]) if (node.op_type === 'Conv') foldAfter(node);
  for (const node of [...graph.node]) foldHardSwish(node);
  for (const node of [...graph.node]) foldGate(node);
  removeUnused(graph);
}
