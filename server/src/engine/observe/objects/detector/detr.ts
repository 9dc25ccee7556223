import { CLASSES } from '../classes.ts';
import { type Corners, clipBox, type Detection, MIN_SCORE, suppressOverlaps } from './detection.ts';
import { interpolate } from './interpolate.ts';

type Size = { width: number; height: number };
type Numbers = { readonly [index: number]: number; readonly length: number };

/** Numbers per box. */
export const VALUES_PER_BOX = 4;
const CHANNELS = 3;
const MAX_VALUE = 255;

/** An empty input: three planes of a square. */
export const createInput = (side: number): Float32Array<ArrayBuffer> => new Float32Array(CHANNELS * side * side);

/**
 * Scales an RGB frame to the square input, as planes of red, green and blue from 0 to 1: these networks are trained on
 * images without their aspect ratio. Boxes are fractions of the frame in either case.
 */
export function fillInput(input: Float32Array, rgb: Uint8Array, { width, height }: Size): void {
  const plane = input.length / CHANNELS;
  const side = Math.sqrt(plane);
  const columns = interpolate(width, side);
  const rows = interpolate(height, side);
  const length = width * CHANNELS;
  const line = new Float32Array(length);
  for (let y = 0, to = 0; y < side; y++) {
    const { before: upper, after: lower, share: low } = rows[y]!;
    for (let k = 0; k < length; k++) line[k] = rgb[upper * length + k]! * (1 - low) + rgb[lower * length + k]! * low;
    for (let x = 0; x < side; x++, to++) {
      const { before, after, share } = columns[x]!;
      for (let channel = 0; channel < CHANNELS; channel++) {
        const [left, right] = [line[CHANNELS * before + channel]!, line[CHANNELS * after + channel]!];
        input[channel * plane + to] = (left * (1 - share) + right * share) / MAX_VALUE;
      }
    }
  }
}

/**
 * Decodes raw outputs: logits (boxes × classes) and boxes (center and size, fractions of the image). A box is of one
 * class, the most likely one. Best first.
 */
export function decodeLogits(logits: Numbers, boxes: Numbers): Detection[] {
  const found: Detection[] = [];
  for (let box = 0; box * CLASSES.length < logits.length; box++) {
    const from = box * CLASSES.length;
    let classIndex = 0;
    for (let k = 1; k < CLASSES.length; k++) if (logits[from + k]! > logits[from + classIndex]!) classIndex = k;
    const score = 1 / (1 + Math.exp(-logits[from + classIndex]!));
    const [x, y, width, height] = valuesOf(boxes, box);
    add(found, classIndex, score, {
      x0: x - width / 2,
      y0: y - height / 2,
      x1: x + width / 2,
      y1: y + height / 2,
    });
  }
  return suppressOverlaps(found);
}

/** Decodes selected boxes: classes, corners in an image of `side` pixels, scores. Best first. */
export function decodeBoxes(labels: Numbers, boxes: Numbers, scores: Numbers, side: number): Detection[] {
  const found: Detection[] = [];
  for (let box = 0; box < scores.length; box++) {
    const [x0, y0, x1, y1] = valuesOf(boxes, box);
    add(found, labels[box]!, scores[box]!, { x0: x0 / side, y0: y0 / side, x1: x1 / side, y1: y1 / side });
  }
  return suppressOverlaps(found);
}

function add(found: Detection[], classIndex: number, score: number, corners: Corners): void {
  if (!(score >= MIN_SCORE)) return;
  if (!(classIndex in CLASSES)) throw new Error(`the model found class ${classIndex} of ${CLASSES.length}`);
  const box = clipBox(corners);
  if (box) found.push({ classIndex, score, ...box });
}

const valuesOf = (boxes: Numbers, box: number) =>
  [0, 1, 2, 3].map((k) => boxes[VALUES_PER_BOX * box + k]!) as [number, number, number, number];
