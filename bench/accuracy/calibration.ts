/**
 * Whether confidence means what it says: of findings that say 0.8, eight in ten should be right.
 */
export type Sample = { clip: string; confidence: number; right: boolean };

export type Bin = { from: number; to: number; n: number; said: number; right: number };

const BINS = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

/** Findings by what they say: how many, what they say on average, and the share that is right. */
export function reliability(samples: readonly Sample[]): Bin[] {
  return BINS.slice(1).map((to, i) => {
    const from = BINS[i]!;
    const inside = samples.filter(({ confidence: c }) => c >= from && (c < to || to === 1));
    const n = inside.length;
    return {
      from,
      to,
      n,
      said: inside.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, n),
      right: inside.filter(({ right }) => right).length / Math.max(1, n),
    };
  });
}

/** Mean distance between said and right over the bins, each by its number (expected calibration error). */
export function calibrationError(samples: readonly Sample[]): number {
  const off = reliability(samples).reduce((sum, { n, said, right }) => sum + n * Math.abs(said - right), 0);
  return off / Math.max(1, samples.length);
}

/** Mean squared distance of confidence from 1 where it was right and 0 where it was not. */
export function brier(samples: readonly Sample[]): number {
  const sum = samples.reduce((total, { confidence, right }) => total + (confidence - Number(right)) ** 2, 0);
  return sum / Math.max(1, samples.length);
}
