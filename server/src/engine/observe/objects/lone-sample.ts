/** A sample this many seconds from its neighbors stands alone: nothing can confirm what is detected in it. */
const ALONE_S = 0.75;

/** Minimum score of a detection in a sample that stands alone; elsewhere a second detection is required. */
export const MIN_LONE_SCORE = 0.55;

/**
 * True if no other sample is near. `timeAt` returns the time of a sample in seconds, and undefined before the first and
 * after the last one.
 */
export function standsAlone(index: number, timeAt: (index: number) => number | undefined): boolean {
  const timeS = timeAt(index)!;
  const before = timeAt(index - 1) ?? Number.NEGATIVE_INFINITY;
  const after = timeAt(index + 1) ?? Number.POSITIVE_INFINITY;
  return timeS - before >= ALONE_S && after - timeS >= ALONE_S;
}
