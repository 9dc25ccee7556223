// Fits the motion of the whole picture to that of its blocks, in AssemblyScript: compiled to SIMD WebAssembly by `test/build-kernel.ts`. `motion.reference.ts`
// is the same in plain TypeScript, and a test holds the two equal bit for bit: x and y lie side by side and go through the same steps, so that no sum is
// added up in another order.

const BLOCK: i32 = 16;
const COLUMNS: i32 = 20;
const ROWS: i32 = 12;
const BLOCKS: i32 = COLUMNS * ROWS;
const OUTSIDE: i32 = i32.MAX_VALUE;

/** Texture that makes a block's motion certain along an axis, in grey levels per pixel of displacement. */
const CERTAIN: f64 = 3;
/** Pixels off the common motion at which a block stops counting, in the first round and in the last; it halves in between. */
const FIRST_REACH: f64 = 16;
const LAST_REACH: f64 = 1.5;
/** Share of the texture that has to move alike for the search to be short. */
const UNIFORM: f64 = 0.9;
/** Least sum of certainty, in blocks, to say anything. */
const LEAST_CERTAINTY: f64 = 4;
/** Farther than the search goes, in half pixels. */
const MEDIAN_REACH: i32 = 64;
/** Share of all blocks that has to agree. A car that fills a seventh of the picture stays under it, an empty road at night above. */
const LEAST_AGREEING: f64 = 0.2;
/** Share of the texture that moves by less than the advance: what is far away hardly moves, and a few things move more than all others. */
const ADVANCE_SHARE: f64 = 0.8;
/** Steps per pixel that the advance is told in, and the most pixels. */
const ADVANCE_STEPS: i32 = 16;
const ADVANCE_REACH: i32 = 64;
/** Least certainty to have a say. */
const SOME_CERTAINTY: f64 = 0.05;

/** What the blocks' search left; see `kernel.ts`. */
const vectors = memory.data(4 * 8 * 240, 16);
/** The motion found: x, y, zoom, roll, advance; see `motion.ts`. */
const motion = memory.data(8 * 5, 16);

/** Two numbers per block, for x and y: how its content moved, and how certain that is. */
const flows = memory.data(16 * 240, 16);
const certain = memory.data(16 * 240, 16);
/** Two numbers per block: its centre from the picture's, which zoom moves it along, and the same turned by a quarter, which roll moves it along. */
const centres = memory.data(16 * 240, 16);
const turned = memory.data(16 * 240, 16);
const perRadius = memory.data(8 * 240, 16);
/** Certainty by flow in half pixels, for x and y. */
const binsX = memory.data(8 * 129, 16);
const binsY = memory.data(8 * 129, 16);
const amounts = memory.data(8 * 1025, 16);

export function vectorsAddress(): i32 {
  return <i32>vectors;
}
export function motionAddress(): i32 {
  return <i32>motion;
}

for (let block = 0; block < BLOCKS; block++) {
  const x = (<f64>(block % COLUMNS) - <f64>(COLUMNS - 1) / 2) * <f64>BLOCK;
  const y = (<f64>(block / COLUMNS) - <f64>(ROWS - 1) / 2) * <f64>BLOCK;
  store<f64>(centres + block * 16, x);
  store<f64>(centres + block * 16, y, 8);
  store<f64>(turned + block * 16, -y);
  store<f64>(turned + block * 16, x, 8);
  store<f64>(perRadius + block * 8, 1 / Math.sqrt(x * x + y * y));
}

@inline
function pair(x: f64, y: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(x), 1, y);
}

@inline
function first(two: v128): f64 {
  return f64x2.extract_lane(two, 0);
}

@inline
function second(two: v128): f64 {
  return f64x2.extract_lane(two, 1);
}

@inline
function sumOf(two: v128): f64 {
  return first(two) + second(two);
}

/** The sums of two pairs, as a pair. */
@inline
function sumsOf(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

/** How far a block is off a motion along both axes. */
@inline
function offOf(at: i32, shift: v128, zoom: v128, roll: v128): v128 {
  const panned = f64x2.sub(v128.load(flows + at), shift);
  const grown = f64x2.sub(panned, f64x2.mul(zoom, v128.load(centres + at)));
  return f64x2.sub(grown, f64x2.mul(roll, v128.load(turned + at)));
}

/** Fits pan, zoom and roll to the blocks' motion; see `createMotionFit`. */
export function fitMotion(): void {
  memory.fill(motion, 0, 8 * 5);
  const sums = readVectors();
  if (first(sums) < LEAST_CERTAINTY || second(sums) < LEAST_CERTAINTY) return;

  fillBins();
  let x = medianOf(binsX, first(sums));
  let y = medianOf(binsY, second(sums));
  let zoom: f64 = 0;
  let roll: f64 = 0;
  // Where nearly all blocks move alike, as before a fixed camera, the first rounds have nothing to decide.
  let reach = isUniform(pair(x, y), sumOf(sums)) ? LAST_REACH : FIRST_REACH;
  for (let last = false; !last; reach = max<f64>(LAST_REACH, reach / 2)) {
    last = reach == LAST_REACH;
    // Normal equations of: flow = (x, y) + zoom · centre + roll · turned; sums of what weight (w), centre (c), turned (s) and flow (f) make together.
    let w = f64x2.splat(0);
    let wc = f64x2.splat(0);
    let ws = f64x2.splat(0);
    let f = f64x2.splat(0);
    let ccss = f64x2.splat(1e-9);
    let fcfs = f64x2.splat(0);
    let wcs: f64 = 0;
    const shift = pair(x, y);
    const zooms = f64x2.splat(zoom);
    const rolls = f64x2.splat(roll);
    const reaches = f64x2.splat(reach);
    for (let at = 0; at < BLOCKS * 16; at += 16) {
      const away = f64x2.div(offOf(at, shift, zooms, rolls), reaches);
      // Nought for what is off by more than the reach.
      const near = max<f64>(0, 1 - sumOf(f64x2.mul(away, away)));
      const centre = v128.load(centres + at);
      const across = v128.load(turned + at);
      const flow = v128.load(flows + at);
      const weight = f64x2.mul(f64x2.splat(near * near), v128.load(certain + at));
      const byCentre = f64x2.mul(weight, centre);
      const byAcross = f64x2.mul(weight, across);
      const byFlow = f64x2.mul(weight, flow);
      w = f64x2.add(w, weight);
      wc = f64x2.add(wc, byCentre);
      ws = f64x2.add(ws, byAcross);
      f = f64x2.add(f, byFlow);
      ccss = f64x2.add(ccss, sumsOf(f64x2.mul(byCentre, centre), f64x2.mul(byAcross, across)));
      fcfs = f64x2.add(fcfs, sumsOf(f64x2.mul(byFlow, centre), f64x2.mul(byFlow, across)));
      wcs += (second(weight) - first(weight)) * first(centre) * second(centre);
    }
    const wx = first(w);
    const wy = second(w);
    if (wx < LEAST_CERTAINTY / 2 || wy < LEAST_CERTAINTY / 2) return;
    const wxc = first(wc);
    const wyc = second(wc);
    const wxs = -first(ws);
    const wys = second(ws);
    const fx = first(f);
    const fy = second(f);
    // x and y are eliminated first: they do not meet each other.
    const zz = first(ccss) - (wxc * wxc) / wx - (wyc * wyc) / wy;
    const rr = second(ccss) - (wxs * wxs) / wx - (wys * wys) / wy;
    const zr = wcs + (wxc * wxs) / wx - (wyc * wys) / wy;
    const fz = first(fcfs) - (wxc * fx) / wx - (wyc * fy) / wy;
    const fr = second(fcfs) + (wxs * fx) / wx - (wys * fy) / wy;
    const determinant = zz * rr - zr * zr;
    // Blocks in a row tell zoom and roll apart no better than noise does.
    const told = zz > 1 && rr > 1 && determinant > 0.01 * zz * rr;
    zoom = told ? (fz * rr - fr * zr) / determinant : 0;
    roll = told ? (fr * zz - fz * zr) / determinant : 0;
    x = (fx - wxc * zoom + wxs * roll) / wx;
    y = (fy - wyc * zoom - wys * roll) / wy;
  }
  store<f64>(motion, advanceAgainst(pair(x, y), roll), 32);
  if (!isCommon(pair(x, y), zoom, roll)) return;
  store<f64>(motion, x);
  store<f64>(motion, y, 8);
  store<f64>(motion, zoom, 16);
  store<f64>(motion, roll, 24);
}

/** Makes flows and certainties of what the search left; returns the sums of the latter. */
function readVectors(): v128 {
  let sums = f64x2.splat(0);
  for (let block = 0; block < BLOCKS; block++) {
    const at = vectors + block * 32;
    const near = v128.load(at);
    const rest = v128.load(at, 16);
    // Differences one pixel to the left and above, there, and one pixel to the right and below.
    const before = v128.shuffle<i32>(near, rest, 3, 5, 3, 5);
    const cost = v128.shuffle<i32>(near, near, 2, 2, 2, 2);
    const after = v128.shuffle<i32>(near, rest, 4, 6, 4, 6);
    const outside = v128.or(
      i32x4.eq(before, i32x4.splat(OUTSIDE)),
      i32x4.eq(after, i32x4.splat(OUTSIDE)),
    );
    const inside = i64x2.extend_low_i32x4_s(v128.not(outside));
    // Where the block came from is against the way the picture moved.
    const from = f64x2.add(f64x2.convert_low_i32x4_s(near), v128.and(inside, between(before, cost, after)));
    const certainties = v128.and(inside, certainty(before, cost, after));
    v128.store(flows + block * 16, f64x2.neg(from));
    v128.store(certain + block * 16, certainties);
    sums = f64x2.add(sums, certainties);
  }
  return sums;
}

/** Where between two pixels the least difference lies, -0.5 to 0.5: differences of pictures grow linearly on both sides of it. */
@inline
function between(before: v128, cost: v128, after: v128): v128 {
  const slope = i32x4.sub(i32x4.max_s(before, after), cost);
  const rising = i64x2.extend_low_i32x4_s(i32x4.gt_s(slope, i32x4.splat(0)));
  const skew = f64x2.convert_low_i32x4_s(i32x4.sub(before, after));
  return v128.and(rising, f64x2.div(skew, f64x2.convert_low_i32x4_s(i32x4.shl(slope, 1))));
}

/** How much the texture says about motion along an axis, 0 to 1; little where the block was found nowhere. */
@inline
function certainty(before: v128, cost: v128, after: v128): v128 {
  const rise = i32x4.sub(i32x4.add(before, after), i32x4.shl(cost, 1));
  const slope = f64x2.mul(f64x2.convert_low_i32x4_s(rise), f64x2.splat(1.0 / 2 / (BLOCK * BLOCK)));
  const match = f64x2.mul(f64x2.convert_low_i32x4_s(cost), f64x2.splat(1.0 / (BLOCK * BLOCK)));
  const texture = f64x2.pmin(f64x2.splat(1), f64x2.div(slope, f64x2.splat(CERTAIN)));
  return f64x2.mul(texture, f64x2.div(slope, f64x2.add(f64x2.add(slope, match), f64x2.splat(0.5))));
}

function fillBins(): void {
  memory.fill(binsX, 0, 8 * (2 * MEDIAN_REACH + 1));
  memory.fill(binsY, 0, 8 * (2 * MEDIAN_REACH + 1));
  for (let at = 0; at < BLOCKS * 16; at += 16) {
    const halves = f64x2.mul(v128.load(flows + at), f64x2.splat(2));
    const bin = i32x4.add(rounded(halves), i32x4.splat(MEDIAN_REACH));
    const x = i32x4.extract_lane(bin, 0);
    const y = i32x4.extract_lane(bin, 1);
    // A walk that was broken off may point anywhere.
    if (<u32>x <= 2 * MEDIAN_REACH) add(binsX, x, load<f64>(certain + at));
    if (<u32>y <= 2 * MEDIAN_REACH) add(binsY, y, load<f64>(certain + at, 8));
  }
}

/** Two numbers to the nearest whole ones, halves up, in the first two lanes. */
@inline
function rounded(two: v128): v128 {
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.floor(f64x2.add(two, f64x2.splat(0.5))));
}

/** The flow with half of the certainty on either side, to half a pixel: close enough to start from, and quicker than sorting. */
function medianOf(bins: i32, total: f64): f64 {
  return <f64>(quantile(bins, 2 * MEDIAN_REACH + 1, total / 2) - MEDIAN_REACH) / 2;
}

@inline
function add(bins: i32, bin: i32, weight: f64): void {
  store<f64>(bins + bin * 8, load<f64>(bins + bin * 8) + weight);
}

/** The bin in which the sum of the bins reaches an amount; -1 when none does. */
function quantile(bins: i32, count: i32, amount: f64): i32 {
  let below: f64 = 0;
  for (let bin = 0; bin < count; bin++) {
    below += load<f64>(bins + bin * 8);
    if (below >= amount) return bin;
  }
  return -1;
}

/** Whether nearly all of the texture moves by the same. */
function isUniform(shift: v128, total: f64): bool {
  let alike: f64 = 0;
  for (let at = 0; at < BLOCKS * 16; at += 16) {
    const off = f64x2.abs(f64x2.sub(v128.load(flows + at), shift));
    if (max<f64>(first(off), second(off)) < LAST_REACH / 2) alike += sumOf(v128.load(certain + at));
  }
  return alike >= UNIFORM * total;
}

/**
 * Whether a motion is the picture's, and not that of a large thing before a background too plain to tell: enough blocks have to agree with it, textured or
 * not, and not twice as many may stand still.
 */
function isCommon(shift: v128, zoom: f64, roll: f64): bool {
  const zooms = f64x2.splat(zoom);
  const rolls = f64x2.splat(roll);
  let agreeing: i32 = 0;
  let still: i32 = 0;
  let moving: i32 = 0;
  for (let at = 0; at < BLOCKS * 16; at += 16) {
    const tells = f64x2.ge(v128.load(certain + at), f64x2.splat(SOME_CERTAINTY));
    const counts = i32(v128.any_true(tells));
    const away = v128.and(tells, offOf(at, shift, zooms, rolls));
    const flow = v128.and(tells, v128.load(flows + at));
    const off = sumOf(f64x2.mul(away, away));
    const stands = i32(sumOf(f64x2.mul(flow, flow)) < off);
    agreeing += counts & i32(off < LAST_REACH * LAST_REACH);
    still += counts & stands;
    moving += counts & (stands ^ 1);
  }
  return <f64>agreeing >= LEAST_AGREEING * <f64>BLOCKS && still <= 2 * moving;
}

/** How fast the scene comes closer, once pan and roll are taken off; 0 when the picture's two halves do not agree that it does. */
function advanceAgainst(shift: v128, roll: f64): f64 {
  const left = advanceOfHalf(0, shift, f64x2.splat(roll));
  const right = advanceOfHalf(COLUMNS / 2, shift, f64x2.splat(roll));
  return left > 0 == right > 0 ? Math.sign(left) * min<f64>(abs<f64>(left), abs<f64>(right)) : 0;
}

function advanceOfHalf(from: i32, shift: v128, roll: v128): f64 {
  memory.fill(amounts, 0, 8 * (ADVANCE_REACH * ADVANCE_STEPS + 1));
  let total: f64 = 0;
  /** What moves outward, and what moves outward or inward. */
  let radial = f64x2.splat(0);
  for (let row = 0; row < ROWS; row++) {
    for (let column = from; column < from + COLUMNS / 2; column++) {
      const block = row * COLUMNS + column;
      const at = block * 16;
      const off = f64x2.sub(
        f64x2.sub(v128.load(flows + at), shift),
        f64x2.mul(roll, v128.load(turned + at)),
      );
      const weight = v128.load(certain + at);
      const steps = stepsOf(off);
      add(amounts, i32x4.extract_lane(steps, 0), first(weight));
      add(amounts, i32x4.extract_lane(steps, 1), second(weight));
      total += sumOf(weight);
      const along = f64x2.mul(
        f64x2.mul(f64x2.mul(weight, off), v128.load(centres + at)),
        v128.load64_splat(perRadius + block * 8),
      );
      radial = f64x2.add(radial, sumsOf(along, f64x2.abs(along)));
    }
  }
  if (total < LEAST_CERTAINTY / 2 || second(radial) == 0) return 0;
  const amount = quantile(amounts, ADVANCE_REACH * ADVANCE_STEPS + 1, ADVANCE_SHARE * total);
  return ((<f64>amount / <f64>ADVANCE_STEPS) * first(radial)) / second(radial);
}

/** The bins of two amounts of advance. */
@inline
function stepsOf(off: v128): v128 {
  const steps = rounded(f64x2.mul(f64x2.abs(off), f64x2.splat(ADVANCE_STEPS)));
  return i32x4.min_s(steps, i32x4.splat(ADVANCE_REACH * ADVANCE_STEPS));
}
