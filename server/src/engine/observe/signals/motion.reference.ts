import { BLOCK, BLOCKS, COLUMNS, VECTOR } from './kernel.ts';
import { CENTRE_X, CENTRE_Y, type GlobalMotion, STILL } from './motion.ts';

/** `motion.as` in plain TypeScript: easy to read, and what the compiled one is held to, bit for bit. */

/** Texture that makes a block's motion certain along an axis, in grey levels per pixel of displacement. */
const CERTAIN = 3;
/** Pixels off the common motion at which a block stops counting, in the first round and in the last; it halves in between. */
const FIRST_REACH = 16;
const LAST_REACH = 1.5;
/** Share of the texture that has to move alike for the search to be short. */
const UNIFORM = 0.9;
/** Least sum of certainty, in blocks, to say anything. */
const LEAST_CERTAINTY = 4;
/** Farther than the search goes, in half pixels. */
const MEDIAN_REACH = 64;
/** Share of all blocks that has to agree. A car that fills a seventh of the picture stays under it, an empty road at night above. */
const LEAST_AGREEING = 0.2;
/** Share of the texture that moves by less than the advance: what is far away hardly moves, and a few things move more than all others. */
const ADVANCE_SHARE = 0.8;
/** Steps per pixel that the advance is told in, and the most pixels. */
const ADVANCE_STEPS = 16;
const ADVANCE_REACH = 64;
/** Least certainty to have a say. */
const SOME_CERTAINTY = 0.05;
const BLOCK_PIXELS = BLOCK * BLOCK;
const OUTSIDE = 2 ** 31 - 1;

/** The blocks of the left half. */
const HALF_BLOCKS = Int32Array.from(
  { length: BLOCKS / 2 },
  (_, at) => Math.floor(at / (COLUMNS / 2)) * COLUMNS + (at % (COLUMNS / 2)),
);

const PER_RADIUS = CENTRE_X.map((x, block) => 1 / Math.sqrt(x * x + CENTRE_Y[block]! * CENTRE_Y[block]!));

export function referenceFit(): (vectors: Int32Array) => GlobalMotion {
  const flowX = new Float64Array(BLOCKS);
  const flowY = new Float64Array(BLOCKS);
  const certainX = new Float64Array(BLOCKS);
  const certainY = new Float64Array(BLOCKS);
  const bins = new Float64Array(2 * MEDIAN_REACH + 1);
  const amounts = new Float64Array(ADVANCE_REACH * ADVANCE_STEPS + 1);

  /**
   * Whether a motion is the picture's, and not that of a large thing before a background too plain to tell: enough blocks have to agree with it,
   * textured or not, and not twice as many may stand still.
   */
  const isCommon = (x: number, y: number, zoom: number, roll: number) => {
    let agreeing = 0;
    let still = 0;
    let moving = 0;
    for (let block = 0; block < BLOCKS; block++) {
      const tellsX = certainX[block]! >= SOME_CERTAINTY ? 1 : 0;
      const tellsY = certainY[block]! >= SOME_CERTAINTY ? 1 : 0;
      if (tellsX + tellsY === 0) continue;
      const offX = (flowX[block]! - x - zoom * CENTRE_X[block]! + roll * CENTRE_Y[block]!) * tellsX;
      const offY = (flowY[block]! - y - zoom * CENTRE_Y[block]! - roll * CENTRE_X[block]!) * tellsY;
      const off = offX * offX + offY * offY;
      if (off < LAST_REACH * LAST_REACH) agreeing++;
      if ((flowX[block]! * tellsX) ** 2 + (flowY[block]! * tellsY) ** 2 < off) still++;
      else moving++;
    }
    return agreeing >= LEAST_AGREEING * BLOCKS && still <= 2 * moving;
  };

  /** Whether nearly all of the texture moves by the same. */
  const isUniform = (x: number, y: number, total: number) => {
    let alike = 0;
    for (let block = 0; block < BLOCKS; block++) {
      const off = Math.max(Math.abs(flowX[block]! - x), Math.abs(flowY[block]! - y));
      if (off < LAST_REACH / 2) alike += certainX[block]! + certainY[block]!;
    }
    return alike >= UNIFORM * total;
  };

  /** How fast the scene comes closer, once pan and roll are taken off; 0 when the picture's two halves do not agree that it does. */
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
      const cx = CENTRE_X[block]!;
      const cy = CENTRE_Y[block]!;
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
    if (total < LEAST_CERTAINTY / 2 || radial === 0) return 0;
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
      // Where the block came from is against the way the picture moved.
      flowX[block] = -(vectors[at]! + between(cost, left, right));
      flowY[block] = -(vectors[at + 1]! + between(cost, above, below));
      sumX += certainX[block] = certainty(cost, left, right);
      sumY += certainY[block] = certainty(cost, above, below);
    }
    if (sumX < LEAST_CERTAINTY || sumY < LEAST_CERTAINTY) return STILL;

    let x = weightedMedian(flowX, certainX, sumX, bins);
    let y = weightedMedian(flowY, certainY, sumY, bins);
    let zoom = 0;
    let roll = 0;
    // Where nearly all blocks move alike, as before a fixed camera, the first rounds have nothing to decide.
    let reach = isUniform(x, y, sumX + sumY) ? LAST_REACH : FIRST_REACH;
    for (let last = false; !last; reach = Math.max(LAST_REACH, reach / 2)) {
      last = reach === LAST_REACH;
      // Normal equations of: flowX = x + zoom · centreX - roll · centreY, flowY = y + zoom · centreY + roll · centreX.
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
        const cx = CENTRE_X[block]!;
        const cy = CENTRE_Y[block]!;
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
      if (wx < LEAST_CERTAINTY / 2 || wy < LEAST_CERTAINTY / 2) return STILL;
      // x and y are eliminated first: they do not meet each other.
      const zz = wcc - (wxc * wxc) / wx - (wyc * wyc) / wy;
      const rr = wss - (wxs * wxs) / wx - (wys * wys) / wy;
      const zr = wcs + (wxc * wxs) / wx - (wyc * wys) / wy;
      const fz = fc - (wxc * fx) / wx - (wyc * fy) / wy;
      const fr = fs + (wxs * fx) / wx - (wys * fy) / wy;
      const determinant = zz * rr - zr * zr;
      // Blocks in a row tell zoom and roll apart no better than noise does.
      const told = zz > 1 && rr > 1 && determinant > 0.01 * zz * rr;
      zoom = told ? (fz * rr - fr * zr) / determinant : 0;
      roll = told ? (fr * zz - fz * zr) / determinant : 0;
      x = (fx - wxc * zoom + wxs * roll) / wx;
      y = (fy - wyc * zoom - wys * roll) / wy;
    }
    const advance = advanceAgainst(x, y, roll);
    return isCommon(x, y, zoom, roll) ? { x, y, zoom, roll, advance } : { ...STILL, advance };
  };
}

/** The bin of an amount of advance. */
function stepOf(off: number): number {
  return Math.min(ADVANCE_REACH * ADVANCE_STEPS, Math.floor(Math.abs(off) * ADVANCE_STEPS + 0.5));
}

/** Where between two pixels the least difference lies, -0.5 to 0.5: differences of pictures grow linearly on both sides of it. */
function between(cost: number, before: number, after: number): number {
  if (before === OUTSIDE || after === OUTSIDE) return 0;
  const slope = Math.max(before, after) - cost;
  return slope > 0 ? (before - after) / (2 * slope) : 0;
}

/** How much the texture says about motion along an axis, 0 to 1; little where the block was found nowhere. */
function certainty(cost: number, before: number, after: number): number {
  if (before === OUTSIDE || after === OUTSIDE) return 0;
  const slope = (before + after - 2 * cost) / 2 / BLOCK_PIXELS;
  const match = cost / BLOCK_PIXELS;
  return Math.min(1, slope / CERTAIN) * (slope / (slope + match + 0.5));
}

/** The value with half of the weight on either side, to half a pixel: close enough to start from, and quicker than sorting. */
function weightedMedian(values: Float64Array, weights: Float64Array, total: number, bins: Float64Array): number {
  bins.fill(0);
  for (let block = 0; block < BLOCKS; block++) {
    const bin = Math.round(values[block]! * 2) + MEDIAN_REACH;
    // A walk that was broken off may point anywhere.
    if (bin >= 0 && bin < bins.length) bins[bin]! += weights[block]!;
  }
  return (quantile(bins, total / 2) - MEDIAN_REACH) / 2;
}

/** The bin in which the sum of the bins reaches an amount; -1 when none does. */
function quantile(bins: Float64Array, amount: number): number {
  let below = 0;
  for (let bin = 0; bin < bins.length; bin++) {
    below += bins[bin]!;
    if (below >= amount) return bin;
  }
  return -1;
}
