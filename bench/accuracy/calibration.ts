/**
 * Calibration of confidence: of events at 0.8, eight in ten should be right.
 *
 * A line is fitted on the log odds (Cox's calibration regression): slope 1 and intercept 0 need no correction. To test
 * whether correcting by that line would help, it is fitted without one clip and applied to that clip, for each clip in
 * turn.
 */
export type ConfidenceSample = { clip: string; confidence: number; right: boolean };

type Bin = { from: number; to: number; n: number; stated: number; right: number };
type Line = { intercept: number; slope: number };

const BINS = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

/** Events by confidence: number, mean confidence, and share that is right. */
export function reliability(samples: readonly ConfidenceSample[]): Bin[] {
  return BINS.slice(1).map((to, i) => {
    const from = BINS[i]!;
    const inside = samples.filter(({ confidence: c }) => c >= from && (c < to || to === 1));
    return { from, to, n: inside.length, stated: meanConfidence(inside), right: shareRight(inside) };
  });
}

export const meanConfidence = (samples: readonly ConfidenceSample[]): number =>
  samples.reduce((sum, { confidence }) => sum + confidence, 0) / samples.length;

export const shareRight = (samples: readonly ConfidenceSample[]): number =>
  samples.filter(({ right }) => right).length / samples.length;

/** Mean distance between confidence and share right over the bins, weighted by size (expected calibration error). */
export function calibrationError(samples: readonly ConfidenceSample[]): number {
  const bins = reliability(samples).filter(({ n }) => n > 0);
  return bins.reduce((sum, { n, stated, right }) => sum + n * Math.abs(stated - right), 0) / samples.length;
}

/** Mean squared distance of confidence from 1 for right events and from 0 for wrong ones. */
export function brier(samples: readonly ConfidenceSample[]): number {
  return samples.reduce((sum, { confidence, right }) => sum + (confidence - Number(right)) ** 2, 0) / samples.length;
}

/** The samples, corrected by a line that was fitted without their own clip. */
export function corrected(samples: readonly ConfidenceSample[]): ConfidenceSample[] {
  return [...Map.groupBy(samples, ({ clip }) => clip)].flatMap(([clip, own]) => {
    const { intercept, slope } = fitLine(samples.filter((sample) => sample.clip !== clip));
    return own.map((sample) => ({ ...sample, confidence: sigmoid(intercept + slope * logOdds(sample.confidence)) }));
  });
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const logOdds = (p: number) => Math.log(p / (1 - p));

/**
 * Newton's method on the logistic likelihood. A tenth of a sample pulls the line to "no correction", so that it exists
 * for any samples.
 */
export function fitLine(samples: readonly ConfidenceSample[]): Line {
  let [intercept, slope] = [0, 1];
  for (let step = 0; step < 50; step++) {
    let [g0, g1, h00, h01, h11] = [-0.1 * intercept, -0.1 * (slope - 1), 0.1, 0, 0.1];
    for (const { confidence, right } of samples) {
      const x = logOdds(confidence);
      const p = sigmoid(intercept + slope * x);
      const [error, weight] = [Number(right) - p, p * (1 - p)];
      g0 += error;
      g1 += error * x;
      h00 += weight;
      h01 += weight * x;
      h11 += weight * x * x;
    }
    const determinant = h00 * h11 - h01 * h01;
    intercept += (h11 * g0 - h01 * g1) / determinant;
    slope += (h00 * g1 - h01 * g0) / determinant;
  }
  return { intercept, slope };
}
