/** What two pictures in a row have in common, from the kernel's sums. */
export type Likeness = {
  /** Mean absolute difference after each block was looked for nearby, 0 to 255. */
  residual: number;
  /** Mean of the two pictures' standard deviations of luma. */
  contrast: number;
  /** Correlation of the two pictures at quarter size, -1 to 1. */
  correlation: number;
};

/** At this residual, relative to contrast, half of the scale is reached. Measured: within shots under 0.25, at hard cuts 0.45 and more. */
const HALF_WAY = 0.3;
/** A picture that correlates more than 1 minus this is the same one in another light: a flash, an exposure change. */
const OTHER_STRUCTURE = 0.25;
/** Grey levels of contrast that keep noise from looking like content. */
const NOISE = 4;
/** Variance that keeps two plain pictures from looking unrelated. */
const PLAIN = 64;

/**
 * How different a picture's content is from the one before, 0 to 100. Motion does not count (blocks are looked for nearby), nor does light (what stays
 * correlated is the same structure); 50 and more is a cut.
 */
export function cutScore({ residual, contrast, correlation }: Likeness): number {
  const change = (residual / (contrast + NOISE)) * Math.min(1, Math.max(0, 1 - correlation) / OTHER_STRUCTURE);
  return (100 * change * change) / (change * change + HALF_WAY * HALF_WAY);
}

/** Correlation of two pictures of `pixels` pixels from their sums, sums of squares, and the sum of products. */
export function correlation(
  a: { sum: number; squares: number },
  b: { sum: number; squares: number },
  product: number,
  pixels: number,
): number {
  const floor = pixels * PLAIN;
  const covariance = product - (a.sum * b.sum) / pixels + floor;
  const varianceA = a.squares - (a.sum * a.sum) / pixels + floor;
  const varianceB = b.squares - (b.sum * b.sum) / pixels + floor;
  return covariance / Math.sqrt(varianceA * varianceB);
}
