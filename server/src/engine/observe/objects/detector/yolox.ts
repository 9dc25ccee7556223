import { CLASSES } from '../classes.ts';
import { clipBox, type Detection, MIN_SCORE, suppressOverlaps } from './detection.ts';

/** Fill value of the input outside the frame. */
const PADDING = 114;
const STRIDES = [8, 16, 32];
const COARSEST = 32;
/** Numbers per cell of the grids: box, objectness, classes. */
export const VALUES_PER_CELL = 5 + CLASSES.length;

type Size = { width: number; height: number };

/**
 * Size of the detector input for frames of a size. It is divisible by the grids, and padding is at least one cell
 * wide: with less, or with padding on both sides, fewer objects are found than in a square (on the labeled clips;
 * with this, no fewer). It never exceeds the square of the longer side, with which the network was trained.
 */
export function toInputSize({ width, height }: Size): Size {
  const largest = Math.ceil(Math.max(width, height) / COARSEST) * COARSEST;
  const padded = (length: number) => Math.min(largest, (Math.ceil(length / COARSEST) + 1) * COARSEST);
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
      const box = clipBox({
        x0: (x - halfWidth) / width,
        x1: (x + halfWidth) / width,
        y0: (y - halfHeight) / height,
        y1: (y + halfHeight) / height,
      });
      if (box) found.push({ classIndex, score, ...box });
    }
  }
  return suppressOverlaps(found);
}
