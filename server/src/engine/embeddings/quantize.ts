/** Greatest value of a signed byte that has a negative counterpart. */
const MAX = 127;

/** A vector in signed bytes: each value is a byte times `scale`. */
export type QuantizedVector = { bytes: Int8Array; scale: number };

/** Rounds a vector to signed bytes, of which the greatest is 127. */
export function quantize(vector: Float32Array): QuantizedVector {
  const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / MAX;
  return { bytes: Int8Array.from(vector, (value) => (scale === 0 ? 0 : Math.round(value / scale))), scale };
}
