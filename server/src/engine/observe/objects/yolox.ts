import { CLASSES, GROUP_OF } from './classes.ts';

/** Longest side of the detector's input in pixels. */
export const INPUT_SIDE = 416;
/** What the input is filled with where the picture does not reach. */
const PADDING = 114;
const STRIDES = [8, 16, 32];
const COARSEST = 32;
/** Numbers per cell of the grids: box, objectness, classes. */
export const NUMBERS = 5 + CLASSES.length;

/** Least score that is worth following: a weak detection may continue a track, but never start one. */
export const LEAST_SCORE = 0.1;
/** Overlap (intersection over union) from which two boxes of one class are one thing ... */
const SAME = 0.5;
/** ... and two boxes of classes that are alike. */
const SAME_ALIKE = 0.65;

/** A box in fractions of the picture, clipped to it, with its class (an index of `CLASSES`). */
export type Detection = { classIndex: number; score: number; x0: number; y0: number; x1: number; y1: number };

type Size = { width: number; height: number };

/** Size to scale a picture to for the detector. */
export function pictureSize(shown: Size): Size {
  const scale = INPUT_SIDE / Math.max(shown.width, shown.height);
  const side = (length: number) => Math.max(1, Math.min(INPUT_SIDE, Math.round(length * scale)));
  return { width: side(shown.width), height: side(shown.height) };
}

/**
 * The detector's input for pictures of a size. Its grids have to come out even, and where there is an edge of padding it is a cell wide at least: with less, or with as
 * much on either side, fewer things are found than in a square (on the labelled clips; with this no fewer).
 */
export function inputSize({ width, height }: Size): Size {
  const padded = (length: number) => Math.min(INPUT_SIDE, (Math.ceil(length / COARSEST) + 1) * COARSEST);
  return { width: padded(width), height: padded(height) };
}

/** How many cells the three grids have together: rows of the detector's output. */
export function cellsOf(picture: Size): number {
  const { width, height } = inputSize(picture);
  return STRIDES.reduce((cells, stride) => cells + (width / stride) * (height / stride), 0);
}

/** An empty input: three planes of padding. */
export function createInput(picture: Size): Float32Array<ArrayBuffer> {
  const { width, height } = inputSize(picture);
  return new Float32Array(3 * width * height).fill(PADDING);
}

/** Puts an RGB picture into the top left corner of the input, as planes of blue, green and red from 0 to 255. */
export function fillInput(input: Float32Array, rgb: Uint8Array, { width, height }: Size): void {
  const row = inputSize({ width, height }).width;
  const plane = input.length / 3;
  let from = 0;
  for (let y = 0; y < height; y++) {
    let to = y * row;
    for (let x = 0; x < width; x++) {
      input[to + 2 * plane] = rgb[from]!;
      input[to + plane] = rgb[from + 1]!;
      input[to] = rgb[from + 2]!;
      from += 3;
      to++;
    }
  }
}

/** Reads the detector's output (cells × 85 numbers) for a picture of `width × height` in the input. Best first. */
export function readOutput(output: Float32Array, { width, height }: Size): Detection[] {
  const input = inputSize({ width, height });
  const found: Detection[] = [];
  let at = 0;
  for (const stride of STRIDES) {
    const columns = input.width / stride;
    const cells = columns * (input.height / stride);
    for (let cell = 0; cell < cells; cell++, at += NUMBERS) {
      const objectness = output[at + 4]!;
      if (objectness < LEAST_SCORE) continue;
      let classIndex = 0;
      for (let k = 1; k < CLASSES.length; k++) if (output[at + 5 + k]! > output[at + 5 + classIndex]!) classIndex = k;
      const score = objectness * output[at + 5 + classIndex]!;
      if (score < LEAST_SCORE) continue;
      const x = (output[at]! + (cell % columns)) * stride;
      const y = (output[at + 1]! + Math.floor(cell / columns)) * stride;
      const halfWidth = (Math.exp(output[at + 2]!) * stride) / 2;
      const halfHeight = (Math.exp(output[at + 3]!) * stride) / 2;
      const [x0, x1] = [clip((x - halfWidth) / width), clip((x + halfWidth) / width)];
      const [y0, y1] = [clip((y - halfHeight) / height), clip((y + halfHeight) / height)];
      if (x1 > x0 && y1 > y0) found.push({ classIndex, score, x0, y0, x1, y1 });
    }
  }
  return suppress(found);
}

/** Non-maximum suppression: of boxes that are one thing the best remains. */
export function suppress(found: Detection[]): Detection[] {
  // The sort is stable: equal scores keep the detector's order.
  const byScore = found.toSorted((a, b) => b.score - a.score);
  const kept: Detection[] = [];
  for (const box of byScore) {
    const isKnown = kept.some((other) => {
      if (other.classIndex === box.classIndex) return overlap(box, other) > SAME;
      return GROUP_OF[other.classIndex] === GROUP_OF[box.classIndex] && overlap(box, other) > SAME_ALIKE;
    });
    if (!isKnown) kept.push(box);
  }
  return kept;
}

export type Corners = { x0: number; y0: number; x1: number; y1: number };

/** Intersection over union of two boxes, 0 to 1. */
export function overlap(a: Corners, b: Corners): number {
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / ((a.x1 - a.x0) * (a.y1 - a.y0) + (b.x1 - b.x0) * (b.y1 - b.y0) - shared);
}

const clip = (value: number) => Math.min(1, Math.max(0, value));
