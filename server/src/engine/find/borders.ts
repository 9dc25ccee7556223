import type { Direction, Line, ObjectWhat, Region } from '../plan/index.ts';
import { type Act, at, last, ownWay, type Watched } from './act.ts';
import { cameFrom, wentTo } from './coming.ts';
import { mergeGaps, runs, type Span } from './intervals.ts';
import { boundsOf, isInside } from './place.ts';
import { LIMITS } from './thresholds.ts';
import type { TrackView } from './views.ts';

/** Lines and regions are crossed by the centre of a thing, and by its own motion: a parked car crosses nothing when the camera turns. */

/** From clearly on one side of the line to clearly on the other, between its ends. */
export function crossesLine(view: TrackView, line: Line, direction: Direction | null): Act[] {
  const { track } = view;
  const [{ x: x0, y: y0 }, { x: x1, y: y1 }] = [line.from, line.to];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length === 0) return [];
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  /** Along the line from its start, and off it. */
  const along = (k: number) => (track.x[k]! - x0) * ux + (track.y[k]! - y0) * uy;
  const off = (k: number) => (track.y[k]! - y0) * ux - (track.x[k]! - x0) * uy;
  const acts: Act[] = [];
  let before = -1;
  for (let k = 0; k < track.frame.length; k++) {
    if (Math.abs(off(k)) < LIMITS.lineClear.limit) continue;
    if (before >= 0 && off(before) * off(k) < 0) {
      const share = off(before) / (off(before) - off(k));
      const where = along(before) + share * (along(k) - along(before));
      const span = { from: before, to: k };
      // Over the line, whatever the way along it.
      const way = wayAlong(view, span, Math.abs(uy) >= Math.abs(ux));
      const isAsked = direction === null || direction === way || direction === wayOf(view, span);
      if (isAsked && where >= 0 && where <= length && goes(view, around(view, span)))
        acts.push({
          ...span,
          margin: null,
          because: `its centre crossed the ${line.name} at ${at(view.timeS[k]!)}`,
          found: { direction: way },
        });
    }
    before = k;
  }
  return acts;
}

export function entersRegion(view: TrackView, what: ObjectWhat, video: Watched): Act[] {
  return staysIn(view, what.region!).flatMap(({ from, to }) => {
    const came = from === 0 ? cameFrom(view, video) : null;
    if (from === 0 && came === null) return [];
    const span = from === 0 ? { from: 0, to: soonAfter(view, 0, to) } : { from: from - 1, to: from };
    const side = came ?? SIDE_OF[wayOf(view, span)];
    if ((from > 0 && !goes(view, around(view, span))) || (what.from !== null && what.from !== side)) return [];
    return [
      { ...span, margin: null, because: `its centre came into the ${what.region!.name} at ${at(view.timeS[from]!)}` },
    ];
  });
}

export function leavesRegion(view: TrackView, what: ObjectWhat, video: Watched): Act[] {
  return staysIn(view, what.region!).flatMap(({ from, to }) => {
    const gone = to === last(view) ? wentTo(view, video) : null;
    if (to === last(view) && gone === null) return [];
    const span = to === last(view) ? { from: soonBefore(view, to, from), to } : { from: to, to: to + 1 };
    const side = gone ?? TO_SIDE[wayOf(view, span)];
    if ((to < last(view) && !goes(view, around(view, span))) || (what.to !== null && what.to !== side)) return [];
    return [{ ...span, margin: null, because: `its centre left the ${what.region!.name} at ${at(view.timeS[to]!)}` }];
  });
}

/** In on one side and out on another, at least half as far apart as the region is wide or high. */
export function crossesRegion(view: TrackView, what: ObjectWhat, video: Watched): Act[] {
  const { track } = view;
  const region = what.region!;
  const bounds = boundsOf(region);
  const need = Math.min(bounds.width, bounds.height) / 2;
  return staysIn(view, region).flatMap(({ from, to }) => {
    const isIn = from > 0 || cameFrom(view, video) !== null;
    const isOut = to < last(view) || wentTo(view, video) !== null;
    const span = { from: Math.max(0, from - 1), to: Math.min(last(view), to + 1) };
    const way = Math.hypot(track.x[span.to]! - track.x[span.from]!, track.y[span.to]! - track.y[span.from]!);
    const found = wayOf(view, span);
    if (!isIn || !isOut || way < need || !goes(view, span)) return [];
    if (what.direction !== null && what.direction !== found) return [];
    const because = `its centre was in the ${region.name} from ${at(view.timeS[from]!)} to ${at(view.timeS[to]!)}`;
    return [{ ...span, margin: way / need - 1, because, found: { direction: found } }];
  });
}

/** Entries in which the centre is in a region; jitter at its border is no coming and going. */
function staysIn(view: TrackView, region: Region): Span[] {
  const { track } = view;
  const inside = runs(track.frame.length, (k) => isInside(region, track.x[k]!, track.y[k]!));
  return mergeGaps(inside, view.timeS, LIMITS.relationGap.limit).filter(
    ({ from, to }) => view.timeS[to]! - view.timeS[from]! >= LIMITS.relationMin.limit,
  );
}

const SIDE_OF = { right: 'left', left: 'right', down: 'top', up: 'bottom' } as const;
const TO_SIDE = { right: 'right', left: 'left', down: 'bottom', up: 'top' } as const;

/** Which way the centre went, mostly. */
function wayOf(view: TrackView, span: Span): keyof typeof SIDE_OF {
  const { x, y } = view.track;
  return wayAlong(view, span, Math.abs(x[span.to]! - x[span.from]!) >= Math.abs(y[span.to]! - y[span.from]!));
}

function wayAlong({ track: { x, y } }: TrackView, { from, to }: Span, sideways: boolean): keyof typeof SIDE_OF {
  if (sideways) return x[to]! >= x[from]! ? 'right' : 'left';
  return y[to]! >= y[from]! ? 'down' : 'up';
}

/** Whether at least half of the way in the picture is its own, not the camera's. */
function goes(view: TrackView, span: Span): boolean {
  const { track } = view;
  const [dx, dy] = [track.x[span.to]! - track.x[span.from]!, track.y[span.to]! - track.y[span.from]!];
  const own = ownWay(view, view.motion().vx, span) * dx + ownWay(view, view.motion().vy, span) * dy;
  return own >= (dx * dx + dy * dy) / 2 && own > 0;
}

/** The second around the border: one step alone is jitter. */
const around = (view: TrackView, { from, to }: Span): Span => ({
  from: soonBefore(view, from, 0),
  to: soonAfter(view, to, last(view)),
});

function soonAfter(view: TrackView, from: number, most: number): number {
  let k = from;
  while (k < most && view.timeS[k + 1]! - view.timeS[from]! <= LIMITS.appearing.limit / 2) k++;
  return k;
}

function soonBefore(view: TrackView, to: number, least: number): number {
  let k = to;
  while (k > least && view.timeS[to]! - view.timeS[k - 1]! <= LIMITS.appearing.limit / 2) k--;
  return k;
}
