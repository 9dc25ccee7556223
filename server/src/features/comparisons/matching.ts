/** Seconds from the first frame. */
export type Interval = { startS: number; endS: number };
export type Match<A, B> = { a: A; b: B };

/** Least intersection over union of two events that are the same, unless both of their edges are this close. */
const MIN_OVERLAP = 0.3;
const CLOSE_S = 1;

/** Pairs intervals of two lists that are the same event, the best pairs first, each interval once. */
export function matchIntervals<A extends Interval, B extends Interval>(
  ofA: readonly A[],
  ofB: readonly B[],
): Match<A, B>[] {
  const pairs = ofA
    .flatMap((a) => ofB.map((b) => ({ a, b, fit: fitOf(a, b) })))
    .filter(({ fit }) => fit > 0)
    .toSorted((x, y) => y.fit - x.fit);
  const taken = new Set<Interval>();
  return pairs.flatMap(({ a, b }) => {
    if (taken.has(a) || taken.has(b)) return [];
    taken.add(a).add(b);
    return { a, b };
  });
}

/** True if two intervals are the same event. */
export const isSameEvent = (a: Interval, b: Interval): boolean => fitOf(a, b) > 0;

/** Intersection over union, 0 to 1. */
export function overlapOf(a: Interval, b: Interval): number {
  const shared = Math.min(a.endS, b.endS) - Math.max(a.startS, b.startS);
  return Math.max(0, shared) / Math.max(1e-9, Math.max(a.endS, b.endS) - Math.min(a.startS, b.startS));
}

/** The overlap, or a small value for edges that are close; 0 if they do not match. */
function fitOf(a: Interval, b: Interval): number {
  const overlap = overlapOf(a, b);
  if (overlap >= MIN_OVERLAP) return overlap;
  const isClose = Math.abs(a.startS - b.startS) <= CLOSE_S && Math.abs(a.endS - b.endS) <= CLOSE_S;
  return isClose ? MIN_OVERLAP / 2 : 0;
}
