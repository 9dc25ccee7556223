/** A share of observed cases with its 95 % interval. */
export type Estimate = { value: number; low: number; high: number };

/** Quantile of the normal distribution for 95 %. */
const Z = 1.959_963_984_540_054;

/** Wilson score interval (Wilson 1927) of `hits` among `cases`; null without a case. */
export function wilson(hits: number, cases: number): Estimate | null {
  if (cases === 0) return null;
  const value = hits / cases;
  const scale = 1 + Z ** 2 / cases;
  const middle = (value + Z ** 2 / (2 * cases)) / scale;
  const margin = (Z / scale) * Math.sqrt((value * (1 - value)) / cases + Z ** 2 / (4 * cases ** 2));
  // At the bounds the interval ends there exactly; rounding would miss them.
  return { value, low: hits === 0 ? 0 : middle - margin, high: hits === cases ? 1 : middle + margin };
}

/** Mean of values between 0 and 1 with its 95 % interval by the normal distribution; null without a value. */
export function meanInterval(sum: number, squares: number, count: number): Estimate | null {
  if (count === 0) return null;
  const value = sum / count;
  const variance = count > 1 ? Math.max(0, (squares - count * value ** 2) / (count - 1)) : 0;
  const margin = Z * Math.sqrt(variance / count);
  return { value, low: Math.max(0, value - margin), high: Math.min(1, value + margin) };
}
