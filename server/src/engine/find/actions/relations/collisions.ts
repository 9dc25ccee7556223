import { round } from '../../format.ts';
import { LIMITS } from '../../thresholds.ts';
import type { Span } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import { entryAtTime } from '../track/track-span.ts';
import type { ActionInterval } from '../types.ts';
import { alignTracks, boxAt, gapBetween, type TrackPair, toMask } from './relations.ts';

/**
 * Moments at which `a` and `b` come together and one of them changes its motion at once: contact of two objects, as far
 * as boxes show it. Objects that only pass behind each other keep their motion.
 */
export function findCollisions(pair: TrackPair, qualifyingSpans: readonly Span[]): ActionInterval[] {
  const { a, b, aspect } = pair;
  const entry = alignTracks(a, b);
  const qualifies = toMask(qualifyingSpans, b);
  for (let k = 0; k < entry.length; k++) {
    const j = entry[k]!;
    if (j < 0 || qualifies[j] !== 1 || !isTouching(pair, k, j) || !isClosing(pair, k, j)) continue;
    const change = Math.max(changeOfMotion(a, k, aspect), changeOfMotion(b, j, aspect));
    if (change < LIMITS.impactChange.limit) continue;
    const to = entryAtTime(a, a.timeS[k]! + LIMITS.appearance.limit);
    const reason = `met ${b.track.className} ${b.track.id}, and the motion of one changed by ${round(change * 100, 0)} % at once`;
    return [{ from: k, to, margin: 0, reason }];
  }
  return [];
}

/** The boxes touch, and both stand at about the same depth. */
function isTouching({ a, b, aspect }: TrackPair, k: number, j: number): boolean {
  const [p, q] = [boxAt(a, k), boxAt(b, j)];
  const taller = Math.max(p.h, q.h);
  return gapBetween(p, q, aspect) === 0 && Math.abs(p.bottom - q.bottom) <= LIMITS.impactDepth.limit * taller;
}

/** They came closer to each other just before. */
function isClosing({ a, b, aspect }: TrackPair, k: number, j: number): boolean {
  const [i, h] = [before(a, k), before(b, j)];
  const [x, y] = [(b.track.x[h]! - a.track.x[i]!) * aspect, b.track.y[h]! - a.track.y[i]!];
  const [p, q] = [velocityAt(a, i, aspect), velocityAt(b, h, aspect)];
  return (p.x - q.x) * x + (p.y - q.y) * y > 0;
}

/** Change of velocity around an entry as a share of the larger speed; 0 if it hardly moves on either side. */
function changeOfMotion(view: TrackView, k: number, aspect: number): number {
  const after = entryAtTime(view, view.timeS[k]! + LIMITS.impactTime.limit);
  const [p, q] = [velocityAt(view, before(view, k), aspect), velocityAt(view, after, aspect)];
  const speed = Math.max(Math.hypot(p.x, p.y), Math.hypot(q.x, q.y));
  return speed < LIMITS.impactSpeed.limit ? 0 : Math.hypot(p.x - q.x, p.y - q.y) / speed;
}

const before = (view: TrackView, k: number) => entryAtTime(view, view.timeS[k]! - LIMITS.impactTime.limit);

/** Velocity in frame heights per second. */
const velocityAt = (view: TrackView, k: number, aspect: number) => ({
  x: view.motion().vx[k]! * aspect,
  y: view.motion().vy[k]!,
});
