// Area averaging of 8-bit pixels, in AssemblyScript: compiled to SIMD WebAssembly by `test/build-kernel.ts`. What lies where in memory is `shrink.ts`'s
// business: it also works out the weights.

/** Weights of the rows in a mean add up to 128, or to more where it is stretched. */
const WHOLE_BITS: i32 = 7;

/**
 * Averages rows. For each of `count` target rows `taps` says the address of the first source row that it covers, how many it covers, and how much of each: 16-bit
 * weights that add up to 150 at most. `half` is added before, `black` taken off after. `columns` is a multiple of 32, and the bytes of a target row.
 */
export function average(taps: i32, count: i32, stride: i32, columns: i32, to: i32, half: i32, black: i32): void {
  const rounding = i16x8.splat(<i16>half);
  const offset = i16x8.splat(<i16>black);
  for (let row = 0; row < count; row++) {
    const first = load<i32>(taps);
    const weights = taps + 8;
    const end = weights + load<i32>(taps, 4) * 2;
    for (let x = 0; x < columns; x += 32) {
      let from = first + x;
      let a = rounding;
      let b = rounding;
      let c = rounding;
      let d = rounding;
      for (let at = weights; at < end; at += 2) {
        const weight = v128.load_splat<i16>(at);
        a = i16x8.add(a, i16x8.mul(v128.load_ext<u8>(from), weight));
        b = i16x8.add(b, i16x8.mul(v128.load_ext<u8>(from, 8), weight));
        c = i16x8.add(c, i16x8.mul(v128.load_ext<u8>(from, 16), weight));
        d = i16x8.add(d, i16x8.mul(v128.load_ext<u8>(from, 24), weight));
        from += stride;
      }
      v128.store(to, i8x16.narrow_i16x8_u(mean(a, offset), mean(b, offset)));
      v128.store(to, i8x16.narrow_i16x8_u(mean(c, offset), mean(d, offset)), 16);
      to += 32;
    }
    taps = (end + 3) & ~3;
  }
}

@inline
function mean(sum: v128, black: v128): v128 {
  return i16x8.shr_u(i16x8.sub_sat_u(sum, black), WHOLE_BITS);
}

@inline
function low(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

@inline
function high(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** Rows become columns: of `rows` (a multiple of 8) of `columns` (a multiple of 16). A row of the result takes `toStride` bytes. */
export function transpose(from: i32, stride: i32, rows: i32, columns: i32, to: i32, toStride: i32): void {
  for (let y = 0; y < rows; y += 8) {
    for (let x = 0; x < columns; x += 16) {
      let at = from + y * stride + x;
      const a0 = v128.load(at);
      const a1 = v128.load((at += stride));
      const a2 = v128.load((at += stride));
      const a3 = v128.load((at += stride));
      const a4 = v128.load((at += stride));
      const a5 = v128.load((at += stride));
      const a6 = v128.load((at += stride));
      const a7 = v128.load(at + stride);
      // Each of three steps turns the address of every byte (three bits of row, four of column) around by one bit.
      const b0 = low(a0, a4);
      const b1 = high(a0, a4);
      const b2 = low(a1, a5);
      const b3 = high(a1, a5);
      const b4 = low(a2, a6);
      const b5 = high(a2, a6);
      const b6 = low(a3, a7);
      const b7 = high(a3, a7);
      const c0 = low(b0, b4);
      const c1 = high(b0, b4);
      const c2 = low(b1, b5);
      const c3 = high(b1, b5);
      const c4 = low(b2, b6);
      const c5 = high(b2, b6);
      const c6 = low(b3, b7);
      const c7 = high(b3, b7);
      let out = to + x * toStride + y;
      out = storePair(out, toStride, low(c0, c4));
      out = storePair(out, toStride, high(c0, c4));
      out = storePair(out, toStride, low(c1, c5));
      out = storePair(out, toStride, high(c1, c5));
      out = storePair(out, toStride, low(c2, c6));
      out = storePair(out, toStride, high(c2, c6));
      out = storePair(out, toStride, low(c3, c7));
      storePair(out, toStride, high(c3, c7));
    }
  }
}

@inline
function storePair(to: i32, stride: i32, pair: v128): i32 {
  v128.store64_lane(to, pair, 0);
  v128.store64_lane(to + stride, pair, 1);
  return to + 2 * stride;
}
