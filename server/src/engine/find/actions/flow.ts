import { round } from '../format.ts';
import { LIMITS } from '../thresholds.ts';
import type { TrackView } from '../types.ts';
import { lastEntry, sceneDistance } from './track/track-span.ts';
import type { TrackMatch } from './types.ts';

/** Directions of tracks compared with those of most others, as on a one-way road or in a race. */

const VEHICLES: ReadonlySet<string> = new Set(['car', 'truck', 'bus', 'motorcycle']);
const kindOf = ({ track }: TrackView) => (VEHICLES.has(track.className) ? 'vehicle' : track.className);

/** Way from the first to the last entry relative to the scene, in frame heights. */
type Way = { view: TrackView; x: number; y: number; length: number };

/** Tracks of each kind of object that cover a good part of the frame. */
function groupWaysByKind(views: readonly TrackView[], aspect: number): Map<string, Way[]> {
  const ways = views.map((view): Way => {
    const whole = { from: 0, to: lastEntry(view) };
    const x = sceneDistance(view, view.motion().vx, whole) * aspect;
    const y = sceneDistance(view, view.motion().vy, whole);
    return { view, x, y, length: Math.hypot(x, y) };
  });
  return Map.groupBy(
    ways.filter(({ length }) => length >= LIMITS.flowDistance.limit),
    ({ view }) => kindOf(view),
  );
}

/** Reason why no direction of most objects is known; null if one is. */
export function whyNoFlow(views: readonly TrackView[], aspect: number): string | null {
  const isMany = [...groupWaysByKind(views, aspect).values()].some(({ length }) => length > LIMITS.flowOthers.limit);
  return isMany ? null : 'too few objects of one kind move to tell in which direction most of them go';
}

const cosine = (a: Way, b: Way) => (a.x * b.x + a.y * b.y) / (a.length * b.length);

/** Keeps the actions of objects that go in the direction opposite to that of most others of their kind. */
export function filterAgainstFlow(
  actions: readonly TrackMatch[],
  views: readonly TrackView[],
  aspect: number,
): TrackMatch[] {
  const groups = groupWaysByKind(views, aspect);
  return actions.flatMap((action) => {
    const { view } = action.candidate;
    const ways = groups.get(kindOf(view)) ?? [];
    const own = ways.find((way) => way.view === view);
    const others = ways.filter((way) => way !== own);
    if (!own || others.length < LIMITS.flowOthers.limit) return [];
    const compared = isTwoWay(ways) ? others.filter((other) => sharePlace(own, other, aspect)) : others;
    const opposite = compared.filter((other) => isOpposite(own, other)).length;
    if (compared.length < MIN_COMPARED || opposite / compared.length < LIMITS.flowShare.limit) return [];
    const reason = `moved ${round(own.length * 100, 0)} % of the frame height, against ${opposite} of ${compared.length} others`;
    return [{ ...action, margin: 0, reason }];
  });
}

/** Fewest others that pass the same place and tell its direction. */
const MIN_COMPARED = 2;

/** By more than 120 degrees. */
const isOpposite = (a: Way, b: Way) => cosine(a, b) < -0.5;

/** True if several objects go each way, as on a road with two directions. */
const isTwoWay = (ways: readonly Way[]) =>
  ways.every((way) => {
    const opposite = ways.filter((other) => isOpposite(way, other)).length;
    return opposite / (ways.length - 1) < LIMITS.flowShare.limit;
  }) && ways.some((way) => ways.some((other) => isOpposite(way, other)));

/** True if the way of one object leads through the place of another: it comes within half of its size. */
function sharePlace(a: Way, b: Way, aspect: number): boolean {
  const [p, q] = [a.view.track, b.view.track];
  const step = (length: number) => Math.max(1, Math.floor(length / MAX_POINTS));
  for (let k = 0; k < p.frame.length; k += step(p.frame.length))
    for (let j = 0; j < q.frame.length; j += step(q.frame.length)) {
      const distance = Math.hypot((p.x[k]! - q.x[j]!) * aspect, p.y[k]! - q.y[j]!);
      if (distance <= Math.min(p.width[k]! * aspect, p.height[k]!) / 2) return true;
    }
  return false;
}
/** Points of a way that are compared. */
const MAX_POINTS = 40;
