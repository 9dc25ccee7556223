import { CLASS_OF_LABEL, LABEL_COUNT, RIVAL_LABELS } from '../open-images.ts';
import { areaOf, clipBox, type Detection, MIN_SCORE, sharedArea, suppressOverlaps } from './detection.ts';
import { interpolate } from './interpolate.ts';

type Size = { width: number; height: number };
type Numbers = { readonly [index: number]: number; readonly length: number };

/** Side of the square input in pixels. */
export const INPUT_SIDE = 300;
/** Numbers per anchor: offsets of center and size. */
export const VALUES_PER_BOX = 4;
const CHANNELS = 3;
/** Half of the largest value of a pixel: the input is from -1 to 1. */
const HALF = 127.5;

/** Cells along a side of each grid, finest first. */
const GRIDS = [19, 10, 5, 3, 2, 1];
/** Sizes of the anchors of the finest and coarsest grid, in sides of the image; they grow evenly in between. */
const LEAST_SCALE = 0.2;
const GREATEST_SCALE = 0.95;
/** Width by height of the anchors of a grid; one more square lies between its scale and the next. */
const RATIOS = [1, 2, 0.5, 3, 1 / 3];
/** Side of the smallest anchor, of which only the finest grid has one. */
const SMALLEST = 0.1;
/** Units of the outputs: a tenth of the anchor's size for its center, a fifth of its logarithm for its size. */
const CENTER_UNITS = 10;
const SIZE_UNITS = 5;

type Anchor = { x: number; y: number; width: number; height: number };

/** The boxes that outputs are relative to, in their order, in fractions of the image. */
export const ANCHORS: readonly Anchor[] = GRIDS.flatMap((cells, grid) => {
  const scaleOf = (at: number) =>
    at < GRIDS.length ? LEAST_SCALE + ((GREATEST_SCALE - LEAST_SCALE) * at) / (GRIDS.length - 1) : 1;
  const scale = scaleOf(grid);
  const shape = (side: number, ratio: number) => ({ width: side * Math.sqrt(ratio), height: side / Math.sqrt(ratio) });
  const shapes =
    grid === 0
      ? [shape(SMALLEST, 1), shape(scale, 2), shape(scale, 0.5)]
      : [...RATIOS.map((ratio) => shape(scale, ratio)), shape(Math.sqrt(scale * scaleOf(grid + 1)), 1)];
  return Array.from({ length: cells * cells }, (_, cell) => ({
    x: ((cell % cells) + 0.5) / cells,
    y: (Math.floor(cell / cells) + 0.5) / cells,
  })).flatMap((center) => shapes.map((each): Anchor => ({ ...center, ...each })));
});

export const createInput = (): Float32Array<ArrayBuffer> => new Float32Array(CHANNELS * INPUT_SIDE * INPUT_SIDE);

/** Scales an RGB frame to the square input, from -1 to 1: the network is trained without the aspect ratio of images. */
export function fillInput(input: Float32Array, rgb: Uint8Array, { width, height }: Size): void {
  const columns = interpolate(width, INPUT_SIDE);
  const rows = interpolate(height, INPUT_SIDE);
  const length = width * CHANNELS;
  const line = new Float32Array(length);
  for (let y = 0, to = 0; y < INPUT_SIDE; y++) {
    const { before: upper, after: lower, share: low } = rows[y]!;
    for (let k = 0; k < length; k++) line[k] = rgb[upper * length + k]! * (1 - low) + rgb[lower * length + k]! * low;
    for (const { before, after, share } of columns) {
      for (let channel = 0; channel < CHANNELS; channel++) {
        const [left, right] = [line[CHANNELS * before + channel]!, line[CHANNELS * after + channel]!];
        input[to++] = (left * (1 - share) + right * share) / HALF - 1;
      }
    }
  }
}

/**
 * Decodes the outputs: offsets of the anchors (y, x, height, width) and logits of the labels. A box is of one class,
 * that of its most likely label. Best first.
 */
export function decodeOutput(offsets: Numbers, logits: Numbers): Detection[] {
  const found: Detection[] = [];
  for (const [index, anchor] of ANCHORS.entries()) {
    const from = index * LABEL_COUNT;
    let label = RIVAL_LABELS[0]!;
    for (const k of RIVAL_LABELS) if (logits[from + k]! > logits[from + label]!) label = k;
    const classIndex = CLASS_OF_LABEL[label]!;
    const score = scoreOf(logits[from + label]!);
    if (classIndex < 0 || !(score >= MIN_SCORE)) continue;
    const at = index * VALUES_PER_BOX;
    const x = (offsets[at + 1]! / CENTER_UNITS) * anchor.width + anchor.x;
    const y = (offsets[at]! / CENTER_UNITS) * anchor.height + anchor.y;
    const halfWidth = (Math.exp(offsets[at + 3]! / SIZE_UNITS) * anchor.width) / 2;
    const halfHeight = (Math.exp(offsets[at + 2]! / SIZE_UNITS) * anchor.height) / 2;
    const box = clipBox({ x0: x - halfWidth, x1: x + halfWidth, y0: y - halfHeight, y1: y + halfHeight });
    if (box) found.push({ classIndex, score, ...box });
  }
  return suppressParts(suppressOverlaps(found));
}

/**
 * Drops boxes that mostly share a much clearer one of their class: this network often finds an object a second time, as
 * a part of it or with what is around it, which overlaps too little for two boxes of one object.
 */
function suppressParts(found: readonly Detection[]): Detection[] {
  return found.filter((box) => {
    return !found.some(
      (other) =>
        other.classIndex === box.classIndex &&
        box.score < UNCLEAR * other.score &&
        sharedArea(box, other) > PART * Math.min(areaOf(box), areaOf(other)),
    );
  });
}

/** Share of the smaller box that is in the other one ... */
const PART = 0.6;
/** ... and of the score of the clearer one, below which a box is a part of it. */
const UNCLEAR = 0.8;

/**
 * Added to logits: the scores of this network are lower than those of YOLOX-Nano for the same share of right boxes, and
 * the tracker and confidence are set for the latter. A score of 0.3 becomes one of 0.45, with which a track starts.
 */
const LOGIT_SHIFT = 0.35;

const scoreOf = (logit: number) => 1 / (1 + Math.exp(-logit - LOGIT_SHIFT));
