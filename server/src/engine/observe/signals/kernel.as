// Pixel operations of the signals observer in AssemblyScript, compiled to SIMD WebAssembly by `test/build-kernel.ts`.
// `kernel.reference.ts` is the same in plain TypeScript; a test compares them bit for bit. All sums are integers, so
// their order does not matter.

/** The analysis frame in pixels: 20 × 12 blocks of 16 × 16, or 10 × 6 blocks of 32 × 32. */
const WIDTH: i32 = 320;
const HEIGHT: i32 = 192;
const BLOCK: i32 = 16;
const COLUMNS: i32 = WIDTH / BLOCK;
const ROWS: i32 = HEIGHT / BLOCK;

/** A frame is stored at full, half and quarter size, one after the other. */
const HALF_WIDTH: i32 = WIDTH / 2;
const HALF_HEIGHT: i32 = HEIGHT / 2;
const QUARTER_WIDTH: i32 = WIDTH / 4;
const QUARTER_HEIGHT: i32 = HEIGHT / 4;
const HALF: i32 = WIDTH * HEIGHT;
const QUARTER: i32 = HALF + HALF_WIDTH * HALF_HEIGHT;
const SLOT: i32 = QUARTER + QUARTER_WIDTH * QUARTER_HEIGHT;

/** Search range at quarter size: ±5 is ±20 pixels at full size. */
const COARSE_RANGE: i32 = 5;
const MIDDLE_RANGE: i32 = 2;
/** Maximum steps at full size after the search at half size. */
const FINE_STEPS: i32 = 4;
/** A block that differs less than this from the same position before (1.5 per pixel) is not searched. */
const STILL: i32 = (BLOCK * BLOCK * 3) / 2;
const OUTSIDE: i32 = i32.MAX_VALUE;
/** Maximum compensated change of light, in gray levels per frame. */
const MAX_SHIFT: i32 = 16;

const slots = memory.data(2 * 80640, 16);
/** Constants of inner loops are loaded before them: the compiler would create them again in every step. */
const ONES = memory.data<i16>([1, 1, 1, 1, 1, 1, 1, 1], 16);
const EVEN_BYTES = memory.data<i16>([255, 255, 255, 255, 255, 255, 255, 255], 16);
const DARK = memory.data<u8>([31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31], 16);
const BRIGHT = memory.data<u8>([224, 224, 224, 224, 224, 224, 224, 224, 224, 224, 224, 224, 224, 224, 224, 224], 16);

/** Memory layout; see `kernel.ts`. */
const stats = memory.data(8 * 10, 16);
const shifts = memory.data(4 * 511, 16);
const vectors = memory.data(4 * 8 * 240, 16);
/** For every position at quarter size the sum of the 8 × 8 pixels from there; values past the end are not used. */
const boxes = memory.data(2 * 3840 + 16, 16);
const coarse = memory.data(4 * 2 * 60, 16);
const models = memory.data(4 * 2 * 240, 16);
/** Three comparison buffers at quarter size, each followed by a copy of half its size. */
const BUFFER_BYTES: i32 = (QUARTER_WIDTH * QUARTER_HEIGHT * 5) / 4;
const BUFFER_HALF: i32 = QUARTER_WIDTH * QUARTER_HEIGHT;
const buffers = memory.data(3 * 4800, 16);

export function slotAddress(slot: i32): i32 {
  return <i32>slots + slot * SLOT;
}
export function statsAddress(): i32 {
  return <i32>stats;
}
export function vectorsAddress(): i32 {
  return <i32>vectors;
}
export function modelsAddress(): i32 {
  return <i32>models;
}

export function bufferAddress(buffer: i32): i32 {
  return <i32>buffers + buffer * BUFFER_BYTES;
}

@inline
function absoluteDifference(a: v128, b: v128): v128 {
  return v128.sub<i8>(v128.max<u8>(a, b), v128.min<u8>(a, b));
}

@inline
function lanes(sum: v128): i32 {
  return (
    v128.extract_lane<i32>(sum, 0) +
    v128.extract_lane<i32>(sum, 1) +
    v128.extract_lane<i32>(sum, 2) +
    v128.extract_lane<i32>(sum, 3)
  );
}

/** Sum of eight small 16-bit numbers: fewer steps than `lanes`, which a search would call thousands of times. */
@inline
function total(sums: v128, ones: v128): i32 {
  const pairs = i32x4.dot_i16x8_s(sums, ones);
  const two = i32x4.add(pairs, v128.shuffle<i32>(pairs, pairs, 2, 3, 0, 1));
  return v128.extract_lane<i32>(i32x4.add(two, v128.shuffle<i32>(two, two, 1, 0, 3, 2)), 0);
}

/** Halves a plane: each pixel is the rounded mean of four. The width is a multiple of 32. */
function halve(from: i32, width: i32, height: i32, to: i32): void {
  for (let y = 0; y < height; y += 2) {
    const row = from + y * width;
    for (let x = 0; x < width; x += 32) {
      const a = row + x;
      const left = meanOfPairs(a, a + width);
      const right = meanOfPairs(a + 16, a + 16 + width);
      v128.store(to + (x >> 1), i8x16.narrow_i16x8_u(left, right));
    }
    to += width >> 1;
  }
}

@inline
function meanOfPairs(top: i32, bottom: i32): v128 {
  const sum = i16x8.add(
    i16x8.extadd_pairwise_i8x16_u(v128.load(top)),
    i16x8.extadd_pairwise_i8x16_u(v128.load(bottom)),
  );
  return i16x8.shr_u(i16x8.add(sum, i16x8.splat(2)), 2);
}

/** Reads the frame in a slot: creates its smaller copies and writes its figures to `stats`. */
export function ingest(slot: i32): void {
  const base = slotAddress(slot);
  halve(base, WIDTH, HEIGHT, base + HALF);
  halve(base + HALF, HALF_WIDTH, HALF_HEIGHT, base + QUARTER);

  const evenBytes = v128.load(EVEN_BYTES);
  const darkest = v128.load(DARK);
  const brightest = v128.load(BRIGHT);
  let sum = i32x4.splat(0);
  let squares = i32x4.splat(0);
  let dark = i32x4.splat(0);
  let bright = i32x4.splat(0);
  for (let row = base, end = base + WIDTH * HEIGHT; row < end; row += WIDTH) {
    let sums = i16x8.splat(0);
    let darks = i8x16.splat(0);
    let brights = i8x16.splat(0);
    for (let at = row; at < row + WIDTH; at += 16) {
      const pixels = v128.load(at);
      const even = v128.and(pixels, evenBytes);
      const odd = i16x8.shr_u(pixels, 8);
      sums = i16x8.add(sums, i16x8.add(even, odd));
      squares = i32x4.add(squares, i32x4.add(i32x4.dot_i16x8_s(even, even), i32x4.dot_i16x8_s(odd, odd)));
      // True lanes are -1.
      darks = i8x16.sub(darks, i8x16.le_u(pixels, darkest));
      brights = i8x16.sub(brights, i8x16.ge_u(pixels, brightest));
    }
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(sums));
    dark = i32x4.add(dark, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(darks)));
    bright = i32x4.add(bright, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(brights)));
  }
  store<f64>(stats, <f64>lanes(sum));
  // Up to 4.0e9, which fits 32 bits without a sign.
  store<f64>(stats + 8, <f64>(<u32>lanes(squares)));
  store<f64>(stats + 16, <f64>lanes(dark));
  store<f64>(stats + 24, <f64>lanes(bright));
  store<f64>(stats + 32, <f64>laplacian(base));

  store<f64>(stats + 40, <f64>productOf(base + QUARTER, base + QUARTER));

  let quarterSum = i32x4.splat(0);
  for (let at = base + QUARTER, end = base + SLOT; at < end; at += 16) {
    quarterSum = i32x4.add(quarterSum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v128.load(at))));
  }
  store<f64>(stats + 48, <f64>lanes(quarterSum));
}

/** Sum of the products of the pixels of two frames at quarter size, up to 2.5e8. Used for their correlation. */
function productOf(a: i32, b: i32): i32 {
  let sum = i32x4.splat(0);
  for (let at = 0; at < SLOT - QUARTER; at += 16) {
    const first = v128.load(a + at);
    const second = v128.load(b + at);
    const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(first), i16x8.extend_low_i8x16_u(second));
    const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(first), i16x8.extend_high_i8x16_u(second));
    sum = i32x4.add(sum, i32x4.add(low, high));
  }
  return lanes(sum);
}

/** Sum of absolute differences of two frames at full size. */
function differenceOf(a: i32, b: i32): i32 {
  let sum = i32x4.splat(0);
  for (let at = 0; at < HALF; at += 16) {
    const pairs = i16x8.extadd_pairwise_i8x16_u(absoluteDifference(v128.load(a + at), v128.load(b + at)));
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(pairs));
  }
  return lanes(sum);
}

/**
 * Change of light or exposure between two frames: the median difference of the pixels at quarter size. 0 if it does not
 * bring seven in ten pixels closer (objects moved), and if it is large (a cut or a flash).
 */
function lightShift(a: i32, b: i32): i32 {
  if (medianIsZero(a + QUARTER, b + QUARTER)) return 0;
  memory.fill(shifts, 0, 4 * 511);
  for (let at = QUARTER; at < SLOT; at++) {
    const bin = shifts + (<i32>load<u8>(a + at) - <i32>load<u8>(b + at) + 255) * 4;
    store<i32>(bin, load<i32>(bin) + 1);
  }
  const pixels = SLOT - QUARTER;
  let median: i32 = -256;
  for (let below: i32 = 0; below * 2 < pixels; below += load<i32>(shifts + (median + 255) * 4)) median++;
  if (median > MAX_SHIFT || median < -MAX_SHIFT) return 0;
  let nearer: i32 = 0;
  for (let shift = -255; shift <= 255; shift++) {
    if (median > 0 ? shift * 2 > median : shift * 2 < median) nearer += load<i32>(shifts + (shift + 255) * 4);
  }
  return nearer * 10 >= pixels * 7 ? median : 0;
}

/** True if the median difference of two frames at quarter size is 0, the usual case; much cheaper than the median. */
function medianIsZero(a: i32, b: i32): bool {
  const pixels = SLOT - QUARTER;
  let below: i32 = 0;
  let above: i32 = 0;
  for (let at = 0; at < pixels; at += 16) {
    const first = v128.load(a + at);
    const second = v128.load(b + at);
    below += popcnt<i32>(i8x16.bitmask(i8x16.lt_u(first, second)));
    above += popcnt<i32>(i8x16.bitmask(i8x16.gt_u(first, second)));
  }
  return below * 2 < pixels && above * 2 <= pixels;
}

/** Makes a frame brighter or darker, at all sizes. */
function brighten(a: i32, by: i32): void {
  if (by == 0) return;
  const amount = i8x16.splat(<i8>(by > 0 ? by : -by));
  for (let at = a, end = a + SLOT; at < end; at += 16) {
    const pixels = v128.load(at);
    v128.store(at, by > 0 ? i8x16.add_sat_u(pixels, amount) : i8x16.sub_sat_u(pixels, amount));
  }
}

/** Sum of the squared Laplacian over every second row, without a border of 16 pixels at the sides. */
function laplacian(base: i32): i64 {
  let total: i64 = 0;
  for (let y = 1; y < HEIGHT - 1; y += 2) {
    let row = i32x4.splat(0);
    let at = base + y * WIDTH + 16;
    const end = base + y * WIDTH + WIDTH - 16;
    for (; at < end; at += 8) {
      const around = i16x8.add(
        i16x8.add(v128.load_ext<u8>(at - 1), v128.load_ext<u8>(at + 1)),
        i16x8.add(v128.load_ext<u8>(at - WIDTH), v128.load_ext<u8>(at + WIDTH)),
      );
      const edge = i16x8.sub(i16x8.shl(v128.load_ext<u8>(at), 2), around);
      row = i32x4.add(row, i32x4.dot_i16x8_s(edge, edge));
    }
    total += <i64>lanes(row);
  }
  return total;
}

/** Sum of absolute differences of two 16 × 16 blocks at full size. */
@inline
function difference16(a: i32, b: i32, ones: v128): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < BLOCK; y++) {
    sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(v128.load(a), v128.load(b))));
    a += WIDTH;
    b += WIDTH;
  }
  return total(sum, ones);
}

/** Two rows of eight pixels. */
@inline
function twoRows(at: i32, stride: i32): v128 {
  return v128.load64_lane(at + stride, v128.load64_zero(at), 1);
}

/** Eight sums of eight rows of eight pixels, passed in pairs. */
@inline
function sumsOf8(a0: v128, a1: v128, a2: v128, a3: v128): v128 {
  const upper = i16x8.add(i16x8.extadd_pairwise_i8x16_u(a0), i16x8.extadd_pairwise_i8x16_u(a1));
  const lower = i16x8.add(i16x8.extadd_pairwise_i8x16_u(a2), i16x8.extadd_pairwise_i8x16_u(a3));
  return i16x8.add(upper, lower);
}

@inline
function difference8(a0: v128, a1: v128, a2: v128, a3: v128, b: i32, stride: i32, ones: v128): i32 {
  const d0 = absoluteDifference(a0, twoRows(b, stride));
  const d1 = absoluteDifference(a1, twoRows(b + 2 * stride, stride));
  const d2 = absoluteDifference(a2, twoRows(b + 4 * stride, stride));
  const d3 = absoluteDifference(a3, twoRows(b + 6 * stride, stride));
  return total(sumsOf8(d0, d1, d2, d3), ones);
}

let bestX: i32 = 0;
let bestY: i32 = 0;
let bestCost: i32 = 0;

/**
 * Full search of the 8 × 8 block at (`x`, `y`) at half size around (`fromX`, `fromY`). Updates `best*` if a match is
 * better.
 */
function searchHalf(a: i32, b: i32, x: i32, y: i32, fromX: i32, fromY: i32, range: i32): void {
  const ones = v128.load(ONES);
  const at = a + y * HALF_WIDTH + x;
  const a0 = twoRows(at, HALF_WIDTH);
  const a1 = twoRows(at + 2 * HALF_WIDTH, HALF_WIDTH);
  const a2 = twoRows(at + 4 * HALF_WIDTH, HALF_WIDTH);
  const a3 = twoRows(at + 6 * HALF_WIDTH, HALF_WIDTH);
  const left = max<i32>(fromX - range, -x);
  const right = min<i32>(fromX + range, HALF_WIDTH - 8 - x);
  const top = max<i32>(fromY - range, -y);
  const bottom = min<i32>(fromY + range, HALF_HEIGHT - 8 - y);
  for (let dy = top; dy <= bottom; dy++) {
    const row = b + (y + dy) * HALF_WIDTH + x;
    for (let dx = left; dx <= right; dx++) {
      const cost = difference8(a0, a1, a2, a3, row + dx, HALF_WIDTH, ones);
      if (cost < bestCost) {
        bestCost = cost;
        bestX = dx;
        bestY = dy;
      }
    }
  }
}

/** Fills `boxes`: down the columns first, then along the rows. */
function sumBoxes(picture: i32): void {
  for (let x = 0; x < QUARTER_WIDTH; x += 8) {
    let next = picture + x;
    let sum = i16x8.splat(0);
    for (let y = 0; y < 8; y++, next += QUARTER_WIDTH) sum = i16x8.add(sum, v128.load_ext<u8>(next));
    let to = boxes + 2 * x;
    v128.store(to, sum);
    for (let y = 8; y < QUARTER_HEIGHT; y++, next += QUARTER_WIDTH) {
      sum = i16x8.sub(i16x8.add(sum, v128.load_ext<u8>(next)), v128.load_ext<u8>(next - 8 * QUARTER_WIDTH));
      v128.store((to += 2 * QUARTER_WIDTH), sum);
    }
  }
  for (let at = boxes, end = at + 2 * QUARTER_WIDTH * (QUARTER_HEIGHT - 7); at < end; at += 16) {
    const near = i16x8.add(i16x8.add(v128.load(at), v128.load(at, 2)), i16x8.add(v128.load(at, 4), v128.load(at, 6)));
    const far = i16x8.add(i16x8.add(v128.load(at, 8), v128.load(at, 10)), i16x8.add(v128.load(at, 12), v128.load(at, 14)));
    v128.store(at, i16x8.add(near, far));
  }
}

/**
 * Full search of the 8 × 8 block at (`x`, `y`) at quarter size around its position; `boxes` are those of the other frame.
 * Pixels differ at least as much as their sums: only positions whose sum is closer than the best difference so far are
 * compared, one in five to twenty.
 */
function searchQuarter(a: i32, b: i32, x: i32, y: i32): void {
  const ones = v128.load(ONES);
  const at = a + y * QUARTER_WIDTH + x;
  const a0 = twoRows(at, QUARTER_WIDTH);
  const a1 = twoRows(at + 2 * QUARTER_WIDTH, QUARTER_WIDTH);
  const a2 = twoRows(at + 4 * QUARTER_WIDTH, QUARTER_WIDTH);
  const a3 = twoRows(at + 6 * QUARTER_WIDTH, QUARTER_WIDTH);
  const sum = i16x8.splat(<i16>total(sumsOf8(a0, a1, a2, a3), ones));
  const left = max<i32>(-COARSE_RANGE, -x);
  const right = min<i32>(COARSE_RANGE, QUARTER_WIDTH - 8 - x);
  const top = max<i32>(-COARSE_RANGE, -y);
  const bottom = min<i32>(COARSE_RANGE, QUARTER_HEIGHT - 8 - y);
  bestX = 0;
  bestY = 0;
  bestCost = difference8(a0, a1, a2, a3, b + y * QUARTER_WIDTH + x, QUARTER_WIDTH, ones);
  for (let dy = top; dy <= bottom; dy++) {
    const place = (y + dy) * QUARTER_WIDTH + x;
    for (let from = left; from <= right; from += 8) {
      const off = i16x8.abs(i16x8.sub(v128.load(boxes + 2 * (place + from)), sum));
      let near = i16x8.bitmask(i16x8.lt_s(off, i16x8.splat(<i16>bestCost)));
      for (; near != 0; near &= near - 1) {
        const dx = from + ctz<i32>(near);
        if (dx > right) break;
        const cost = difference8(a0, a1, a2, a3, b + place + dx, QUARTER_WIDTH, ones);
        if (cost < bestCost) {
          bestCost = cost;
          bestX = dx;
          bestY = dy;
        }
      }
    }
  }
}

@inline
function costAt(a: i32, b: i32, x: i32, y: i32, dx: i32, dy: i32): i32 {
  const fromX = x + dx;
  const fromY = y + dy;
  if (fromX < 0 || fromY < 0 || fromX > WIDTH - BLOCK || fromY > HEIGHT - BLOCK) return OUTSIDE;
  return difference16(a + y * WIDTH + x, b + fromY * WIDTH + fromX, v128.load(ONES));
}

let left: i32 = 0;
let right: i32 = 0;
let above: i32 = 0;
let below: i32 = 0;

/** Costs one pixel to each side of a block's previous position; one walk over its rows if all are in the frame. */
function lookAround(a: i32, b: i32, x: i32, y: i32, dx: i32, dy: i32): void {
  const fromX = x + dx;
  const fromY = y + dy;
  if (fromX < 1 || fromY < 1 || fromX > WIDTH - BLOCK - 1 || fromY > HEIGHT - BLOCK - 1) {
    left = costAt(a, b, x, y, dx - 1, dy);
    right = costAt(a, b, x, y, dx + 1, dy);
    above = costAt(a, b, x, y, dx, dy - 1);
    below = costAt(a, b, x, y, dx, dy + 1);
    return;
  }
  let to = a + y * WIDTH + x;
  let from = b + fromY * WIDTH + fromX;
  let before = v128.load(from - WIDTH);
  let here = v128.load(from);
  let lefts = i16x8.splat(0);
  let rights = i16x8.splat(0);
  let aboves = i16x8.splat(0);
  let belows = i16x8.splat(0);
  for (let row = 0; row < BLOCK; row++) {
    const pixels = v128.load(to);
    const after = v128.load(from + WIDTH);
    lefts = i16x8.add(lefts, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(pixels, v128.load(from - 1))));
    rights = i16x8.add(rights, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(pixels, v128.load(from + 1))));
    aboves = i16x8.add(aboves, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(pixels, before)));
    belows = i16x8.add(belows, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(pixels, after)));
    before = here;
    here = after;
    to += WIDTH;
    from += WIDTH;
  }
  const ones = v128.load(ONES);
  left = total(lefts, ones);
  right = total(rights, ones);
  above = total(aboves, ones);
  below = total(belows, ones);
}

/**
 * Compares the frame in `slot` with the other slot's, which is overwritten: it is adjusted to the same light first. Finds
 * every block's previous position, coarse to fine, then by descent at full size.
 * Writes eight numbers per block to `vectors`: dx, dy, the difference there, left, right, above and below of it, and at
 * zero displacement.
 */
export function match(slot: i32): void {
  const a = slotAddress(slot);
  const b = slotAddress(1 - slot);
  store<f64>(stats + 64, <f64>productOf(a + QUARTER, b + QUARTER));
  const shift = lightShift(a, b);
  store<f64>(stats + 72, <f64>shift);
  let difference = shift == 0 ? 0 : differenceOf(a, b);
  brighten(b, shift);
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const x = column * BLOCK;
      const y = row * BLOCK;
      const cost = costAt(a, b, x, y, 0, 0);
      store<i32>(vectors + (row * COLUMNS + column) * 32 + 28, cost);
      if (shift == 0) difference += cost;
    }
  }
  store<f64>(stats + 56, <f64>difference);
  matchCoarse(a, b);
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) matchBlock(a, b, row, column);
  }
}

function matchCoarse(a: i32, b: i32): void {
  let summed = false;
  for (let row = 0; row < ROWS / 2; row++) {
    for (let column = 0; column < COLUMNS / 2; column++) {
      bestX = 0;
      bestY = 0;
      const first = vectors + (2 * row * COLUMNS + 2 * column) * 32 + 28;
      const second = first + COLUMNS * 32;
      const still =
        load<i32>(first) < STILL &&
        load<i32>(first + 32) < STILL &&
        load<i32>(second) < STILL &&
        load<i32>(second + 32) < STILL;
      if (!still) {
        if (!summed) sumBoxes(b + QUARTER);
        summed = true;
        searchQuarter(a + QUARTER, b + QUARTER, column * 8, row * 8);
      }
      const at = coarse + (row * (COLUMNS / 2) + column) * 8;
      store<i32>(at, bestX);
      store<i32>(at + 4, bestY);
    }
  }
}

function matchBlock(a: i32, b: i32, row: i32, column: i32): void {
  const x = column * BLOCK;
  const y = row * BLOCK;
  const out = vectors + (row * COLUMNS + column) * 32;
  const still = load<i32>(out + 28);
  let dx: i32 = 0;
  let dy: i32 = 0;
  let cost = still;
  if (still >= STILL) {
    const parent = coarse + ((row >> 1) * (COLUMNS / 2) + (column >> 1)) * 8;
    bestX = 0;
    bestY = 0;
    bestCost = OUTSIDE;
    // Zero motion wins a tie.
    searchHalf(a + HALF, b + HALF, x >> 1, y >> 1, 0, 0, 0);
    searchHalf(a + HALF, b + HALF, x >> 1, y >> 1, 0, 0, 1);
    const parentX = load<i32>(parent) * 2;
    const parentY = load<i32>(parent + 4) * 2;
    searchHalf(a + HALF, b + HALF, x >> 1, y >> 1, parentX, parentY, MIDDLE_RANGE);
    const there = costAt(a, b, x, y, bestX * 2, bestY * 2);
    if (there < cost) {
      dx = bestX * 2;
      dy = bestY * 2;
      cost = there;
    }
  }
  lookAround(a, b, x, y, dx, dy);
  for (let step = 0; step < FINE_STEPS; step++) {
    const best = min<i32>(min<i32>(left, right), min<i32>(above, below));
    if (best >= cost) break;
    if (best == left) dx--;
    else if (best == right) dx++;
    else if (best == above) dy--;
    else dy++;
    cost = best;
    lookAround(a, b, x, y, dx, dy);
  }
  store<i32>(out, dx);
  store<i32>(out + 4, dy);
  store<i32>(out + 8, cost);
  store<i32>(out + 12, left);
  store<i32>(out + 16, right);
  store<i32>(out + 20, above);
  store<i32>(out + 24, below);
}

/** Differences at the displacements in `models` (dx, dy per block); replaces the first of each pair, -1 if outside. */
export function compareModels(slot: i32): void {
  const a = slotAddress(slot);
  const b = slotAddress(1 - slot);
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const at = models + (row * COLUMNS + column) * 8;
      const cost = costAt(a, b, column * BLOCK, row * BLOCK, load<i32>(at), load<i32>(at + 4));
      store<i32>(at, cost == OUTSIDE ? -1 : cost);
    }
  }
}

/** Prepares a comparison buffer: creates its smaller copy. */
export function prepareBuffer(buffer: i32): void {
  const at = bufferAddress(buffer);
  let to = at + BUFFER_HALF;
  for (let row = at; row < at + BUFFER_HALF; row += 2 * QUARTER_WIDTH) {
    for (let x = 0; x < QUARTER_WIDTH; x += 16) {
      const means = meanOfPairs(row + x, row + x + QUARTER_WIDTH);
      v128.store64_lane(to, i8x16.narrow_i16x8_u(means, means), 0);
      to += 8;
    }
  }
}

/** Sum of the products of the pixels of two comparison buffers. */
export function product(a: i32, b: i32): i32 {
  return productOf(bufferAddress(a), bufferAddress(b));
}

/** Variance that coding leaves in plain areas, which are neither alike nor different. */
const PLAIN: f64 = 2;

/** Correlation, -1 to 1, of two rectangles of the same size in two comparison buffers, or in their smaller copies. */
export function correlate(
  half: i32,
  a: i32,
  aX: i32,
  aY: i32,
  b: i32,
  bX: i32,
  bY: i32,
  width: i32,
  height: i32,
): f64 {
  const stride = half ? QUARTER_WIDTH / 2 : QUARTER_WIDTH;
  const offset = half ? BUFFER_HALF : 0;
  let p = bufferAddress(a) + offset + aY * stride + aX;
  let q = bufferAddress(b) + offset + bY * stride + bX;
  const ones = i16x8.splat(1);
  let sumsA = i32x4.splat(0);
  let sumsB = i32x4.splat(0);
  let squaresOfA = i32x4.splat(0);
  let squaresOfB = i32x4.splat(0);
  let productsOf = i32x4.splat(0);
  let sumA: i32 = 0;
  let sumB: i32 = 0;
  let squaresA: i32 = 0;
  let squaresB: i32 = 0;
  let products: i32 = 0;
  for (let y = 0; y < height; y++) {
    let x: i32 = 0;
    for (; x + 8 <= width; x += 8) {
      const u = v128.load_ext<u8>(p + x);
      const v = v128.load_ext<u8>(q + x);
      sumsA = i32x4.add(sumsA, i32x4.dot_i16x8_s(u, ones));
      sumsB = i32x4.add(sumsB, i32x4.dot_i16x8_s(v, ones));
      squaresOfA = i32x4.add(squaresOfA, i32x4.dot_i16x8_s(u, u));
      squaresOfB = i32x4.add(squaresOfB, i32x4.dot_i16x8_s(v, v));
      productsOf = i32x4.add(productsOf, i32x4.dot_i16x8_s(u, v));
    }
    for (; x < width; x++) {
      const u = <i32>load<u8>(p + x);
      const v = <i32>load<u8>(q + x);
      sumA += u;
      sumB += v;
      squaresA += u * u;
      squaresB += v * v;
      products += u * v;
    }
    p += stride;
    q += stride;
  }
  const totalA = <f64>(sumA + lanes(sumsA));
  const totalB = <f64>(sumB + lanes(sumsB));
  const pixels = <f64>(width * height);
  const floor = PLAIN * pixels;
  const varianceA = <f64>(squaresA + lanes(squaresOfA)) - (totalA * totalA) / pixels + floor;
  const varianceB = <f64>(squaresB + lanes(squaresOfB)) - (totalB * totalB) / pixels + floor;
  return (<f64>(products + lanes(productsOf)) - (totalA * totalB) / pixels) / Math.sqrt(varianceA * varianceB);
}
