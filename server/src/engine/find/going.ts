import type { Direction, ObjectWhat } from '../plan/index.ts';
import { type Act, at, last, lasts, ownWay, type Watched } from './act.ts';
import { cameFrom } from './coming.ts';
import { round } from './hit.ts';
import { complement, hysteresis, mergeGaps, runs, type Span } from './intervals.ts';
import { LIMITS, STATES } from './thresholds.ts';
import type { TrackView } from './views.ts';

/** Over the middle of the picture, by a good part of its width or height, more across than along. */
export function crosses(view: TrackView, direction: Direction | null): Act[] {
  const { track } = view;
  const n = last(view);
  const dx = track.x[n]! - track.x[0]!;
  const dy = track.y[n]! - track.y[0]!;
  const horizontal = Math.abs(dx) >= Math.abs(dy);
  const way = horizontal ? dx : dy;
  const path = horizontal ? track.x : track.y;
  const need = LIMITS.crossing.limit * (horizontal ? 1 : 1.5);
  const overMiddle = (path[0]! - 0.5) * (path[n]! - 0.5) < 0;
  const found: Direction = horizontal ? (way > 0 ? 'right' : 'left') : way > 0 ? 'down' : 'up';
  if (Math.abs(way) < need || !overMiddle || (direction !== null && direction !== found)) return [];
  // Against the scene too: a parked car does not cross when the camera turns.
  const own = ownWay(view, horizontal ? view.motion().vx : view.motion().vy, { from: 0, to: n });
  if (own * way < 0 || Math.abs(own) < need / 2) return [];
  const because = `moved ${round(Math.abs(way) * 100, 0)} % of the picture to the ${found === 'up' ? 'top' : found === 'down' ? 'bottom' : found}`;
  return [{ from: 0, to: n, margin: Math.abs(way) / need - 1, because, found: { direction: found } }];
}

export function moves(view: TrackView, direction: Direction | null): Act[] {
  if (direction === 'towards' || direction === 'away') return changesSize(view, direction);
  const n = view.track.frame.length;
  const speed = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const [x, y] = [view.motion().vx[k]!, view.motion().vy[k]!];
    if (direction === null) speed[k] = Math.hypot(x, y);
    else {
      const along = direction === 'right' ? x : direction === 'left' ? -x : direction === 'down' ? y : -y;
      const across = direction === 'right' || direction === 'left' ? Math.abs(y) : Math.abs(x);
      speed[k] = along >= across * 0.5 ? along : Math.min(along, 0);
    }
  }
  const spans = mergeGaps(hysteresis(speed, STATES.speed), view.timeS, LIMITS.motionGap.limit);
  const moving = direction === null && view.still.length > 0 ? withoutStill(spans, view) : spans;
  return moving.flatMap((span) => {
    const way = Math.hypot(ownWay(view, view.motion().vx, span), ownWay(view, view.motion().vy, span));
    const time = lasts(view, span);
    if (time < LIMITS.moveMin.limit || way < LIMITS.moveWay.limit) return [];
    const because = `moved ${round(way * 100, 0)} % of the picture against the scene in ${at(time)}`;
    return [
      {
        ...span,
        margin: way / LIMITS.moveWay.limit / 3,
        because,
        found: { direction: direction ?? heading(view, span) },
      },
    ];
  });
}

function withoutStill(spans: readonly Span[], view: TrackView): Span[] {
  const moving = complement(view.still, view.track.frame.length);
  return spans.flatMap((span) =>
    moving
      .map((m) => ({ from: Math.max(m.from, span.from), to: Math.min(m.to, span.to) }))
      .filter((m) => m.to >= m.from),
  );
}

/** The one direction it mostly went; null when that is not clear. */
function heading(view: TrackView, span: Span): Direction | null {
  const x = ownWay(view, view.motion().vx, span);
  const y = ownWay(view, view.motion().vy, span);
  if (Math.abs(x) > 2 * Math.abs(y)) return x > 0 ? 'right' : 'left';
  if (Math.abs(y) > 2 * Math.abs(x)) return y > 0 ? 'down' : 'up';
  return null;
}

function changesSize(view: TrackView, direction: 'towards' | 'away'): Act[] {
  const sign = direction === 'towards' ? 1 : -1;
  const signed = view.motion().growth.map((g) => g * sign);
  return mergeGaps(hysteresis(signed, STATES.towards), view.timeS, LIMITS.relationGap.limit).flatMap((span) => {
    const grown = Math.exp(ownWay(view, view.motion().growth, span) * sign);
    const time = lasts(view, span);
    if (time < LIMITS.moveMin.limit || grown < LIMITS.approachWay.limit) return [];
    const word = direction === 'towards' ? 'grew' : 'shrank';
    return [
      {
        ...span,
        margin: (grown - LIMITS.approachWay.limit) * 2,
        because: `its box ${word} ${round(grown, 1)} times in ${at(time)}`,
      },
    ];
  });
}

/** A vehicle in the same lane, so large that it is close, while the camera's own goes forward. */
export function closeAhead(view: TrackView, video: Watched): Act[] {
  const { track } = view;
  const ahead = runs(
    track.frame.length,
    (k) =>
      Math.abs(track.x[k]! - 0.5) <= LIMITS.aheadOffset.limit &&
      track.width[k]! >= LIMITS.aheadWidth.limit &&
      video.drives(view.timeS[k]!),
  );
  return mergeGaps(ahead, view.timeS, LIMITS.relationGap.limit)
    .filter((span) => lasts(view, span) >= LIMITS.aheadMin.limit)
    .map((span) => {
      const widest = Math.max(...track.width.subarray(span.from, span.to + 1));
      const because = `filled up to ${round(widest * 100, 0)} % of the picture's width ahead for ${at(lasts(view, span))}`;
      return { ...span, margin: widest / LIMITS.aheadWidth.limit - 1, because };
    });
}

/** Comes in over a side or the bottom and grows smaller ahead: seen from a moving camera, it overtakes. Nobody overtakes one that stands. */
export function overtakes(view: TrackView, what: ObjectWhat, video: Watched): Act[] {
  const from = cameFrom(view, video);
  if (from === null || from === 'top' || (what.from !== null && what.from !== from)) return [];
  return changesSize(view, 'away')
    .filter((act) => !video.stands(view.timeS[act.from]!) || !video.stands(view.timeS[act.to]!))
    .map((act) => ({ ...act, because: `came in over the ${from} edge and ${act.because}` }));
}
