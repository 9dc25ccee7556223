// Products of one vector with many, in AssemblyScript, compiled to SIMD WebAssembly by `test/build-kernel.ts`. A test
// compares it with plain TypeScript. Vectors are read one after the other: memory is what limits the scan, and it is
// read fastest in order.

const DIMENSIONS: i32 = 512;
/** The query, in 16-bit values that need no conversion. */
const query = memory.data(2 * 512, 16);

export function queryAddress(): usize {
  return query;
}

/** First address of vectors. */
export function vectorsAddress(): usize {
  return (__heap_base + 15) & ~15;
}

/** Writes the products of the query with `count` vectors of signed bytes, as 32-bit integers. */
export function scan(vectors: usize, count: i32, products: usize): void {
  for (let at: i32 = 0; at < count; at++) {
    let sum = i32x4.splat(0);
    for (let from: i32 = 0; from < DIMENSIONS; from += 16) {
      const values = v128.load(vectors + from);
      const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(values), v128.load(query + 2 * from));
      const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(values), v128.load(query + 2 * from, 16));
      sum = i32x4.add(sum, i32x4.add(low, high));
    }
    const total = i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1);
    i32.store(products, total + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3));
    vectors += DIMENSIONS;
    products += 4;
  }
}
