import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { editModel, type Graph, onnxModel } from '../../../models/onnx-model.ts';
import { foldFocusLayer } from './focus-layer.ts';

const SIZE = [1, 3, 64, 96];
const FILTERS = 5;
/** Order of the pixels in each two by two square, as in YOLOX. */
const OFFSETS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

const random = (count: number, seed: number) =>
  Float32Array.from({ length: count }, (_, at) => Math.sin(at * 12.9 + seed));

/**
 * A network that starts like YOLOX. `step`: distance of the pixels in each slice; `first`: its first pixel;
 * `strides`: of the convolution.
 */
function network({ step = 2, first = 0n, strides = 1 } = {}): Uint8Array {
  const integer = (name: string, value: bigint) => tensor(name, 7, [1], BigInt64Array.of(value));
  const sliced = OFFSETS.flatMap(([row, column], at) => [
    node('Slice', ['images', `from ${row}`, 'end', 'rows', 'step'], `rows ${at}`),
    node('Slice', [`rows ${at}`, `from ${column}`, 'end', 'columns', 'step'], `part ${at}`),
  ]);
  const convolution = { dilations: [1, 1], kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [strides, strides] };
  const value = (name: string, dims: (number | undefined)[]) => ({
    name,
    type: { tensor_type: { elem_type: 1, shape: { dim: dims.map((dim_value) => (dim_value ? { dim_value } : {})) } } },
  });
  const graph = {
    name: 'begins like YOLOX',
    node: [
      ...sliced,
      node('Concat', ['part 0', 'part 1', 'part 2', 'part 3'], 'joined', [{ name: 'axis', type: 2, i: 1 }]),
      node('Conv', ['joined', 'weights', 'bias'], 'seen', [
        { name: 'group', type: 2, i: 1 },
        ...Object.entries(convolution).map(([name, ints]) => ({ name, type: 7, ints })),
      ]),
      node('Relu', ['seen'], 'output'),
    ],
    initializer: [
      tensor('weights', 1, [FILTERS, 12, 3, 3], random(FILTERS * 12 * 9, 1)),
      tensor('bias', 1, [FILTERS], random(FILTERS, 2)),
      integer('from 0', first),
      integer('from 1', 1n),
      integer('end', 2n ** 63n - 1n),
      integer('rows', 2n),
      integer('columns', 3n),
      integer('step', BigInt(step)),
    ],
    input: [value('images', SIZE)],
    output: [value('output', [undefined, undefined, undefined, undefined])],
  };
  const type = onnxModel();
  return type.encode(type.fromObject({ ir_version: 6, opset_import: [{ domain: '', version: 11 }], graph })).finish();
}

const node = (op_type: string, input: string[], output: string, attribute: object[] = []) => {
  return { op_type, input, output: [output], attribute };
};

function tensor(name: string, data_type: number, dims: number[], { buffer }: Float32Array | BigInt64Array) {
  return { name, data_type, dims, raw_data: new Uint8Array(buffer) };
}

async function outputOf(model: Uint8Array): Promise<Tensor> {
  const session = await InferenceSession.create(model);
  return (await session.run({ images: new Tensor('float32', random(3 * 64 * 96, 3), SIZE) })).output!;
}

function operatorsOf(model: Uint8Array): string[] {
  const { graph } = onnxModel().decode(model) as unknown as { graph: Graph };
  return graph.node.map(({ op_type }) => op_type);
}

test('one convolution gives the same result as slicing first', async () => {
  const model = network();
  const folded = editModel(model, foldFocusLayer);
  expect(operatorsOf(folded)).toEqual(['Conv', 'Relu']);
  const [before, after] = [await outputOf(model), await outputOf(folded)];
  expect(after.dims).toEqual([1, FILTERS, 32, 48]);
  expect(after.dims).toEqual(before.dims);
  const [then, now] = [before.data as Float32Array, after.data as Float32Array];
  expect(Math.max(...then)).toBeGreaterThan(1);
  expect(Math.max(...now.map((value, at) => Math.abs(value - then[at]!)))).toBeLessThan(1e-4);
});

test.each([{ step: 3 }, { first: 2n }, { strides: 2 }])(
  'what does not begin like that is left as it is: %o',
  (unlike) => {
    const model = network(unlike);
    expect(operatorsOf(editModel(model, foldFocusLayer))).toEqual(operatorsOf(model));
  },
);
