import type { DecodeSummary } from './decoder.ts';

/** Up to a twentieth of the frames may fail, and the end may come a twentieth (and a second) early, before a video counts as damaged. */
const TOLERATED = 0.05;

/** Judges one decoding pass that reached `reachedS`. `claimedS` is the duration the header gives, 0 when it gives none. */
export function stateOf(pass: {
  frames: number;
  errors: number;
  reachedS: number;
  claimedS: number;
}): DecodeSummary['state'] {
  const failing = pass.errors > Math.max(2, pass.frames * TOLERATED);
  return failing || !isNearEnd(pass.reachedS, pass.claimedS) ? 'damaged' : 'whole';
}

/** Whether a time is the claimed end or close before it. */
export function isNearEnd(timeS: number, claimedS: number): boolean {
  return timeS >= claimedS - Math.max(1, claimedS * TOLERATED);
}
