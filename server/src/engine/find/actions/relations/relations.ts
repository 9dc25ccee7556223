import type { Relation } from '../../../plan/index.ts';
import { LIMITS } from '../../thresholds.ts';
import { mergeGaps, runs, type Span } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';

/** Maps each entry of `a` to the entry of `b` in the same frame; -1 if `b` has none there. */
export function alignTracks(a: TrackView, b: TrackView): Int32Array {
  const entry = new Int32Array(a.track.frame.length).fill(-1);
  let j = 0;
  for (let k = 0; k < entry.length; k++) {
    while (j < b.track.frame.length && b.track.frame[j]! < a.track.frame[k]!) j++;
    if (b.track.frame[j] === a.track.frame[k]) entry[k] = j;
  }
  return entry;
}

/** Two tracks; `aspect` is the width of the frame divided by its height. */
export type TrackPair = { a: TrackView; b: TrackView; aspect: number };

/** Spans of `a` in which it is in a relation to a qualifying entry of `b`, and the alignment of both tracks. */
export function findRelated(
  kind: Relation,
  pair: TrackPair,
  qualifyingSpans: readonly Span[],
): { spans: Span[]; entry: Int32Array } {
  const { a, b } = pair;
  const entry = alignTracks(a, b);
  if (a.endS < b.startS || b.endS < a.startS) return { spans: [], entry };
  const qualifies = toMask(qualifyingSpans, b);
  const holds = runs(
    entry.length,
    (k) => entry[k]! >= 0 && qualifies[entry[k]!] === 1 && TESTS[kind](pair, k, entry[k]!),
  );
  const spans = mergeGaps(holds, a.timeS, LIMITS.relationGap.limit);
  const min = LIMITS.relationMin.limit;
  const long = spans.filter((s) => a.timeS[s.to]! - a.timeS[s.from]! >= min);
  if (kind !== 'with') return { spans: long, entry };
  // "with" has to hold for most of the time in which both are visible.
  const shared = entry.reduce((n, e) => n + (e >= 0 ? 1 : 0), 0);
  const close = long.reduce((n, s) => n + s.to - s.from + 1, 0);
  return { spans: close * 2 >= shared ? long : [], entry };
}

/** Mask of the entries of a track that are in spans. */
export function toMask(spans: readonly Span[], view: TrackView): Uint8Array {
  const mask = new Uint8Array(view.track.frame.length);
  for (const span of spans) mask.fill(1, span.from, span.to + 1);
  return mask;
}

type RelationTest = (pair: TrackPair, k: number, j: number) => boolean;

/** Box of a track at an entry, with its sides. */
export const boxAt = (v: TrackView, k: number) => {
  const [x, y, w, h] = [v.track.x[k]!, v.track.y[k]!, v.track.width[k]!, v.track.height[k]!];
  return { x, y, w, h, left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 };
};
type BoxSides = ReturnType<typeof boxAt>;

/** Share of the smaller box that the other box covers. */
function overlapShare(a: BoxSides, b: BoxSides): number {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return w <= 0 || h <= 0 ? 0 : (w * h) / Math.max(1e-9, Math.min(a.w * a.h, b.w * b.h));
}

/** Gap between two boxes in frame heights; 0 if they overlap. */
export function gapBetween(a: BoxSides, b: BoxSides, aspect: number): number {
  const x = Math.max(0, Math.max(a.left, b.left) - Math.min(a.right, b.right)) * aspect;
  const y = Math.max(0, Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom));
  return Math.hypot(x, y);
}

function isNear(pair: TrackPair, k: number, j: number): boolean {
  return isWithin(pair, k, j, LIMITS.near.limit, LIMITS.nearDepth.limit);
}

/** `gap` and `depth` are in heights of the taller box. */
function isWithin({ a, b, aspect }: TrackPair, k: number, j: number, gap: number, depth: number): boolean {
  const [p, q] = [boxAt(a, k), boxAt(b, j)];
  const taller = Math.max(p.h, q.h);
  // The lower edges have to be close as well: otherwise one object is far behind the other.
  return (
    gapBetween(p, q, aspect) <= gap * taller &&
    (overlapShare(p, q) >= LIMITS.overlap.limit || Math.abs(p.bottom - q.bottom) <= depth * taller)
  );
}

const TESTS: Record<Relation, RelationTest> = {
  near: isNear,
  // Overlap alone does not count: an object that passes behind another one is not close to it.
  too_close_to: (pair, k, j) => {
    const [p, q] = [boxAt(pair.a, k), boxAt(pair.b, j)];
    const { limit } = LIMITS.tooClose;
    const taller = Math.max(p.h, q.h);
    return gapBetween(p, q, pair.aspect) <= limit * taller && Math.abs(p.bottom - q.bottom) <= limit * taller;
  },
  with: isNear,
  overlaps: ({ a, b }, k, j) => overlapShare(boxAt(a, k), boxAt(b, j)) >= LIMITS.overlap.limit,
  in_front_of: (pair, k, j) => isNear(pair, k, j) && boxAt(pair.a, k).bottom > boxAt(pair.b, j).bottom,
  behind: (pair, k, j) => isNear(pair, k, j) && boxAt(pair.a, k).bottom < boxAt(pair.b, j).bottom,
  left_of: ({ a, b }, k, j) => boxAt(a, k).x < boxAt(b, j).left,
  right_of: ({ a, b }, k, j) => boxAt(a, k).x > boxAt(b, j).right,
  above: ({ a, b }, k, j) => boxAt(a, k).y < boxAt(b, j).top,
  below: ({ a, b }, k, j) => boxAt(a, k).y > boxAt(b, j).bottom,
  on: ({ a, b }, k, j) => {
    const [p, q] = [boxAt(a, k), boxAt(b, j)];
    return overlapShare(p, q) >= LIMITS.overlap.limit && p.y <= q.y && p.x > q.left && p.x < q.right;
  },
  inside: ({ a, b }, k, j) => overlapShare(boxAt(a, k), boxAt(b, j)) >= 0.8 && a.track.width[k]! < b.track.width[j]!,
};

/** Classes that people ride on. */
const BIKES: ReadonlySet<string> = new Set(['bicycle', 'motorcycle']);

const isRider = ({ track }: TrackView) => track.className === 'person';
const isBike = ({ track }: TrackView) => BIKES.has(track.className);

/** Spans in which a person sits on a bike. If that is at least half of the track, the whole track counts as ridden. */
export const findRiddenEntries = (bike: TrackView, views: readonly TrackView[]): Span[] =>
  findTogether(
    bike,
    views.filter(isRider).map((rider) => ({ rider, bike, other: rider })),
  );

/** Spans in which a person sits on any bike. If that is at least half of the track, the person rides all the time. */
export const findRidingEntries = (rider: TrackView, views: readonly TrackView[]): Span[] =>
  findTogether(
    rider,
    views.filter(isBike).map((bike) => ({ rider, bike, other: bike })),
  );

/** Tracks of the people who ride a bike. */
export const findRiders = (bike: TrackView, views: readonly TrackView[]): TrackView[] =>
  isBike(bike)
    ? views.filter((rider) => isRider(rider) && findTogether(rider, [{ rider, bike, other: bike }]).length > 0)
    : [];

/** Spans of a track in which a person of one of these pairs sits on the bike. */
function findTogether(
  own: TrackView,
  pairs: readonly { rider: TrackView; bike: TrackView; other: TrackView }[],
): Span[] {
  const n = own.track.frame.length;
  const together = new Uint8Array(n);
  for (const { rider, bike, other } of pairs) {
    if (other.endS < own.startS || other.startS > own.endS) continue;
    const entry = alignTracks(own, other);
    const [isParked, isStanding] = [toMask(bike.stationarySpans, bike), toMask(rider.stationarySpans, rider)];
    for (let k = 0; k < n; k++) {
      if (entry[k]! < 0) continue;
      const [p, b] = own === rider ? [k, entry[k]!] : [entry[k]!, k];
      // Somebody who walks past a parked bike does not ride it.
      if (isParked[b] && !isStanding[p]) continue;
      if (TESTS.on({ a: rider, b: bike, aspect: 1 }, p, b)) together[k] = 1;
    }
  }
  const share = together.reduce((sum, one) => sum + one, 0) / n;
  if (share >= 0.5) return [{ from: 0, to: n - 1 }];
  const spans = mergeGaps(
    runs(n, (k) => together[k] === 1),
    own.timeS,
    LIMITS.relationGap.limit,
  );
  return spans.filter((s) => own.timeS[s.to]! - own.timeS[s.from]! >= LIMITS.relationMin.limit);
}
