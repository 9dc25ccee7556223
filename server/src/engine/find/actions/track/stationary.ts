import { round } from '../../format.ts';
import { LIMITS } from '../../thresholds.ts';
import type { Span } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import type { ActionInterval, VideoContext } from '../types.ts';
import { durationOf, entryAtTime, formatSeconds, lastEntry, sceneDistance } from './track-span.ts';

export function findStanding(view: TrackView): ActionInterval[] {
  return view.stationarySpans
    .filter((span) => durationOf(view, span) >= LIMITS.standMin.limit)
    .map((span) => ({
      ...span,
      margin: durationOf(view, span) / LIMITS.standMin.limit / 3,
      reason: `did not move relative to the scene for ${formatSeconds(durationOf(view, span))}`,
    }));
}

export function findStops(view: TrackView, video: VideoContext): ActionInterval[] {
  return findStanding(view).filter(({ from }) => {
    if (from === 0 && view.timeS[0]! <= video.firstS + LIMITS.edgeOfVideo.limit) return false;
    return hasMoved(view, { from: entryAtTime(view, view.timeS[from]! - 2), to: from });
  });
}

export function findStarts(view: TrackView, video: VideoContext): ActionInterval[] {
  return findStanding(view).flatMap((standing) => {
    if (standing.to === lastEntry(view) || view.timeS[standing.to]! >= video.lastS - 1e-6) return [];
    const to = entryAtTime(view, view.timeS[standing.to]! + 2);
    if (!hasMoved(view, { from: standing.to, to })) return [];
    return [{ ...standing, from: standing.to, to, reason: `${standing.reason}, then started to move` }];
  });
}

function hasMoved(view: TrackView, span: Span): boolean {
  const { x, y } = view.track;
  const [ownX, ownY] = [sceneDistance(view, view.motion().vx, span), sceneDistance(view, view.motion().vy, span)];
  // Near objects pass a moving camera faster than the frame as a whole, so a parked car seems to move a little.
  const byCamera = Math.hypot(x[span.to]! - x[span.from]! - ownX, y[span.to]! - y[span.from]! - ownY);
  return Math.hypot(ownX, ownY) >= Math.max(LIMITS.stopDistance.limit, byCamera);
}

/** The longest intervals in which the center stays within a small window. */
export function findLoitering(view: TrackView): ActionInterval[] {
  const { track } = view;
  const area = LIMITS.loiterArea.limit;
  const intervals: ActionInterval[] = [];
  for (let from = 0; from <= lastEntry(view); ) {
    let [left, right, top, bottom] = [1, 0, 1, 0];
    let to = from;
    for (let k = from; k <= lastEntry(view); k++) {
      left = Math.min(left, track.x[k]!);
      right = Math.max(right, track.x[k]!);
      top = Math.min(top, track.y[k]!);
      bottom = Math.max(bottom, track.y[k]!);
      if (right - left > area || bottom - top > area) break;
      to = k;
    }
    const durationS = view.timeS[to]! - view.timeS[from]!;
    if (durationS >= LIMITS.loiterMin.limit) {
      intervals.push({
        from,
        to,
        margin: durationS / LIMITS.loiterMin.limit - 1,
        reason: `stayed within ${round(area * 100, 0)} % of the frame for ${formatSeconds(durationS)}`,
      });
      from = to + 1;
    } else from++;
  }
  return intervals;
}

/** Intervals in which an object, such as a bag, rests in one place. */
export function findResting(view: TrackView): ActionInterval[] {
  return view.stationarySpans
    .filter((span) => durationOf(view, span) >= LIMITS.restMin.limit)
    .map((span) => ({ ...span, margin: 0, reason: `did not move for ${formatSeconds(durationOf(view, span))}` }));
}
