import { type Kernel, QUARTER_HEIGHT, QUARTER_WIDTH } from './kernel.ts';

/**
 * Compares frames at quarter size by the correlation of their blocks, each searched nearby, so that light and the
 * motion of camera and objects do not matter.
 */
export type FrameSimilarity = {
  /**
   * Share of a frame's structure that is found in the other one, 0 to 1, in the better direction. Frames of one shot
   * score 0.74 and more.
   */
  similarity(a: Uint8Array, b: Uint8Array): number;
  /** Additional share of a frame's structure that a blend of two frames explains, compared with either of them. */
  blendGain(middle: Uint8Array, before: Uint8Array, after: Uint8Array): number;
  /** Mean product of two frames' pixels. */
  product(a: Uint8Array, b: Uint8Array): number;
};

const BLOCK = 16;
/** Search range around a block's expected position, in pixels. */
const REACH = 4;
/** Search range of the pan at half of this size: a whip pan moves by a third of the frame from one to the next. */
const PAN_REACH_X = 18;
const PAN_REACH_Y = 6;
/** Similarity at which the other direction is not compared. */
const SURE = 0.85;

type Point = { x: number; y: number };
type BlockMatch = Point & { correlation: number };

/** Positions of the compared blocks. */
const BLOCK_POSITIONS: readonly Point[] = Array.from(
  { length: (QUARTER_WIDTH / BLOCK) * (QUARTER_HEIGHT / BLOCK) },
  (_, at) => ({
    x: (at % (QUARTER_WIDTH / BLOCK)) * BLOCK,
    y: Math.floor(at / (QUARTER_WIDTH / BLOCK)) * BLOCK,
  }),
);

export function createFrameSimilarity({
  load,
  product,
  correlate,
}: Pick<Kernel, 'load' | 'product' | 'correlate'>): FrameSimilarity {
  /** Best match of buffer `a`'s block at `from` in buffer `b` around `at`: at half size, then a pixel around it. */
  function search(a: number, from: Point, b: number, at: Point): BlockMatch {
    const coarse = searchIn(true, a, { x: from.x >> 1, y: from.y >> 1 }, b, { x: at.x >> 1, y: at.y >> 1 }, REACH / 2);
    return searchIn(false, a, from, b, { x: coarse.x * 2, y: coarse.y * 2 }, 1);
  }

  function searchIn(half: boolean, a: number, block: Point, b: number, around: Point, reach: number): BlockMatch {
    const scale = half ? 2 : 1;
    const side = BLOCK / scale;
    const best: BlockMatch = { correlation: -1, x: block.x, y: block.y };
    const lastX = Math.min(QUARTER_WIDTH / scale - side, around.x + reach);
    const lastY = Math.min(QUARTER_HEIGHT / scale - side, around.y + reach);
    for (let y = Math.max(0, around.y - reach); y <= lastY; y++) {
      for (let x = Math.max(0, around.x - reach); x <= lastX; x++) {
        const correlation = correlate(half, a, block.x, block.y, b, x, y, side, side);
        if (correlation <= best.correlation) continue;
        best.correlation = correlation;
        best.x = x;
        best.y = y;
      }
    }
    return best;
  }

  /** Pan between two buffers in pixels: every second pixel, then around the best. */
  function estimatePan(a: number, b: number): Point {
    const [width, height] = [QUARTER_WIDTH / 2, QUARTER_HEIGHT / 2];
    let best = { x: 0, y: 0, correlation: -1 };
    const tryAt = (x: number, y: number) => {
      const [aX, aY, bX, bY] = [Math.max(0, -x), Math.max(0, -y), Math.max(0, x), Math.max(0, y)];
      const correlation = correlate(true, a, aX, aY, b, bX, bY, width - Math.abs(x), height - Math.abs(y));
      if (correlation > best.correlation) best = { x, y, correlation };
    };
    for (let y = -PAN_REACH_Y; y <= PAN_REACH_Y; y += 2) {
      for (let x = -PAN_REACH_X; x <= PAN_REACH_X; x += 2) tryAt(x, y);
    }
    const { x, y } = best;
    for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) tryAt(x + dx, y + dy);
    return { x: 2 * best.x, y: 2 * best.y };
  }

  function matchedShare(frame: Uint8Array, a: number, b: number, pan: Point): number {
    let matched = 0;
    let total = 0;
    for (const position of BLOCK_POSITIONS) {
      let best = search(a, position, b, position).correlation;
      if (pan.x !== 0 || pan.y !== 0) {
        best = Math.max(best, search(a, position, b, { x: position.x + pan.x, y: position.y + pan.y }).correlation);
      }
      const weight = deviation(frame, position);
      matched += weight * Math.max(0, best);
      total += weight;
    }
    return total > 0 ? matched / total : 0;
  }

  return {
    similarity(a, b) {
      load(0, a);
      load(1, b);
      const pan = estimatePan(0, 1);
      const forward = matchedShare(a, 0, 1, pan);
      return forward >= SURE ? forward : Math.max(forward, matchedShare(b, 1, 0, { x: -pan.x, y: -pan.y }));
    },

    blendGain(middle, before, after) {
      load(0, before);
      load(1, middle);
      load(2, after);
      let gain = 0;
      let total = 0;
      for (const position of BLOCK_POSITIONS) {
        const weight = deviation(middle, position);
        total += weight;
        const first = search(1, position, 0, position);
        const second = search(1, position, 2, position);
        const [ra, rb] = [first.correlation, second.correlation];
        if (ra <= 0 || rb <= 0) continue;
        const r = correlate(false, 0, first.x, first.y, 2, second.x, second.y, BLOCK, BLOCK);
        // Both frames have to contribute.
        if (ra <= rb * r || rb <= ra * r) continue;
        const both = Math.min(1, (ra * ra + rb * rb - 2 * ra * rb * r) / (1 - r * r + 0.02));
        gain += weight * Math.max(0, both - Math.max(ra, rb) ** 2);
      }
      return total > 0 ? gain / total : 0;
    },

    product(a, b) {
      load(0, a);
      load(1, b);
      return product(0, 1) / a.length;
    },
  };
}

/** Standard deviation of a block's pixels. */
function deviation(data: Uint8Array, { x, y }: Point): number {
  let sum = 0;
  let squares = 0;
  for (let row = y; row < y + BLOCK; row++) {
    for (let at = row * QUARTER_WIDTH + x, end = at + BLOCK; at < end; at++) {
      sum += data[at]!;
      squares += data[at]! ** 2;
    }
  }
  const mean = sum / BLOCK ** 2;
  return Math.sqrt(Math.max(0, squares / BLOCK ** 2 - mean * mean));
}
