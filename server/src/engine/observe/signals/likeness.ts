import { HEIGHT, WIDTH } from './kernel.ts';

/** Whether small pictures show the same, whatever the light and however far the camera or things moved: normalised correlation of blocks, each looked for nearby. */

/** The pictures compared: a quarter of the analysis picture's size. */
export const SMALL_WIDTH = WIDTH / 4;
export const SMALL_HEIGHT = HEIGHT / 4;
const BLOCK = 16;
/** Pixels that each block is looked for around where it should be. */
const REACH = 4;
/** Variance that coding leaves in plain areas: they are not alike nor unlike. */
const PLAIN = 2;
/** Search for the motion of the whole, at half of this size: a whip pan goes a third of the picture from one frame to the next. */
const PAN_REACH_X = 18;
const PAN_REACH_Y = 6;
/** Surely the same: the other direction need not be tried. */
const SURE = 0.85;

/** A picture with a copy of half its size: what is looked for is found there first. */
export type Small = { data: Uint8Array; half: Uint8Array };

type Patch = { data: Uint8Array; width: number; x: number; y: number };
type Place = { x: number; y: number };
type Found = Place & { correlation: number };

/** For a picture of `SMALL_WIDTH × SMALL_HEIGHT`. */
export function small(picture: Uint8Array): Small {
  const half = new Uint8Array(picture.length / 4);
  for (let y = 0, to = 0; y < SMALL_HEIGHT; y += 2) {
    for (let x = 0, at = y * SMALL_WIDTH; x < SMALL_WIDTH; x += 2, at += 2) {
      half[to++] =
        (picture[at]! + picture[at + 1]! + picture[at + SMALL_WIDTH]! + picture[at + SMALL_WIDTH + 1]! + 2) >> 2;
    }
  }
  return { data: picture, half };
}

/**
 * How much of a picture's structure is found in another one, 0 to 1, in the direction in which it is more. Frames of one shot: 0.74 and more; of two: below.
 */
export function likeness(a: Small, b: Small): number {
  const pan = panBetween(a.half, b.half);
  const forth = foundIn(a, b, pan);
  return forth >= SURE ? forth : Math.max(forth, foundIn(b, a, { x: -pan.x, y: -pan.y }));
}

/** How much better a picture is explained as a blend of two others than as either one, block by block, each looked for nearby: a share of its structure. */
export function blendGain(middle: Small, before: Small, after: Small): number {
  let gain = 0;
  let total = 0;
  eachBlock((place) => {
    const weight = deviation(middle.data, place);
    total += weight;
    const first = search(middle, place, before, place);
    const second = search(middle, place, after, place);
    const [ra, rb] = [first.correlation, second.correlation];
    if (ra <= 0 || rb <= 0) return;
    const r = correlate(patch(before.data, first), patch(after.data, second), BLOCK, BLOCK);
    // Both have to add to it.
    if (ra <= rb * r || rb <= ra * r) return;
    const both = Math.min(1, (ra * ra + rb * rb - 2 * ra * rb * r) / (1 - r * r + 0.02));
    gain += weight * Math.max(0, both - Math.max(ra, rb) ** 2);
  });
  return total > 0 ? gain / total : 0;
}

function foundIn(a: Small, b: Small, pan: Place): number {
  let found = 0;
  let total = 0;
  eachBlock((place) => {
    let best = search(a, place, b, place).correlation;
    if (pan.x !== 0 || pan.y !== 0) {
      best = Math.max(best, search(a, place, b, { x: place.x + pan.x, y: place.y + pan.y }).correlation);
    }
    const weight = deviation(a.data, place);
    found += weight * Math.max(0, best);
    total += weight;
  });
  return total > 0 ? found / total : 0;
}

function eachBlock(visit: (place: Place) => void): void {
  for (let y = 0; y + BLOCK <= SMALL_HEIGHT; y += BLOCK) {
    for (let x = 0; x + BLOCK <= SMALL_WIDTH; x += BLOCK) visit({ x, y });
  }
}

const patch = (data: Uint8Array, { x, y }: Place): Patch => ({ data, width: SMALL_WIDTH, x, y });

/** Where the block at `from` is found best in another picture around `at`: at half size, then a pixel around there. */
function search(a: Small, from: Place, b: Small, at: Place): Found {
  const half = (place: Place, data: Uint8Array): Patch => {
    return { data, width: SMALL_WIDTH / 2, x: place.x >> 1, y: place.y >> 1 };
  };
  const coarse = searchIn(half(from, a.half), half(at, b.half), REACH / 2, BLOCK / 2);
  const fine = { x: coarse.x * 2, y: coarse.y * 2 };
  return searchIn(patch(a.data, from), patch(b.data, fine), 1, BLOCK);
}

function searchIn(block: Patch, around: Patch, reach: number, side: number): Found {
  const { data, width } = around;
  const height = data.length / width;
  const best: Found = { correlation: -1, x: block.x, y: block.y };
  const there: Patch = { data, width, x: 0, y: 0 };
  const last = { x: Math.min(width - side, around.x + reach), y: Math.min(height - side, around.y + reach) };
  for (there.y = Math.max(0, around.y - reach); there.y <= last.y; there.y++) {
    for (there.x = Math.max(0, around.x - reach); there.x <= last.x; there.x++) {
      const correlation = correlate(block, there, side, side);
      if (correlation <= best.correlation) continue;
      best.correlation = correlation;
      best.x = there.x;
      best.y = there.y;
    }
  }
  return best;
}

/** How far the picture as a whole moved from one to the other, in pixels: every second pixel, then around the best. */
function panBetween(a: Uint8Array, b: Uint8Array): Place {
  const [width, height] = [SMALL_WIDTH / 2, SMALL_HEIGHT / 2];
  let best = { x: 0, y: 0, correlation: -1 };
  const tryAt = (x: number, y: number) => {
    const from = { data: a, width, x: Math.max(0, -x), y: Math.max(0, -y) };
    const to = { data: b, width, x: Math.max(0, x), y: Math.max(0, y) };
    const correlation = correlate(from, to, width - Math.abs(x), height - Math.abs(y));
    if (correlation > best.correlation) best = { x, y, correlation };
  };
  for (let y = -PAN_REACH_Y; y <= PAN_REACH_Y; y += 2) {
    for (let x = -PAN_REACH_X; x <= PAN_REACH_X; x += 2) tryAt(x, y);
  }
  const { x, y } = best;
  for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) tryAt(x + dx, y + dy);
  return { x: 2 * best.x, y: 2 * best.y };
}

function correlate(a: Patch, b: Patch, width: number, height: number): number {
  let sumA = 0;
  let sumB = 0;
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  for (let y = 0; y < height; y++) {
    let p = (a.y + y) * a.width + a.x;
    let q = (b.y + y) * b.width + b.x;
    for (const end = p + width; p < end; p++, q++) {
      const u = a.data[p]!;
      const v = b.data[q]!;
      sumA += u;
      sumB += v;
      squaresA += u * u;
      squaresB += v * v;
      products += u * v;
    }
  }
  const pixels = width * height;
  const floor = PLAIN * pixels;
  const varianceA = squaresA - (sumA * sumA) / pixels + floor;
  const varianceB = squaresB - (sumB * sumB) / pixels + floor;
  return (products - (sumA * sumB) / pixels) / Math.sqrt(varianceA * varianceB);
}

/** Standard deviation of a block's pixels. */
function deviation(data: Uint8Array, { x, y }: Place): number {
  let sum = 0;
  let squares = 0;
  for (let row = y; row < y + BLOCK; row++) {
    for (let at = row * SMALL_WIDTH + x, end = at + BLOCK; at < end; at++) {
      sum += data[at]!;
      squares += data[at]! ** 2;
    }
  }
  const mean = sum / BLOCK ** 2;
  return Math.sqrt(Math.max(0, squares / BLOCK ** 2 - mean * mean));
}
