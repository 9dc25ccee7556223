/**
 * Confidence is the share of matches like this one that are right. It is computed from measured values:
 *
 * - an object: `1 - (1 - s) ^ (1.8 (1 + log2(n) / 2))` for the mean detector score s over n detections. Detections of
 *   one track are not independent, so four count as two, and one where the box has not moved is a twentieth, at most
 *   two in all; detector scores are too low, so each counts 1.8 times. What makes the class implausible (rare classes,
 *   boxes that the frame always cuts, sizes that do not fit) multiplies the exponent (`plausibility`).
 * - a threshold: 0.8 at the threshold, rising towards 0.97 with the margin
 * - an absence: 0.7 after one frame, more with each doubling of the frames, up to 0.95, times the probability that the
 *   detector would have found what is there, and that nothing there is taken for something else (`absence.ts`)
 * - several conditions: the product; several objects: the minimum
 * - a word that could not be checked: times 0.8; a caveat that decides what was found ("runs" is searched for as any
 *   motion): times 0.5, which is below the default `min_confidence` however sure the rest is
 *
 * Confidence never reaches 1. The constants are calibrated on labeled clips, see docs/decisions/0004.
 */
export const MAX_CONFIDENCE = 0.97;

/** Exponent by which detector scores are raised: they are lower than the share of right detections. */
const SCORE_CALIBRATION = 1.8;

/** Confidence that a track is an object of its class. `weight` is its plausibility, 0 to 1. */
export function trackConfidence(meanScore: number, detections: number, weight = 1): number {
  return Math.min(
    MAX_CONFIDENCE,
    1 - (1 - meanScore) ** (SCORE_CALIBRATION * weight * (1 + Math.log2(Math.max(1, detections)) / 2)),
  );
}

const AT_THRESHOLD = 0.8;

/** Confidence for a value beyond its threshold. A `margin` of 1 is clearly beyond it. */
export function marginConfidence(margin: number): number {
  return AT_THRESHOLD + (MAX_CONFIDENCE - AT_THRESHOLD) * (1 - Math.exp(-Math.max(0, margin)));
}

/** Confidence that an object is absent after it was not found in a number of frames. */
export function absenceConfidence(frames: number): number {
  return Math.min(0.95, 0.7 + 0.05 * Math.log2(Math.max(1, frames)));
}

/** Factor for matches of a step with words that could not be checked. */
export const UNCHECKED_FACTOR = 0.8;

/** Factor for matches that may be something else than the prompt asks for. */
export const DECIDING_FACTOR = 0.5;

/** Matches below it are candidates unless the query states another limit. */
export const DEFAULT_MIN_CONFIDENCE = 0.5;
