import { BLOCK, BLOCKS, COLUMNS, type Kernel, ROWS, VECTOR } from './kernel.ts';
import { CENTRE_X, CENTRE_Y, type GlobalMotion } from './motion.ts';

/** Regions that local motion is reported for: 4 × 4, so that halves and corners are whole regions. */
export const REGION_ROWS = 4;
export const REGION_COLUMNS = 4;
export const REGIONS = REGION_ROWS * REGION_COLUMNS;
const REGION_BLOCKS = BLOCKS / REGIONS;

const BLOCK_PIXELS = BLOCK * BLOCK;
/** Where a block's vector tells its difference without any motion. */
const SAME_PLACE = 7;
/** Least difference per pixel that is more than coding noise. */
const NOISE = 2.5;
/** A block differs when it does so this many times as much as the middle block: noise, grain and changes of light hit all alike. */
const TIMES_MEDIAN = 2;
/** A block that was found elsewhere moved when that explains this share of its difference ... */
const EXPLAINED = 0.3;
/** ... and one that was found nowhere changed when it differs by this much more. */
const UNEXPLAINED = 5.5;

/** The median is told in quarters of a grey level per pixel. */
const STEP = BLOCK_PIXELS / 4;

export type LocalMotion = {
  /** Share of the blocks that move otherwise, 0 to 1. */
  share: number;
  /** The same per region, row by row. Valid until the next call. */
  regions: Float64Array;
  /** 1 for each block that moves otherwise, row by row. Valid until the next call. */
  moving: Uint8Array;
};

/** Tells the blocks of a matched picture apart: those that follow the common motion and those that do not. */
export function createLocalMotion(kernel: Kernel): (slot: number, motion: GlobalMotion) => LocalMotion {
  const { vectors, models } = kernel;
  const regions = new Float64Array(REGIONS);
  const moving = new Uint8Array(BLOCKS);
  /** Sums of differences; -1 outside of the picture. */
  const differences = new Int32Array(BLOCKS);
  /** A byte is enough for all blocks. */
  const bins = new Uint8Array((256 * BLOCK_PIXELS) / STEP);
  const regionOf = Int32Array.from({ length: BLOCKS }, (_, block) => {
    const row = Math.floor(block / COLUMNS / (ROWS / REGION_ROWS));
    return row * REGION_COLUMNS + Math.floor((block % COLUMNS) / (COLUMNS / REGION_COLUMNS));
  });

  const follow = (slot: number, motion: GlobalMotion) => {
    if (isStill(motion)) {
      for (let block = 0; block < BLOCKS; block++) differences[block] = vectors[block * VECTOR + SAME_PLACE]!;
      return;
    }
    for (let block = 0; block < BLOCKS; block++) {
      models[block * 2] = -Math.round(motion.x + motion.zoom * CENTRE_X[block]! - motion.roll * CENTRE_Y[block]!);
      models[block * 2 + 1] = -Math.round(motion.y + motion.zoom * CENTRE_Y[block]! + motion.roll * CENTRE_X[block]!);
    }
    kernel.follow(slot);
    for (let block = 0; block < BLOCKS; block++) differences[block] = models[block * 2]!;
  };

  return (slot, motion) => {
    follow(slot, motion);
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

/** Whether no block moves by as much as half a pixel, as before nearly every standing camera: what each differs by at the same place is known. */
function isStill({ x, y, zoom, roll }: GlobalMotion): boolean {
  const [farX, farY] = [CENTRE_X.at(-1)!, CENTRE_Y.at(-1)!];
  return (
    Math.abs(x) + Math.abs(zoom) * farX + Math.abs(roll) * farY < 0.5 &&
    Math.abs(y) + Math.abs(zoom) * farY + Math.abs(roll) * farX < 0.5
  );
}

/** The median of the differences that are not negative, in whole steps; 0 when there are none. */
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
