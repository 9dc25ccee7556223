import { round } from '../../format.ts';
import { LIMITS, STATES } from '../../thresholds.ts';
import { mergeGaps, runs, type Span } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import { sceneDistance } from '../track/track-span.ts';
import type { ActionInterval } from '../types.ts';
import { alignTracks, boxAt, gapBetween, type TrackPair, toMask } from './relations.ts';

/** Intervals in which `a` moves in the same direction as `b`, close behind it. */
export function findFollowing({ a, b, aspect }: TrackPair, qualifyingSpans: readonly Span[]): ActionInterval[] {
  const entry = alignTracks(a, b);
  const qualifies = toMask(qualifyingSpans, b);
  const holds = runs(entry.length, (k) => {
    const j = entry[k]!;
    if (j < 0 || qualifies[j] !== 1) return false;
    const [p, q] = [boxAt(a, k), boxAt(b, j)];
    const [ax, ay] = [a.motion().vx[k]! * aspect, a.motion().vy[k]!];
    const [bx, by] = [b.motion().vx[j]! * aspect, b.motion().vy[j]!];
    const [speedA, speedB] = [Math.hypot(ax, ay), Math.hypot(bx, by)];
    const minSpeed = STATES.speed.enter * aspect;
    if (speedA < minSpeed || speedB < minSpeed || ax * bx + ay * by < SAME_DIRECTION * speedA * speedB) return false;
    const isBehind = (q.x - p.x) * aspect * ax + (q.y - p.y) * ay > 0;
    const size = Math.max(p.h, q.h, p.w * aspect, q.w * aspect);
    return isBehind && gapBetween(p, q, aspect) <= LIMITS.followGap.limit * size;
  });
  return mergeGaps(holds, a.timeS, LIMITS.relationGap.limit)
    .map((span) => ({ ...span, durationS: a.timeS[span.to]! - a.timeS[span.from]! }))
    .filter(({ durationS }) => durationS >= LIMITS.followMin.limit)
    .map(({ from, to, durationS }) => ({
      from,
      to,
      margin: durationS / LIMITS.followMin.limit - 1,
      reason: `moved in the same direction behind ${b.track.className} ${b.track.id} for ${round(durationS)} s`,
    }));
}
/** Cosine of the largest angle between two directions that count as the same: 35°. */
const SAME_DIRECTION = 0.82;

/** Intervals in which `a` passes `b`: from one side of it to the other, close by. */
export function findPassing(pair: TrackPair, qualifyingSpans: readonly Span[]): ActionInterval[] {
  const { a, b, aspect } = pair;
  const entry = alignTracks(a, b);
  const shared = runs(entry.length, (k) => entry[k]! >= 0);
  const qualifies = toMask(qualifyingSpans, b);
  for (const { from, to } of shared) {
    const first = [boxAt(a, from), boxAt(b, entry[from]!)] as const;
    const final = [boxAt(a, to), boxAt(b, entry[to]!)] as const;
    for (const axis of ['x', 'y'] as const) {
      const before = first[0][axis] - first[1][axis];
      const after = final[0][axis] - final[1][axis];
      const extent = axis === 'x' ? 'w' : 'h';
      // Objects in opposite directions have passed as soon as their order changes.
      const clear = moveInOppositeDirections(pair, { from, to }, entry, axis)
        ? 0
        : (first[0][extent] + first[1][extent]) / 4;
      if (before * after >= 0 || Math.abs(before) < clear || Math.abs(after) < clear) continue;
      const close = runs(to - from + 1, (i) => {
        const k = from + i;
        const [p, q] = [boxAt(a, k), boxAt(b, entry[k]!)];
        const size = Math.max(p.h, q.h, p.w * aspect, q.w * aspect);
        return qualifies[entry[k]!] === 1 && gapBetween(p, q, aspect) <= LIMITS.passGap.limit * size * 0.5;
      })
        .map((s) => ({ from: s.from + from, to: s.to + from }))
        .find((s) => sideAt(s.from, axis) * sideAt(s.to, axis) <= 0);
      if (close)
        return [
          {
            ...close,
            margin: 0.5,
            reason: `changed from one side of it to the other at ${round(a.timeS[crossingEntry(close, axis)]!)} s`,
          },
        ];
    }
  }
  return [];

  function sideAt(k: number, axis: 'x' | 'y'): number {
    return Math.sign(boxAt(a, k)[axis] - boxAt(b, entry[k]!)[axis]);
  }
  function crossingEntry(span: Span, axis: 'x' | 'y'): number {
    for (let k = span.from; k < span.to; k++) if (sideAt(k, axis) * sideAt(k + 1, axis) <= 0) return k;
    return span.from;
  }
}

/** True if both move along an axis, relative to the scene, in opposite directions. */
function moveInOppositeDirections(
  { a, b }: TrackPair,
  { from, to }: Span,
  entry: Int32Array,
  axis: 'x' | 'y',
): boolean {
  const velocity = (view: TrackView) => (axis === 'x' ? view.motion().vx : view.motion().vy);
  const [own, other] = [
    sceneDistance(a, velocity(a), { from, to }),
    sceneDistance(b, velocity(b), { from: entry[from]!, to: entry[to]! }),
  ];
  return own * other < 0 && Math.min(Math.abs(own), Math.abs(other)) >= LIMITS.moveDistance.limit;
}

/** Intervals in which the distance between `a` and `b` falls to a part of its start value, mostly by motion of `a`. */
export function findApproaching(pair: TrackPair, qualifyingSpans: readonly Span[]): ActionInterval[] {
  const { a, b, aspect } = pair;
  const entry = alignTracks(a, b);
  const qualifies = toMask(qualifyingSpans, b);
  const intervals: ActionInterval[] = [];
  for (const { from, to } of runs(entry.length, (k) => entry[k]! >= 0 && qualifies[entry[k]!] === 1)) {
    const distance = (k: number) => {
      const [p, q] = [boxAt(a, k), boxAt(b, entry[k]!)];
      return Math.hypot((p.x - q.x) * aspect, p.y - q.y);
    };
    let far = from;
    let best: Span | null = null;
    let least = 1;
    for (let k = from; k <= to; k++) {
      if (distance(k) >= distance(far)) far = k;
      const left = distance(k) / Math.max(1e-6, distance(far));
      if (a.timeS[k]! - a.timeS[far]! >= LIMITS.moveMin.limit && left < least) {
        least = left;
        best = { from: far, to: k };
      }
    }
    // `a` has to move at least as far: a pedestrian does not approach a car that comes nearer.
    if (
      best &&
      least <= LIMITS.remainingDistance.limit &&
      pathLength(a, best) >= pathLength(b, { from: entry[best.from]!, to: entry[best.to]! })
    )
      intervals.push({
        ...best,
        margin: (LIMITS.remainingDistance.limit - least) * 3,
        reason: `the distance fell to ${round(least * 100, 0)} % in ${round(a.timeS[best.to]! - a.timeS[best.from]!)} s`,
      });
  }
  return intervals;
}

function pathLength(view: TrackView, { from, to }: Span): number {
  let distance = 0;
  for (let k = from + 1; k <= to; k++)
    distance += Math.hypot(view.motion().vx[k]!, view.motion().vy[k]!) * (view.timeS[k]! - view.timeS[k - 1]!);
  return distance;
}
