/** A sample this many seconds from its neighbors is isolated: nothing can confirm what is detected in it. */
const ISOLATED_S = 0.75;

/** Minimum score of a detection in an isolated sample; elsewhere a second detection is required. */
export const MIN_ISOLATED_SCORE = 0.55;

/**
 * True if no other sample is near. `timeAt` returns the time of a sample in seconds, and undefined before the first and
 * after the last one.
 */
export function isIsolated(index: number, timeAt: (index: number) => number | undefined): boolean {
  const timeS = timeAt(index)!;
  const before = timeAt(index - 1) ?? Number.NEGATIVE_INFINITY;
  const after = timeAt(index + 1) ?? Number.POSITIVE_INFINITY;
  return timeS - before >= ISOLATED_S && after - timeS >= ISOLATED_S;
}
