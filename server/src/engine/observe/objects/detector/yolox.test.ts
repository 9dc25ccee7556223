import { expect, test } from 'vitest';
import { CLASSES } from '../classes.ts';
import { detectorOf, toDetectorSize } from '../detectors.ts';
import { iou, suppressOverlaps } from './detection.ts';
import { countCells, createInput, decodeOutput, fillInput, toInputSize, VALUES_PER_CELL } from './yolox.ts';

const PERSON = CLASSES.indexOf('person');
const CAR = CLASSES.indexOf('car');
const TRUCK = CLASSES.indexOf('truck');
/** A 16:9 frame, in the upper part of an input of 416 × 288. */
const WIDE = { width: 416, height: 234 };

/** Writes a detection into a raw output as the model would: at a cell of one of its grids. */
function put(
  output: Float32Array,
  box: {
    stride: number;
    column: number;
    row: number;
    width: number;
    height: number;
    score: number;
    classIndex: number;
  },
) {
  const { stride, column, row, width, height, score, classIndex } = box;
  const before = [8, 16, 32].filter((s) => s < stride).reduce((sum, s) => sum + (416 / s) * (288 / s), 0);
  const at = (before + row * (416 / stride) + column) * VALUES_PER_CELL;
  output.set([0.5, 0.5, Math.log(width / stride), Math.log(height / stride), Math.sqrt(score)], at);
  output[at + 5 + classIndex] = Math.sqrt(score);
}

test('decodes the output of the three grids, in fractions of the frame', () => {
  expect(countCells({ width: 416, height: 416 })).toBe(3549);
  expect(countCells(WIDE)).toBe(2457);
  for (const stride of [8, 16, 32]) {
    const output = new Float32Array(countCells(WIDE) * VALUES_PER_CELL);
    put(output, { stride, column: 5, row: 3, width: 40, height: 20, score: 0.81, classIndex: CAR });
    const [found, ...others] = decodeOutput(output, WIDE);
    expect(others).toEqual([]);
    expect(found!.classIndex).toBe(CAR);
    expect(found!.score).toBeCloseTo(0.81, 5);
    expect((found!.x0 + found!.x1) / 2).toBeCloseTo((5.5 * stride) / 416, 5);
    expect((found!.y0 + found!.y1) / 2).toBeCloseTo((3.5 * stride) / 234, 5);
    expect(found!.x1 - found!.x0).toBeCloseTo(40 / 416, 5);
    expect(found!.y1 - found!.y0).toBeCloseTo(20 / 234, 5);
  }
});

test('clips boxes to the frame, and drops those in the padding', () => {
  const output = new Float32Array(countCells(WIDE) * VALUES_PER_CELL);
  put(output, { stride: 8, column: 0, row: 0, width: 100, height: 100, score: 0.9, classIndex: PERSON });
  put(output, { stride: 8, column: 20, row: 34, width: 20, height: 20, score: 0.9, classIndex: PERSON });
  const found = decodeOutput(output, WIDE);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ x0: 0, y0: 0 });
});

test('keeps the best of several boxes of one object', () => {
  const box = (classIndex: number, score: number, x0: number) => ({
    classIndex,
    score,
    x0,
    y0: 0.2,
    x1: x0 + 0.2,
    y1: 0.4,
  });
  const best = suppressOverlaps([
    box(CAR, 0.5, 0.1),
    box(CAR, 0.9, 0.11),
    box(TRUCK, 0.6, 0.12),
    box(PERSON, 0.3, 0.11),
    box(CAR, 0.4, 0.3),
  ]);
  expect(best.map(({ classIndex, score }) => [CLASSES[classIndex], score])).toEqual([
    ['car', 0.9],
    ['car', 0.4],
    ['person', 0.3],
  ]);
});

test('overlap is intersection over union', () => {
  const box = { x0: 0, y0: 0, x1: 0.2, y1: 0.2 };
  expect(iou(box, box)).toBe(1);
  expect(iou(box, { x0: 0.1, y0: 0, x1: 0.3, y1: 0.2 })).toBeCloseTo(1 / 3, 10);
  expect(iou(box, { x0: 0.2, y0: 0, x1: 0.3, y1: 0.2 })).toBe(0);
});

test('the input is planes of blue, green and red with padding', () => {
  const size = { width: 2, height: 1 };
  const input = createInput(size);
  fillInput(input, Uint8Array.of(1, 2, 3, 4, 5, 6), size);
  const plane = 32 * 32;
  expect(input).toHaveLength(3 * plane);
  expect([...input.subarray(0, 3)]).toEqual([3, 6, 114]);
  expect([...input.subarray(plane, plane + 3)]).toEqual([2, 5, 114]);
  expect([...input.subarray(2 * plane, 2 * plane + 3)]).toEqual([1, 4, 114]);
});

const NANO = detectorOf('yolox_nano fd7193b8405b');

test('frames keep their aspect ratio', () => {
  expect(toDetectorSize({ width: 1920, height: 1080 }, NANO)).toEqual({ width: 416, height: 234 });
  expect(toDetectorSize({ width: 720, height: 1280 }, NANO)).toEqual({ width: 234, height: 416 });
  expect(toDetectorSize({ width: 16, height: 16 }, NANO)).toEqual({ width: 416, height: 416 });
  expect(toDetectorSize({ width: 16_000, height: 16 }, NANO)).toEqual({ width: 416, height: 1 });
  expect(toInputSize({ width: 416, height: 234 })).toEqual({ width: 416, height: 288 });
  expect(toInputSize({ width: 234, height: 416 })).toEqual({ width: 288, height: 416 });
  expect(toInputSize({ width: 416, height: 1 })).toEqual({ width: 416, height: 64 });
  const larger = toDetectorSize({ width: 1920, height: 1080 }, detectorOf('yolox_s'));
  expect(larger).toEqual({ width: 640, height: 360 });
  expect(toInputSize(larger)).toEqual({ width: 640, height: 416 });
  expect(toInputSize({ width: 640, height: 640 })).toEqual({ width: 640, height: 640 });
});
