import { type Kernel, QUARTER_HEIGHT, QUARTER_WIDTH } from './kernel.ts';

/** Whether pictures of a quarter's size show the same, whatever the light and however far the camera or things moved: correlation of blocks, each looked for nearby. */
export type Likeness = {
  /**
   * How much of a picture's structure is found in another one, 0 to 1, in the direction in which it is more. Frames of one shot: 0.74 and more; of two: below.
   */
  likeness(a: Uint8Array, b: Uint8Array): number;
  /** How much better a picture is explained as a blend of two others than as either one, block by block, each looked for nearby: a share of its structure. */
  blendGain(middle: Uint8Array, before: Uint8Array, after: Uint8Array): number;
  /** Mean product of two pictures' pixels. */
  product(a: Uint8Array, b: Uint8Array): number;
};

const BLOCK = 16;
/** Pixels that each block is looked for around where it should be. */
const REACH = 4;
/** Search for the motion of the whole, at half of this size: a whip pan goes a third of the picture from one frame to the next. */
const PAN_REACH_X = 18;
const PAN_REACH_Y = 6;
/** Surely the same: the other direction need not be tried. */
const SURE = 0.85;

type Place = { x: number; y: number };
type Found = Place & { correlation: number };

/** The blocks that a picture is compared by. */
const PLACES: readonly Place[] = Array.from(
  { length: (QUARTER_WIDTH / BLOCK) * (QUARTER_HEIGHT / BLOCK) },
  (_, at) => ({
    x: (at % (QUARTER_WIDTH / BLOCK)) * BLOCK,
    y: Math.floor(at / (QUARTER_WIDTH / BLOCK)) * BLOCK,
  }),
);

export function createLikeness({ hold, product, correlate }: Pick<Kernel, 'hold' | 'product' | 'correlate'>): Likeness {
  /** Where the block of one hand's picture at `from` is found best in another's around `at`: at half size, then a pixel around there. */
  function search(a: number, from: Place, b: number, at: Place): Found {
    const coarse = searchIn(true, a, { x: from.x >> 1, y: from.y >> 1 }, b, { x: at.x >> 1, y: at.y >> 1 }, REACH / 2);
    return searchIn(false, a, from, b, { x: coarse.x * 2, y: coarse.y * 2 }, 1);
  }

  function searchIn(half: boolean, a: number, block: Place, b: number, around: Place, reach: number): Found {
    const scale = half ? 2 : 1;
    const side = BLOCK / scale;
    const best: Found = { correlation: -1, x: block.x, y: block.y };
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

  /** How far the picture as a whole moved from one to the other, in pixels: every second pixel, then around the best. */
  function panBetween(a: number, b: number): Place {
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

  function foundIn(picture: Uint8Array, a: number, b: number, pan: Place): number {
    let found = 0;
    let total = 0;
    for (const place of PLACES) {
      let best = search(a, place, b, place).correlation;
      if (pan.x !== 0 || pan.y !== 0) {
        best = Math.max(best, search(a, place, b, { x: place.x + pan.x, y: place.y + pan.y }).correlation);
      }
      const weight = deviation(picture, place);
      found += weight * Math.max(0, best);
      total += weight;
    }
    return total > 0 ? found / total : 0;
  }

  return {
    likeness(a, b) {
      hold(0, a);
      hold(1, b);
      const pan = panBetween(0, 1);
      const forth = foundIn(a, 0, 1, pan);
      return forth >= SURE ? forth : Math.max(forth, foundIn(b, 1, 0, { x: -pan.x, y: -pan.y }));
    },

    blendGain(middle, before, after) {
      hold(0, before);
      hold(1, middle);
      hold(2, after);
      let gain = 0;
      let total = 0;
      for (const place of PLACES) {
        const weight = deviation(middle, place);
        total += weight;
        const first = search(1, place, 0, place);
        const second = search(1, place, 2, place);
        const [ra, rb] = [first.correlation, second.correlation];
        if (ra <= 0 || rb <= 0) continue;
        const r = correlate(false, 0, first.x, first.y, 2, second.x, second.y, BLOCK, BLOCK);
        // Both have to add to it.
        if (ra <= rb * r || rb <= ra * r) continue;
        const both = Math.min(1, (ra * ra + rb * rb - 2 * ra * rb * r) / (1 - r * r + 0.02));
        gain += weight * Math.max(0, both - Math.max(ra, rb) ** 2);
      }
      return total > 0 ? gain / total : 0;
    },

    product(a, b) {
      hold(0, a);
      hold(1, b);
      return product(0, 1) / a.length;
    },
  };
}

/** Standard deviation of a block's pixels. */
function deviation(data: Uint8Array, { x, y }: Place): number {
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
