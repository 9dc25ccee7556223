/**
 * What confidence means: the share of findings like this one that we expect to be right. It is made of what is measured, not judged:
 *
 * - a thing: how sure the detector is and how often it looked: `1 - (1 - s) ^ (1 + log2(n) / 3)` for mean score s over n looks (looks of one
 *   track are not independent, so eight of them count as two);
 * - a threshold: how far it was passed: 0.6 at the threshold, towards 0.97 with the margin;
 * - several conditions: their product; several things: the least sure of them;
 * - a word that could not be checked: times 0.8.
 *
 * It never says 1: nothing here is certain.
 */
export const MOST = 0.97;

export function trackConfidence(meanScore: number, looks: number): number {
  return Math.min(MOST, 1 - (1 - meanScore) ** (1 + Math.log2(Math.max(1, looks)) / 3));
}

/** `margin`: how far beyond the threshold, in units in which 1 is clearly beyond it. */
export function marginConfidence(margin: number): number {
  return 0.6 + (MOST - 0.6) * (1 - Math.exp(-Math.max(0, margin)));
}

export const UNCHECKED_FACTOR = 0.8;
