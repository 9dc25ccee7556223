/**
 * What confidence means: the share of findings like this one that are right. It is made of what is measured, not judged:
 *
 * - a thing: how sure the detector is and how often it looked: `1 - (1 - s) ^ (1.4 (1 + log2(n) / 2))` for mean score s over n looks (looks of one
 *   track are not independent, so four of them count as two; the detector's scores say less than is right, so each counts 1.4 times);
 * - a threshold: how far it was passed: 0.75 at the threshold, towards 0.97 with the margin;
 * - not finding a thing: 0.7 after one look, more with each doubling of looks, up to 0.95: detectors miss things;
 * - several conditions: their product; several things: the least sure of them;
 * - a word that could not be checked: times 0.8.
 *
 * It never says 1: nothing here is certain. The constants are held against labelled clips: see docs/decisions/0004.
 */
export const MOST = 0.97;

/** How much more the detector's scores are worth than they say. */
const MODESTY = 1.4;

export function trackConfidence(meanScore: number, looks: number): number {
  return Math.min(MOST, 1 - (1 - meanScore) ** (MODESTY * (1 + Math.log2(Math.max(1, looks)) / 2)));
}

const AT_THRESHOLD = 0.75;

/** `margin`: how far beyond the threshold, in units in which 1 is clearly beyond it. */
export function marginConfidence(margin: number): number {
  return AT_THRESHOLD + (MOST - AT_THRESHOLD) * (1 - Math.exp(-Math.max(0, margin)));
}

/** That a thing is not there, after so many looks that did not find it. */
export function absenceConfidence(looks: number): number {
  return Math.min(0.95, 0.7 + 0.05 * Math.log2(Math.max(1, looks)));
}

export const UNCHECKED_FACTOR = 0.8;
