import { expect, test } from 'vitest';
import { CLASSES } from '../classes.ts';
import { LABEL_COUNT, OPEN_IMAGES_CLASSES } from '../open-images.ts';
import { ANCHORS, createInput, decodeOutput, fillInput, INPUT_SIDE, VALUES_PER_BOX } from './ssd.ts';

/** Labels by their outputs. */
const [BICYCLE, PERSON, MUG, COFFEE_CUP, VEHICLE, FOOTWEAR, CAR] = [1, 4, 12, 13, 18, 19, 23];
/** The square anchors of the coarsest grid, and one beside the middle of the grid of 5 × 5 cells. */
const WHOLE = ANCHORS.length - 1;

type Made = { anchor: number; label: number; logit: number; offsets?: readonly number[] };

function decode(...boxes: Made[]) {
  const offsets = new Float32Array(ANCHORS.length * VALUES_PER_BOX);
  const logits = new Float32Array(ANCHORS.length * LABEL_COUNT).fill(-9);
  for (const { anchor, label, logit, offsets: own = [0, 0, 0, 0] } of boxes) {
    offsets.set(own, anchor * VALUES_PER_BOX);
    logits[anchor * LABEL_COUNT + label] = logit;
  }
  return decodeOutput(offsets, logits);
}
const classesOf = (found: ReturnType<typeof decode>) => found.map(({ classIndex }) => CLASSES[classIndex]);
/** Index of the anchor of this size that is next to a place. */
const anchorAt = (x: number, y: number, width: number) =>
  ANCHORS.map((anchor, at) => ({
    at,
    off: Math.hypot(anchor.x - x, anchor.y - y) + 9 * Math.abs(anchor.width - width),
  })).toSorted((a, b) => a.off - b.off)[0]!.at;

test('there are as many anchors as outputs, within and around the image', () => {
  expect(ANCHORS).toHaveLength(1917);
  for (const { x, y } of ANCHORS) expect(Math.min(x, y, 1 - x, 1 - y)).toBeGreaterThan(0);
});

test('a box is that of its anchor, moved and scaled, and clipped to the frame', () => {
  const anchor = anchorAt(0.5, 0.5, 0.1);
  const { x, y, width, height } = ANCHORS[anchor]!;
  const [found, ...others] = decode({ anchor, label: CAR, logit: 2, offsets: [5, -5, 5 * Math.log(2), 0] });
  expect(others).toEqual([]);
  expect(found!.x0).toBeCloseTo(x - 0.5 * width - width / 2, 5);
  expect(found!.y0).toBeCloseTo(y + 0.5 * height - height, 5);
  expect(found!.y1).toBeCloseTo(y + 0.5 * height + height, 5);
  const [whole] = decode({ anchor: WHOLE, label: CAR, logit: 2, offsets: [0, 0, 9, 9] });
  expect(whole).toMatchObject({ x0: 0, y0: 0, x1: 1, y1: 1 });
});

test('labels become classes: two kinds of cups are one, shoes are none, and a vehicle is no rival of its kind', () => {
  const [left, right] = [anchorAt(0.2, 0.5, 0.2), anchorAt(0.8, 0.5, 0.2)];
  expect(
    classesOf(decode({ anchor: left, label: MUG, logit: 2 }, { anchor: right, label: COFFEE_CUP, logit: 1 })),
  ).toEqual(['cup', 'cup']);
  expect(decode({ anchor: left, label: FOOTWEAR, logit: 3 }, { anchor: left, label: PERSON, logit: 2 })).toEqual([]);
  expect(classesOf(decode({ anchor: left, label: VEHICLE, logit: 3 }, { anchor: left, label: CAR, logit: 2 }))).toEqual(
    ['car'],
  );
  expect(decode({ anchor: left, label: VEHICLE, logit: 3 })).toEqual([]);
  expect(OPEN_IMAGES_CLASSES).toEqual([
    'person',
    'bicycle',
    'car',
    'cat',
    'dog',
    'cow',
    'bottle',
    'cup',
    'chair',
    'dining table',
    'tv',
    'laptop',
    'mouse',
    'book',
  ]);
});

test('a part of a clearer box is dropped; one that is as clear, of another class or beside it stays', () => {
  const whole: Made = { anchor: WHOLE, label: PERSON, logit: 2 };
  const inside = (label: number, logit: number): Made => ({ anchor: anchorAt(0.5, 0.5, 0.2), label, logit });
  expect(classesOf(decode(whole, inside(PERSON, 0)))).toEqual(['person']);
  expect(classesOf(decode(whole, inside(PERSON, 1.9)))).toEqual(['person', 'person']);
  expect(classesOf(decode(whole, inside(BICYCLE, 0)))).toEqual(['person', 'bicycle']);
  const beside: Made = { anchor: anchorAt(0.1, 0.5, 0.2), label: PERSON, logit: 0 };
  expect(classesOf(decode({ ...inside(PERSON, 2) }, beside))).toEqual(['person', 'person']);
});

test('the input is red, green and blue of each pixel from -1 to 1, stretched to a square', () => {
  const input = createInput();
  fillInput(input, Uint8Array.of(255, 0, 51, 0, 255, 102), { width: 2, height: 1 });
  expect(input).toHaveLength(INPUT_SIDE * INPUT_SIDE * 3);
  const close = (from: number) => [...input.subarray(from, from + 3)].map((value) => Math.round(value * 10) / 10);
  expect(close(0)).toEqual([1, -1, -0.6]);
  expect(close(3 * (INPUT_SIDE - 1))).toEqual([-1, 1, -0.2]);
  expect(close(input.length - 3)).toEqual([-1, 1, -0.2]);
});
