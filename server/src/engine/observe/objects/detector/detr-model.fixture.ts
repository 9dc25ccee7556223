import { CLASSES } from '../classes.ts';
import { attribute, floats, integers, model, node, value } from './onnx-writer.fixture.ts';

/** Center and size of the first box, fractions of the image; the second one is the same object again. */
export const DETR_BOX = { x: 0.5, y: 0.4, width: 0.25, height: 0.5 };
const BOXES = 3;
const VALUES = 4;
const GAIN = 20;

/**
 * A detector model made by code, with the raw outputs of D-FINE: two boxes in one place, of the class that stands for
 * the strongest color of the image: person for red, car for green, dog for blue. With `always` they are of that class
 * in any image. Another number of classes breaks the contract.
 */
export function rawDetrModel({
  side,
  classes = CLASSES.length,
  always,
}: {
  side: number;
  classes?: number;
  always?: string;
}): Buffer {
  const weights = new Float32Array(3 * BOXES * classes);
  const bias = new Float32Array(BOXES * classes).fill(-GAIN / 2);
  for (const [channel, name] of ['person', 'car', 'dog'].entries()) {
    for (const box of [0, 1]) weights[channel * BOXES * classes + box * classes + CLASSES.indexOf(name)] = GAIN;
  }
  if (always) for (const box of [0, 1]) bias[box * classes + CLASSES.indexOf(always)] = 2 * GAIN;
  const { x, y, width, height } = DETR_BOX;
  const boxes = [x, y, width, height, x + 0.01, y, width, height, 0.1, 0.1, 0.1, 0.1];
  return model('raw DETR', [
    node(
      'ReduceMean',
      ['pixel_values'],
      'means',
      Buffer.concat([attribute('axes', [2, 3]), attribute('keepdims', [0])]),
    ),
    node('MatMul', ['means', 'weights'], 'routed'),
    node('Add', ['routed', 'bias'], 'flat'),
    node('Reshape', ['flat', 'shape'], 'logits'),
    node('Identity', ['made'], 'pred_boxes'),
    floats('weights', [3, BOXES * classes], weights),
    floats('bias', [BOXES * classes], bias),
    integers('shape', [1, BOXES, classes]),
    floats('made', [1, BOXES, VALUES], Float32Array.from(boxes)),
    value(11, 'pixel_values', [1, 3, side, side]),
    value(12, 'logits', [1, BOXES, classes]),
    value(12, 'pred_boxes', [1, BOXES, VALUES]),
  ]);
}

/**
 * The same with selected boxes, in pixels of `orig_target_sizes`: a car and a bus in one place, and a person who is too
 * uncertain. Scores are multiplied by the mean brightness of the image, 0 to 1.
 */
export function selectedDetrModel({ side }: { side: number }): Buffer {
  const { x, y, width, height } = DETR_BOX;
  const corners = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  const labels = ['car', 'bus', 'person'].map((name) => CLASSES.indexOf(name));
  return model('selected DETR', [
    node('Cast', ['orig_target_sizes'], 'size', attribute('to', [1])),
    node('Concat', ['size', 'size'], 'sizes', attribute('axis', [1])),
    node('Mul', ['fractions', 'sizes'], 'boxes'),
    node('Identity', ['classes'], 'labels'),
    node('ReduceMean', ['images'], 'brightness', attribute('keepdims', [0])),
    node('Mul', ['certain', 'brightness'], 'scores'),
    floats('fractions', [1, BOXES, VALUES], Float32Array.from([...corners, ...corners, 0.1, 0.1, 0.2, 0.2])),
    integers('classes', labels, [1, BOXES]),
    floats('certain', [1, BOXES], Float32Array.of(0.9, 0.6, 0.05)),
    value(11, 'images', [1, 3, side, side]),
    value(11, 'orig_target_sizes', [1, 2], 'int64'),
    value(12, 'labels', [1, BOXES], 'int64'),
    value(12, 'boxes', [1, BOXES, VALUES]),
    value(12, 'scores', [1, BOXES]),
  ]);
}
