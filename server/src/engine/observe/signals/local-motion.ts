import { CENTER_X, CENTER_Y, type GlobalMotion } from './global-motion.ts';
import { BLOCK, BLOCKS, COLUMNS, type Kernel, ROWS, VECTOR } from './kernel.ts';

/** Regions that local motion is reported for: 4 × 4, so that halves and corners are whole regions. */
export const REGION_ROWS = 4;
export const REGION_COLUMNS = 4;
export const REGIONS = REGION_ROWS * REGION_COLUMNS;
const REGION_BLOCKS = BLOCKS / REGIONS;

const BLOCK_PIXELS = BLOCK * BLOCK;
/** Index of the difference at zero displacement in a block's vector. */
const SAME_PLACE = 7;
/** Minimum difference per pixel above coding noise. */
const NOISE = 2.5;
/** Multiple of the median difference at which a block differs: noise, grain and light affect all blocks alike. */
const TIMES_MEDIAN = 2;
/** Share of a block's difference that a displacement has to explain for the block to have moved ... */
const EXPLAINED = 0.3;
/** ... and additional difference per pixel at which a block without a match has changed. */
const UNEXPLAINED = 5.5;

/** Resolution of the median: a quarter of a gray level per pixel. */
const STEP = BLOCK_PIXELS / 4;

export type LocalMotion = {
  /** Share of the blocks with a motion of their own, 0 to 1. */
  share: number;
  /** The same per region, row by row. Valid until the next call. */
  regions: Float64Array;
  /** 1 for each block with a motion of its own, row by row. Valid until the next call. */
  moving: Uint8Array;
};

/** Separates the blocks that follow the global motion from those that do not. */
export function createLocalMotionDetector(kernel: Kernel): (slot: number, motion: GlobalMotion) => LocalMotion {
  const { vectors, models } = kernel;
  const regions = new Float64Array(REGIONS);
  const moving = new Uint8Array(BLOCKS);
  /** Sums of differences; -1 outside of the frame. */
  const differences = new Int32Array(BLOCKS);
  /** A byte is enough for all blocks. */
  const bins = new Uint8Array((256 * BLOCK_PIXELS) / STEP);
  const regionOf = Int32Array.from({ length: BLOCKS }, (_, block) => {
    const row = Math.floor(block / COLUMNS / (ROWS / REGION_ROWS));
    return row * REGION_COLUMNS + Math.floor((block % COLUMNS) / (COLUMNS / REGION_COLUMNS));
  });

  const measureDifferences = (slot: number, motion: GlobalMotion) => {
    if (isStill(motion)) {
      for (let block = 0; block < BLOCKS; block++) differences[block] = vectors[block * VECTOR + SAME_PLACE]!;
      return;
    }
    for (let block = 0; block < BLOCKS; block++) {
      models[block * 2] = -Math.round(motion.x + motion.zoom * CENTER_X[block]! - motion.roll * CENTER_Y[block]!);
      models[block * 2 + 1] = -Math.round(motion.y + motion.zoom * CENTER_Y[block]! + motion.roll * CENTER_X[block]!);
    }
    kernel.compareModels(slot);
    for (let block = 0; block < BLOCKS; block++) differences[block] = models[block * 2]!;
  };

  return (slot, motion) => {
    measureDifferences(slot, motion);
    const limit = Math.max(NOISE * BLOCK_PIXELS, TIMES_MEDIAN * median(differences, bins));
    regions.fill(0);
    moving.fill(0);
    let count = 0;
    for (let block = 0; block < BLOCKS; block++) {
      const difference = differences[block]!;
      if (difference <= limit) continue;
      const best = vectors[block * VECTOR + 2]!;
      const explained = difference - best > EXPLAINED * difference;
      if (!explained && difference <= limit + UNEXPLAINED * BLOCK_PIXELS) continue;
      count++;
      moving[block] = 1;
      regions[regionOf[block]!]! += 1 / REGION_BLOCKS;
    }
    return { share: count / BLOCKS, regions, moving };
  };
}

/** True if no block moves by half a pixel, the usual case for a fixed camera: the differences are then known. */
function isStill({ x, y, zoom, roll }: GlobalMotion): boolean {
  const [farX, farY] = [CENTER_X.at(-1)!, CENTER_Y.at(-1)!];
  return (
    Math.abs(x) + Math.abs(zoom) * farX + Math.abs(roll) * farY < 0.5 &&
    Math.abs(y) + Math.abs(zoom) * farY + Math.abs(roll) * farX < 0.5
  );
}

/** Median of the differences that are not negative, in whole steps; 0 if there are none. */
function median(differences: Int32Array, bins: Uint8Array): number {
  bins.fill(0);
  let count = 0;
  for (let block = 0; block < BLOCKS; block++) {
    const difference = differences[block]!;
    if (difference < 0) continue;
    bins[Math.min(bins.length - 1, Math.round(difference / STEP))]!++;
    count++;
  }
  let below = 0;
  for (let bin = 0; bin < bins.length; bin++) {
    below += bins[bin]!;
    if (below * 2 > count) return bin * STEP;
  }
  return 0;
}
