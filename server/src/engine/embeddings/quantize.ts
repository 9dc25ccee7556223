/** Greatest value of a signed byte that has a negative counterpart. */
const MAX = 127;

/** A vector in signed bytes: each value is a byte times `scale`. */
export type QuantizedVector = { bytes: Int8Array; scale: number };

/** Rounds a vector to signed bytes, of which the greatest is 127. */
export function quantize(vector: Float32Array): QuantizedVector {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = most / MAX;
  const bytes = new Int8Array(vector.length);
  // `Int8Array.from` with a function takes many times as long.
  if (scale > 0) for (let at = 0; at < bytes.length; at++) bytes[at] = Math.round(vector[at]! / scale);
  return { bytes, scale };
}
