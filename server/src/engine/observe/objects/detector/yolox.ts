import { CLASS_GROUPS, CLASSES } from '../classes.ts';
import type { LampColor } from '../lit-lamp.ts';

/** Longest side of the detector's input in pixels. */
export const INPUT_SIDE = 416;
/** Fill value of the input outside the frame. */
const PADDING = 114;
const STRIDES = [8, 16, 32];
const COARSEST = 32;
/** Numbers per cell of the grids: box, objectness, classes. */
export const VALUES_PER_CELL = 5 + CLASSES.length;

/** Least score that is tracked: a weak detection may continue a track, but never start one. */
export const MIN_SCORE = 0.1;
/** Overlap (intersection over union) from which two boxes of one class are the same object ... */
const SAME = 0.5;
/** ... and two boxes of similar classes. */
const SAME_ALIKE = 0.65;

/**
 * A box in fractions of the frame, clipped to it, with its class (an index of `CLASSES`). `lamp` is the lit lamp of a
 * traffic light: null if none stands out, missing if the box is too small to tell.
 */
export type Detection = Corners & { classIndex: number; score: number; lamp?: LampColor | null };

type Size = { width: number; height: number };

/** Size to which a frame is scaled for the detector. */
export function toDetectorSize(shown: Size): Size {
  const scale = INPUT_SIDE / Math.max(shown.width, shown.height);
  const side = (length: number) => Math.max(1, Math.min(INPUT_SIDE, Math.round(length * scale)));
  return { width: side(shown.width), height: side(shown.height) };
}

/**
 * Size of the detector input for frames of a size. It is divisible by the grids, and padding is at least one cell
 * wide: with less, or with padding on both sides, fewer objects are found than in a square (on the labeled clips;
 * with this, no fewer).
 */
export function toInputSize({ width, height }: Size): Size {
  const padded = (length: number) => Math.min(INPUT_SIDE, (Math.ceil(length / COARSEST) + 1) * COARSEST);
  return { width: padded(width), height: padded(height) };
}

/** Number of cells in the three grids: rows of the detector output. */
export function countCells(frame: Size): number {
  const { width, height } = toInputSize(frame);
  return STRIDES.reduce((cells, stride) => cells + (width / stride) * (height / stride), 0);
}

/** An empty input: three planes of padding. */
export function createInput(frame: Size): Float32Array<ArrayBuffer> {
  const { width, height } = toInputSize(frame);
  return new Float32Array(3 * width * height).fill(PADDING);
}

/** Copies an RGB frame to the top left corner of the input, as planes of blue, green and red from 0 to 255. */
export function fillInput(input: Float32Array, rgb: Uint8Array, { width, height }: Size): void {
  const row = toInputSize({ width, height }).width;
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

/** Decodes the detector output (cells × 85 numbers) for a frame of `width × height` in the input. Best first. */
export function decodeOutput(output: Float32Array, { width, height }: Size): Detection[] {
  const input = toInputSize({ width, height });
  const found: Detection[] = [];
  let at = 0;
  for (const stride of STRIDES) {
    const columns = input.width / stride;
    const cells = columns * (input.height / stride);
    for (let cell = 0; cell < cells; cell++, at += VALUES_PER_CELL) {
      const objectness = output[at + 4]!;
      if (objectness < MIN_SCORE) continue;
      let classIndex = 0;
      for (let k = 1; k < CLASSES.length; k++) if (output[at + 5 + k]! > output[at + 5 + classIndex]!) classIndex = k;
      const score = objectness * output[at + 5 + classIndex]!;
      if (score < MIN_SCORE) continue;
      const x = (output[at]! + (cell % columns)) * stride;
      const y = (output[at + 1]! + Math.floor(cell / columns)) * stride;
      const halfWidth = (Math.exp(output[at + 2]!) * stride) / 2;
      const halfHeight = (Math.exp(output[at + 3]!) * stride) / 2;
      const [x0, x1] = [clip((x - halfWidth) / width), clip((x + halfWidth) / width)];
      const [y0, y1] = [clip((y - halfHeight) / height), clip((y + halfHeight) / height)];
      if (x1 > x0 && y1 > y0) found.push({ classIndex, score, x0, y0, x1, y1 });
    }
  }
  return suppressOverlaps(found);
}

/** Non-maximum suppression: keeps the best of several boxes of one object. */
export function suppressOverlaps(found: Detection[]): Detection[] {
  // The sort is stable: equal scores keep the detector's order.
  const byScore = found.toSorted((a, b) => b.score - a.score);
  const best: Detection[] = [];
  for (const box of byScore) {
    const isKnown = best.some((other) => {
      if (other.classIndex === box.classIndex) return iou(box, other) > SAME;
      return CLASS_GROUPS[other.classIndex] === CLASS_GROUPS[box.classIndex] && iou(box, other) > SAME_ALIKE;
    });
    if (!isKnown) best.push(box);
  }
  return best;
}

export type Corners = { x0: number; y0: number; x1: number; y1: number };

/** Intersection over union of two boxes, 0 to 1. */
export function iou(a: Corners, b: Corners): number {
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / ((a.x1 - a.x0) * (a.y1 - a.y0) + (b.x1 - b.x0) * (b.y1 - b.y0) - shared);
}

const clip = (value: number) => Math.min(1, Math.max(0, value));
