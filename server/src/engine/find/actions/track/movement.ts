import type { Direction, ObjectTarget } from '../../../plan/index.ts';
import { round } from '../../format.ts';
import { LIMITS, STATES } from '../../thresholds.ts';
import { complement, hysteresis, mergeGaps, runs, type Span } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import type { ActionInterval, VideoContext } from '../types.ts';
import { findEntryEdge } from './presence.ts';
import { durationOf, formatSeconds, lastEntry, sceneDistance } from './track-span.ts';

/** Motion over the middle of the frame, by a good part of its width or height, mostly along one axis. */
export function findFrameCrossing(view: TrackView, direction: Direction | null): ActionInterval[] {
  const { track } = view;
  const n = lastEntry(view);
  const dx = track.x[n]! - track.x[0]!;
  const dy = track.y[n]! - track.y[0]!;
  const horizontal = Math.abs(dx) >= Math.abs(dy);
  const distance = horizontal ? dx : dy;
  const path = horizontal ? track.x : track.y;
  const minDistance = LIMITS.crossing.limit * (horizontal ? 1 : 1.5);
  const overMiddle = (path[0]! - 0.5) * (path[n]! - 0.5) < 0;
  const found: Direction = horizontal ? (distance > 0 ? 'right' : 'left') : distance > 0 ? 'down' : 'up';
  if (Math.abs(distance) < minDistance || !overMiddle || (direction !== null && direction !== found)) return [];
  // The object also has to move relative to the scene: a parked car does not cross the frame when the camera turns.
  const own = sceneDistance(view, horizontal ? view.motion().vx : view.motion().vy, { from: 0, to: n });
  if (own * distance < 0 || Math.abs(own) < minDistance / 2) return [];
  const side = found === 'up' ? 'top' : found === 'down' ? 'bottom' : found;
  const reason = `moved ${round(Math.abs(distance) * 100, 0)} % of the frame to the ${side}`;
  return [{ from: 0, to: n, margin: Math.abs(distance) / minDistance - 1, reason, resolved: { direction: found } }];
}

/** Intervals in which an object moves relative to the scene, in any direction or in a given one. */
export function findMovement(view: TrackView, direction: Direction | null): ActionInterval[] {
  if (direction === 'towards' || direction === 'away') return findSizeChange(view, direction);
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
  const moving = direction === null && view.stationarySpans.length > 0 ? withoutStationary(spans, view) : spans;
  return moving.flatMap((span) => {
    const distance = Math.hypot(
      sceneDistance(view, view.motion().vx, span),
      sceneDistance(view, view.motion().vy, span),
    );
    const durationS = durationOf(view, span);
    if (durationS < LIMITS.moveMin.limit || distance < LIMITS.moveDistance.limit) return [];
    return [
      {
        ...span,
        margin: distance / LIMITS.moveDistance.limit / 3,
        reason: `moved ${round(distance * 100, 0)} % of the frame relative to the scene in ${formatSeconds(durationS)}`,
        resolved: { direction: direction ?? mainDirection(view, span) },
      },
    ];
  });
}

function withoutStationary(spans: readonly Span[], view: TrackView): Span[] {
  const moving = complement(view.stationarySpans, view.track.frame.length);
  return spans.flatMap((span) =>
    moving
      .map((m) => ({ from: Math.max(m.from, span.from), to: Math.min(m.to, span.to) }))
      .filter((m) => m.to >= m.from),
  );
}

/** Main direction relative to the scene; null if it is not clear. */
function mainDirection(view: TrackView, span: Span): Direction | null {
  const x = sceneDistance(view, view.motion().vx, span);
  const y = sceneDistance(view, view.motion().vy, span);
  if (Math.abs(x) > 2 * Math.abs(y)) return x > 0 ? 'right' : 'left';
  if (Math.abs(y) > 2 * Math.abs(x)) return y > 0 ? 'down' : 'up';
  return null;
}

/** Intervals in which a box grows or shrinks: the object moves towards the camera or away from it. */
function findSizeChange(view: TrackView, direction: 'towards' | 'away'): ActionInterval[] {
  const sign = direction === 'towards' ? 1 : -1;
  const signed = view.motion().growth.map((g) => g * sign);
  return mergeGaps(hysteresis(signed, STATES.towards), view.timeS, LIMITS.relationGap.limit).flatMap((span) => {
    const factor = Math.exp(sceneDistance(view, view.motion().growth, span) * sign);
    const durationS = durationOf(view, span);
    if (durationS < LIMITS.moveMin.limit || factor < LIMITS.approachGrowth.limit) return [];
    const verb = direction === 'towards' ? 'grew' : 'shrank';
    return [
      {
        ...span,
        margin: (factor - LIMITS.approachGrowth.limit) * 2,
        reason: `its box ${verb} by a factor of ${round(factor, 1)} in ${formatSeconds(durationS)}`,
      },
    ];
  });
}

/** Intervals in which a vehicle in the same lane is so large that it is close, while the camera's vehicle drives. */
export function findCloseAhead(view: TrackView, video: VideoContext): ActionInterval[] {
  const { track } = view;
  const ahead = runs(
    track.frame.length,
    (k) =>
      Math.abs(track.x[k]! - 0.5) <= LIMITS.aheadOffset.limit &&
      track.width[k]! >= LIMITS.aheadWidth.limit &&
      video.isDriving(view.timeS[k]!),
  );
  return mergeGaps(ahead, view.timeS, LIMITS.relationGap.limit)
    .filter((span) => durationOf(view, span) >= LIMITS.aheadMin.limit)
    .map((span) => {
      const maxWidth = Math.max(...track.width.subarray(span.from, span.to + 1));
      const share = round(maxWidth * 100, 0);
      const reason = `filled up to ${share} % of the frame width ahead for ${formatSeconds(durationOf(view, span))}`;
      return { ...span, margin: maxWidth / LIMITS.aheadWidth.limit - 1, reason };
    });
}

/** Entry over a side or the bottom edge, followed by shrinking: the object overtakes the moving camera. */
export function findOvertaking(view: TrackView, what: ObjectTarget, video: VideoContext): ActionInterval[] {
  const from = findEntryEdge(view, video);
  if (from === null || from === 'top' || (what.from !== null && what.from !== from)) return [];
  return findSizeChange(view, 'away')
    .filter((action) => {
      return !video.isStandingStill(view.timeS[action.from]!) || !video.isStandingStill(view.timeS[action.to]!);
    })
    .map((action) => ({ ...action, reason: `entered over the ${from} edge and ${action.reason}` }));
}
