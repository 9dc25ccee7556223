import { CLASSES } from '../classes.ts';
import { attribute, floats, integers, LAST, model, node, value } from './onnx-writer.fixture.ts';
import { VALUES_PER_CELL } from './yolox.ts';

/**
 * A detector model made by code, with the contract of the real one: an ONNX model with the same detection in every
 * frame of any shape, for tests of everything around the detector without weights.
 */
export function constantModel({
  className,
  score,
  rows = LAST,
  side: inputSide = 416,
  enlarges = true,
  size = [96, 160],
}: {
  className: string;
  score: number;
  /** Number of output rows to keep, for a model with a different contract. */
  rows?: number;
  /** Longest side of the input. */
  side?: number;
  /** False for a model that cannot see larger frames. */
  enlarges?: boolean;
  /** Width and height of the box in pixels of the input. */
  size?: readonly [number, number];
}): Buffer {
  const strides = [8, 16, 32];
  const grids = strides.map((stride) => {
    const side = ((enlarges ? 2 : 1) * inputSide) / stride;
    const grid = new Float32Array(VALUES_PER_CELL * side * side);
    const put = (channel: number, value: number) => {
      grid[channel * side * side + 7 * side + 12] = value;
    };
    // A box in the middle of a square picture, at row 7 and column 12 of the middle grid.
    if (stride === 16) {
      for (const [channel, value] of [0.5, 0.5, Math.log(size[0] / 16), Math.log(size[1] / 16), score].entries())
        put(channel, value);
      put(5 + CLASSES.indexOf(className), 1);
    }
    return floats(`grid${stride}`, [1, VALUES_PER_CELL, side, side], grid);
  });
  const graph = [
    node('Shape', ['images'], 'shape'),
    node('Slice', ['shape', 'two', 'four'], 'size'),
    // As in a network, each grid is as large as the picture lets it be.
    ...strides.flatMap((stride) => [
      node('Div', ['size', `stride${stride}`], `cells${stride}`),
      node('Slice', [`grid${stride}`, 'corner', `cells${stride}`, 'axes'], `cut${stride}`),
      node('Reshape', [`cut${stride}`, 'flat'], `flat${stride}`),
    ]),
    node(
      'Concat',
      strides.map((stride) => `flat${stride}`),
      'columns',
      attribute('axis', [2]),
    ),
    node('Transpose', ['columns'], 'all', attribute('perm', [0, 2, 1])),
    node('Slice', ['all', 'zero', 'rows', 'one'], 'kept'),
    // The picture takes part with nothing: its least value times zero.
    node('ReduceMin', ['images'], 'least', attribute('keepdims', [0])),
    node('Mul', ['least', 'none'], 'nothing'),
    node('Add', ['nothing', 'kept'], 'output'),
    ...grids,
    ...strides.map((stride) => integers(`stride${stride}`, [stride])),
    integers('zero', [0]),
    integers('one', [1]),
    integers('two', [2]),
    integers('four', [4]),
    integers('rows', [rows]),
    integers('corner', [0, 0]),
    integers('axes', [2, 3]),
    integers('flat', [1, VALUES_PER_CELL, -1]),
    floats('none', [1], Float32Array.of(0)),
    value(11, 'images', [1, 3, inputSide, inputSide]),
    value(12, 'output', [1, strides.reduce((cells, stride) => cells + (inputSide / stride) ** 2, 0), VALUES_PER_CELL]),
  ];
  return model('constant detector', graph);
}
