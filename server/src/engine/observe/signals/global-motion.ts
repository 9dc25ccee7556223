import { BLOCK, BLOCKS, COLUMNS, ROWS, VECTOR } from './kernel.ts';

/**
 * Motion of the whole frame since the previous one, in pixels of the analysis frame: how the image content moved,
 * right and down positive.
 */
export type GlobalMotion = {
  x: number;
  y: number;
  /** Growth about the frame's center: 0.01 is one percent. */
  zoom: number;
  /** Rotation of the image about the frame's center in radians, clockwise positive. */
  roll: number;
  /**
   * Approach of the scene in pixels, negative when it recedes: the outward displacement of most of the texture in both
   * halves of the frame, after pan and roll are removed. In one scene it grows with the camera's speed; `zoom` does not
   * where near and far objects differ.
   */
  advance: number;
};

export const STILL: GlobalMotion = { x: 0, y: 0, zoom: 0, roll: 0, advance: 0 };

/** Block centers relative to the frame's center, in pixels. */
export const CENTER_X = Float64Array.from(
  { length: BLOCKS },
  (_, block) => ((block % COLUMNS) - (COLUMNS - 1) / 2) * BLOCK,
);
export const CENTER_Y = Float64Array.from(
  { length: BLOCKS },
  (_, block) => (Math.floor(block / COLUMNS) - (ROWS - 1) / 2) * BLOCK,
);

/** Texture at which a block's motion along an axis is certain, in gray levels per pixel of displacement. */
const CERTAIN = 3;
/**
 * Distance in pixels from the common motion at which a block is ignored: first and last iteration, halved in between.
 */
const FIRST_REACH = 16;
const LAST_REACH = 1.5;
/** Share of the texture that has to move alike to skip the first iterations. */
const UNIFORM = 0.9;
/** Minimum sum of certainties, in blocks, for a result. */
const MIN_CERTAINTY = 4;
/** Largest displacement in half pixels; beyond the range of the block search. */
const MEDIAN_REACH = 64;
/**
 * Share of all blocks that has to agree: above a car that fills a seventh of the frame, below an empty road at night.
 */
const MIN_AGREEING = 0.2;
/** Share of the texture that moves less than the advance: distant objects hardly move, a few objects move far more. */
const ADVANCE_SHARE = 0.8;
/** Resolution of the advance in steps per pixel, and its maximum in pixels. */
const ADVANCE_STEPS = 16;
const ADVANCE_REACH = 64;
/** Minimum certainty of a block that takes part in the agreement check. */
const SOME_CERTAINTY = 0.05;
const BLOCK_PIXELS = BLOCK * BLOCK;
const OUTSIDE = 2 ** 31 - 1;

/** The blocks of the left half. */
const HALF_BLOCKS = Int32Array.from(
  { length: BLOCKS / 2 },
  (_, at) => Math.floor(at / (COLUMNS / 2)) * COLUMNS + (at % (COLUMNS / 2)),
);

const PER_RADIUS = CENTER_X.map((x, block) => 1 / Math.sqrt(x * x + CENTER_Y[block]! * CENTER_Y[block]!));

/**
 * Fits pan, zoom and roll to the block vectors of `Kernel.vectors`. Iteratively reweighted least squares with Tukey's
 * weights, from wide to narrow, ignore moving objects, noise and blocks without texture.
 */
export function createMotionFit(): (vectors: Int32Array) => GlobalMotion {
  const flowX = new Float64Array(BLOCKS);
  const flowY = new Float64Array(BLOCKS);
  const certainX = new Float64Array(BLOCKS);
  const certainY = new Float64Array(BLOCKS);
  const bins = new Float64Array(2 * MEDIAN_REACH + 1);
  const amounts = new Float64Array(ADVANCE_REACH * ADVANCE_STEPS + 1);

  /**
   * True if a motion is that of the whole frame and not of a large object in front of a plain background: enough blocks
   * agree with it, textured or not, and at most twice as many are still.
   */
  const isCommon = (x: number, y: number, zoom: number, roll: number) => {
    let agreeing = 0;
    let still = 0;
    let moving = 0;
    for (let block = 0; block < BLOCKS; block++) {
      const usesX = certainX[block]! >= SOME_CERTAINTY ? 1 : 0;
      const usesY = certainY[block]! >= SOME_CERTAINTY ? 1 : 0;
      if (usesX + usesY === 0) continue;
      const offX = (flowX[block]! - x - zoom * CENTER_X[block]! + roll * CENTER_Y[block]!) * usesX;
      const offY = (flowY[block]! - y - zoom * CENTER_Y[block]! - roll * CENTER_X[block]!) * usesY;
      const off = offX * offX + offY * offY;
      if (off < LAST_REACH * LAST_REACH) agreeing++;
      if ((flowX[block]! * usesX) ** 2 + (flowY[block]! * usesY) ** 2 < off) still++;
      else moving++;
    }
    return agreeing >= MIN_AGREEING * BLOCKS && still <= 2 * moving;
  };

  /** True if nearly all of the texture moves by the same amount. */
  const isUniform = (x: number, y: number, total: number) => {
    let alike = 0;
    for (let block = 0; block < BLOCKS; block++) {
      const off = Math.max(Math.abs(flowX[block]! - x), Math.abs(flowY[block]! - y));
      if (off < LAST_REACH / 2) alike += certainX[block]! + certainY[block]!;
    }
    return alike >= UNIFORM * total;
  };

  /** Approach of the scene after pan and roll are removed; 0 if the two halves of the frame disagree on its sign. */
  const advanceAgainst = (x: number, y: number, roll: number) => {
    const left = advanceOfHalf(0, x, y, roll);
    const right = advanceOfHalf(COLUMNS / 2, x, y, roll);
    return left > 0 === right > 0 ? Math.sign(left) * Math.min(Math.abs(left), Math.abs(right)) : 0;
  };

  const advanceOfHalf = (from: number, x: number, y: number, roll: number) => {
    amounts.fill(0);
    let total = 0;
    let outward = 0;
    let radial = 0;
    for (let at = 0; at < BLOCKS / 2; at++) {
      const block = HALF_BLOCKS[at]! + from;
      const cx = CENTER_X[block]!;
      const cy = CENTER_Y[block]!;
      const offX = flowX[block]! - x + roll * cy;
      const offY = flowY[block]! - y - roll * cx;
      const weightX = certainX[block]!;
      const weightY = certainY[block]!;
      amounts[stepOf(offX)]! += weightX;
      amounts[stepOf(offY)]! += weightY;
      total += weightX + weightY;
      const perRadius = PER_RADIUS[block]!;
      const alongX = weightX * offX * cx * perRadius;
      const alongY = weightY * offY * cy * perRadius;
      outward += alongX + alongY;
      radial += Math.abs(alongX) + Math.abs(alongY);
    }
    if (total < MIN_CERTAINTY / 2 || radial === 0) return 0;
    const amount = quantile(amounts, ADVANCE_SHARE * total);
    return ((amount / ADVANCE_STEPS) * outward) / radial;
  };

  return (vectors) => {
    let sumX = 0;
    let sumY = 0;
    for (let block = 0; block < BLOCKS; block++) {
      const at = block * VECTOR;
      const cost = vectors[at + 2]!;
      const left = vectors[at + 3]!;
      const right = vectors[at + 4]!;
      const above = vectors[at + 5]!;
      const below = vectors[at + 6]!;
      // A vector points to where the block came from, against the motion.
      flowX[block] = -(vectors[at]! + between(cost, left, right));
      flowY[block] = -(vectors[at + 1]! + between(cost, above, below));
      sumX += certainX[block] = certainty(cost, left, right);
      sumY += certainY[block] = certainty(cost, above, below);
    }
    if (sumX < MIN_CERTAINTY || sumY < MIN_CERTAINTY) return STILL;

    let x = weightedMedian(flowX, certainX, sumX, bins);
    let y = weightedMedian(flowY, certainY, sumY, bins);
    let zoom = 0;
    let roll = 0;
    // The wide iterations change nothing if nearly all blocks move alike, as with a fixed camera.
    let reach = isUniform(x, y, sumX + sumY) ? LAST_REACH : FIRST_REACH;
    for (let last = false; !last; reach = Math.max(LAST_REACH, reach / 2)) {
      last = reach === LAST_REACH;
      // Normal equations of: flowX = x + zoom · centerX - roll · centerY, flowY = y + zoom · centerY + roll · centerX.
      let wx = 0;
      let wy = 0;
      let wxc = 0;
      let wyc = 0;
      let wcc = 1e-9;
      let wxs = 0;
      let wys = 0;
      let wss = 1e-9;
      let wcs = 0;
      let fx = 0;
      let fy = 0;
      let fc = 0;
      let fs = 0;
      for (let block = 0; block < BLOCKS; block++) {
        const cx = CENTER_X[block]!;
        const cy = CENTER_Y[block]!;
        const offX = (flowX[block]! - x - zoom * cx + roll * cy) / reach;
        const offY = (flowY[block]! - y - zoom * cy - roll * cx) / reach;
        const off = offX * offX + offY * offY;
        if (off >= 1) continue;
        const weight = (1 - off) * (1 - off);
        const weightX = weight * certainX[block]!;
        const weightY = weight * certainY[block]!;
        wx += weightX;
        wy += weightY;
        wxc += weightX * cx;
        wyc += weightY * cy;
        wcc += weightX * cx * cx + weightY * cy * cy;
        wxs += weightX * cy;
        wys += weightY * cx;
        wss += weightX * cy * cy + weightY * cx * cx;
        wcs += (weightY - weightX) * cx * cy;
        fx += weightX * flowX[block]!;
        fy += weightY * flowY[block]!;
        fc += weightX * flowX[block]! * cx + weightY * flowY[block]! * cy;
        fs += weightY * flowY[block]! * cx - weightX * flowX[block]! * cy;
      }
      if (wx < MIN_CERTAINTY / 2 || wy < MIN_CERTAINTY / 2) return STILL;
      // x and y are eliminated first because they are independent of each other.
      const zz = wcc - (wxc * wxc) / wx - (wyc * wyc) / wy;
      const rr = wss - (wxs * wxs) / wx - (wys * wys) / wy;
      const zr = wcs + (wxc * wxs) / wx - (wyc * wys) / wy;
      const fz = fc - (wxc * fx) / wx - (wyc * fy) / wy;
      const fr = fs + (wxs * fx) / wx - (wys * fy) / wy;
      const determinant = zz * rr - zr * zr;
      // Blocks in a single row cannot separate zoom from roll.
      const isSolvable = zz > 1 && rr > 1 && determinant > 0.01 * zz * rr;
      zoom = isSolvable ? (fz * rr - fr * zr) / determinant : 0;
      roll = isSolvable ? (fr * zz - fz * zr) / determinant : 0;
      x = (fx - wxc * zoom + wxs * roll) / wx;
      y = (fy - wyc * zoom - wys * roll) / wy;
    }
    const advance = advanceAgainst(x, y, roll);
    return isCommon(x, y, zoom, roll) ? { x, y, zoom, roll, advance } : { ...STILL, advance };
  };
}

/** Histogram bin of a displacement. */
function stepOf(off: number): number {
  return Math.min(ADVANCE_REACH * ADVANCE_STEPS, Math.floor(Math.abs(off) * ADVANCE_STEPS + 0.5));
}

/** Subpixel position of the minimum difference, -0.5 to 0.5: differences grow linearly on both sides of it. */
function between(cost: number, before: number, after: number): number {
  if (before === OUTSIDE || after === OUTSIDE) return 0;
  const slope = Math.max(before, after) - cost;
  return slope > 0 ? (before - after) / (2 * slope) : 0;
}

/** Certainty of the motion along an axis from the texture, 0 to 1; low if the block has no good match. */
function certainty(cost: number, before: number, after: number): number {
  if (before === OUTSIDE || after === OUTSIDE) return 0;
  const slope = (before + after - 2 * cost) / 2 / BLOCK_PIXELS;
  const match = cost / BLOCK_PIXELS;
  return Math.min(1, slope / CERTAIN) * (slope / (slope + match + 0.5));
}

/** Weighted median to half a pixel: accurate enough as a start value, and faster than sorting. */
function weightedMedian(values: Float64Array, weights: Float64Array, total: number, bins: Float64Array): number {
  bins.fill(0);
  for (let block = 0; block < BLOCKS; block++) {
    const bin = Math.round(values[block]! * 2) + MEDIAN_REACH;
    // A search that stopped early may have any value.
    if (bin >= 0 && bin < bins.length) bins[bin]! += weights[block]!;
  }
  return (quantile(bins, total / 2) - MEDIAN_REACH) / 2;
}

/** First bin at which the cumulative sum reaches an amount; -1 if it never does. */
function quantile(bins: Float64Array, amount: number): number {
  let below = 0;
  for (let bin = 0; bin < bins.length; bin++) {
    below += bins[bin]!;
    if (below >= amount) return bin;
  }
  return -1;
}
