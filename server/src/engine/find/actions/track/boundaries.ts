import type { Direction, Line, ObjectTarget, Region } from '../../../plan/index.ts';
import { borderName, toBounds } from '../../region-geometry.ts';
import { LIMITS } from '../../thresholds.ts';
import type { Span } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import { footPoint } from '../../zone-geometry.ts';
import type { ActionInterval, VideoContext } from '../types.ts';
import { findEntryEdge, findExitEdge } from './presence.ts';
import { findStays } from './stays.ts';
import { formatSeconds, lastEntry, sceneDistance } from './track-span.ts';

// An object crosses a line or region with its center, or its foot point if it is a zone, and by its own motion: a
// parked car crosses nothing when the camera turns.

/** Crossings of a line between its ends, from clearly on one side to clearly on the other. */
export function findLineCrossings(view: TrackView, line: Line, direction: Direction | null): ActionInterval[] {
  const { track } = view;
  const pointAt = (k: number) => (line.zone ? footPoint(track, k) : { x: track.x[k]!, y: track.y[k]! });
  const [{ x: x0, y: y0 }, { x: x1, y: y1 }] = [line.from, line.to];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length === 0) return [];
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const points = Array.from(track.frame, (_, k) => pointAt(k));
  // Position of a point along the line, and its distance from the line, which is positive on the right.
  const along = (k: number) => (points[k]!.x - x0) * ux + (points[k]!.y - y0) * uy;
  const distance = (k: number) => (points[k]!.y - y0) * ux - (points[k]!.x - x0) * uy;
  const clear = points.flatMap((_, k) => (Math.abs(distance(k)) < LIMITS.lineClear.limit ? [] : [k]));
  const crossings: ActionInterval[] = [];
  let before = -1;
  for (const k of line.zone ? withoutVisits(clear, (k) => distance(k) > 0, view) : clear) {
    if (before >= 0 && distance(before) * distance(k) < 0) {
      const share = distance(before) / (distance(before) - distance(k));
      const position = along(before) + share * (along(k) - along(before));
      const span = { from: before, to: k };
      // The direction is the one across the line, whatever the motion along it.
      const across = directionAlong(view, span, Math.abs(uy) >= Math.abs(ux));
      const isWay = line.way === undefined || (line.way === 'in') === distance(k) > 0;
      const isRequested =
        isWay && (direction === null || direction === across || direction === mainDirection(view, span));
      if (isRequested && position >= 0 && position <= length && isMovedAcross(view, span, line))
        crossings.push({
          ...span,
          margin: null,
          reason: `its ${partOf(line)} crossed ${borderName(line)} at ${formatSeconds(view.timeS[k]!)}`,
          resolved: { direction: across },
        });
    }
    before = k;
  }
  return crossings;
}

/** Entries without short visits to the other side of a line: jitter is no crossing. */
function withoutVisits(entries: readonly number[], isRight: (k: number) => boolean, { timeS }: TrackView): number[] {
  const sides: number[][] = [];
  for (const k of entries) {
    const side = sides.at(-1);
    if (side && isRight(side[0]!) === isRight(k)) side.push(k);
    else sides.push([k]);
  }
  const isVisit = (side: readonly number[], i: number) =>
    i > 0 && i < sides.length - 1 && timeS[sides[i + 1]![0]!]! - timeS[side[0]!]! < LIMITS.relationMin.limit;
  return sides.flatMap((side, i) => (isVisit(side, i) ? [] : side));
}

const isZone = (border: Line | Region) => 'zone' in border && border.zone === true;
const partOf = (border: Line | Region) => (isZone(border) ? 'foot point' : 'center');

export function findRegionEntries(view: TrackView, what: ObjectTarget, video: VideoContext): ActionInterval[] {
  return findLongStays(view, what.region!).flatMap(({ from, to }) => {
    const edge = from === 0 ? findEntryEdge(view, video) : null;
    if (from === 0 && edge === null) return [];
    const span = from === 0 ? { from: 0, to: soonAfter(view, 0, to) } : { from: from - 1, to: from };
    const side = edge ?? ENTRY_SIDES[mainDirection(view, span)];
    const isOwn = from === 0 || isMovedAcross(view, span, what.region!);
    if (!isOwn || (what.from !== null && what.from !== side)) return [];
    const reason = `its ${partOf(what.region!)} entered ${borderName(what.region!)} at ${formatSeconds(view.timeS[from]!)}`;
    return [{ ...span, margin: null, reason }];
  });
}

export function findRegionExits(view: TrackView, what: ObjectTarget, video: VideoContext): ActionInterval[] {
  const last = lastEntry(view);
  return findLongStays(view, what.region!).flatMap(({ from, to }) => {
    const edge = to === last ? findExitEdge(view, video) : null;
    if (to === last && edge === null) return [];
    const span = to === last ? { from: soonBefore(view, to, from), to } : { from: to, to: to + 1 };
    const side = edge ?? EXIT_SIDES[mainDirection(view, span)];
    const isOwn = to === last || isMovedAcross(view, span, what.region!);
    if (!isOwn || (what.to !== null && what.to !== side)) return [];
    const reason = `its ${partOf(what.region!)} left ${borderName(what.region!)} at ${formatSeconds(view.timeS[to]!)}`;
    return [{ ...span, margin: null, reason }];
  });
}

/** Entry on one side and exit on another, at least half as far apart as the region is wide or high. */
export function findRegionCrossings(view: TrackView, what: ObjectTarget, video: VideoContext): ActionInterval[] {
  const { track } = view;
  const region = what.region!;
  const bounds = toBounds(region);
  const minDistance = Math.min(bounds.width, bounds.height) / 2;
  return findLongStays(view, region).flatMap(({ from, to }) => {
    const enters = from > 0 || findEntryEdge(view, video) !== null;
    const leaves = to < lastEntry(view) || findExitEdge(view, video) !== null;
    const span = { from: Math.max(0, from - 1), to: Math.min(lastEntry(view), to + 1) };
    const distance = Math.hypot(track.x[span.to]! - track.x[span.from]!, track.y[span.to]! - track.y[span.from]!);
    const direction = mainDirection(view, span);
    if (!enters || !leaves || distance < minDistance || !isOwnMotion(view, span)) return [];
    if (what.direction !== null && what.direction !== direction) return [];
    const [first, final] = [formatSeconds(view.timeS[from]!), formatSeconds(view.timeS[to]!)];
    const reason = `its ${partOf(region)} was in ${borderName(region)} from ${first} to ${final}`;
    return [{ ...span, margin: distance / minDistance - 1, reason, resolved: { direction } }];
  });
}

/** Stays that are no passing by. */
const findLongStays = (view: TrackView, region: Region): Span[] =>
  findStays(view, region).filter(({ from, to }) => view.timeS[to]! - view.timeS[from]! >= LIMITS.relationMin.limit);

/** Side on which an object enters, or leaves, by the direction of its motion. */
const ENTRY_SIDES = { right: 'left', left: 'right', down: 'top', up: 'bottom' } as const;
const EXIT_SIDES = { right: 'right', left: 'left', down: 'bottom', up: 'top' } as const;

/** Main direction of the center. */
function mainDirection(view: TrackView, span: Span): keyof typeof ENTRY_SIDES {
  const { x, y } = view.track;
  return directionAlong(view, span, Math.abs(x[span.to]! - x[span.from]!) >= Math.abs(y[span.to]! - y[span.from]!));
}

function directionAlong(
  { track: { x, y } }: TrackView,
  { from, to }: Span,
  horizontal: boolean,
): keyof typeof ENTRY_SIDES {
  if (horizontal) return x[to]! >= x[from]! ? 'right' : 'left';
  return y[to]! >= y[from]! ? 'down' : 'up';
}

/** True if an object crosses a border by its own motion. Who turns back soon moves before or after it. */
function isMovedAcross(view: TrackView, span: Span, border: Line | Region): boolean {
  const around = withMargin(view, span);
  if (isOwnMotion(view, around)) return true;
  return (
    isZone(border) &&
    [
      { ...around, to: span.to },
      { ...around, from: span.from },
    ].some((s) => isOwnMotion(view, s))
  );
}

/** True if at least half of the displacement in the frame is the object's own motion, not the camera's. */
function isOwnMotion(view: TrackView, span: Span): boolean {
  const { track } = view;
  const [dx, dy] = [track.x[span.to]! - track.x[span.from]!, track.y[span.to]! - track.y[span.from]!];
  const own = sceneDistance(view, view.motion().vx, span) * dx + sceneDistance(view, view.motion().vy, span) * dy;
  return own >= (dx * dx + dy * dy) / 2 && own > 0;
}

/** Extends a span to a second around the border, because a single step may be jitter. */
const withMargin = (view: TrackView, { from, to }: Span): Span => ({
  from: soonBefore(view, from, 0),
  to: soonAfter(view, to, lastEntry(view)),
});

function soonAfter(view: TrackView, from: number, max: number): number {
  let k = from;
  while (k < max && view.timeS[k + 1]! - view.timeS[from]! <= LIMITS.appearance.limit / 2) k++;
  return k;
}

function soonBefore(view: TrackView, to: number, min: number): number {
  let k = to;
  while (k > min && view.timeS[to]! - view.timeS[k - 1]! <= LIMITS.appearance.limit / 2) k--;
  return k;
}
