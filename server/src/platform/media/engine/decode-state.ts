import type { DecodeSummary } from './decoder.ts';

/**
 * Tolerated fraction of failed frames, and of missing duration (at least a second), before a video counts as damaged.
 */
const TOLERATED = 0.05;

/** State after a decoding pass that reached `reachedS`. `claimedS` is the duration from the header, 0 if unknown. */
export function toDecodeState(pass: {
  frames: number;
  errors: number;
  reachedS: number;
  claimedS: number;
}): DecodeSummary['state'] {
  const failing = pass.errors > Math.max(2, pass.frames * TOLERATED);
  return failing || !isNearEnd(pass.reachedS, pass.claimedS) ? 'damaged' : 'whole';
}

/** True if a time is at or shortly before the claimed end. */
export function isNearEnd(timeS: number, claimedS: number): boolean {
  return timeS >= claimedS - Math.max(1, claimedS * TOLERATED);
}
