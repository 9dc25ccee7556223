import { type Act, at, entryAt, last, lasts, ownWay, type Watched } from './act.ts';
import { round } from './hit.ts';
import type { Span } from './intervals.ts';
import { LIMITS } from './thresholds.ts';
import type { TrackView } from './views.ts';

export function stands(view: TrackView): Act[] {
  return view.still
    .filter((span) => lasts(view, span) >= LIMITS.standMin.limit)
    .map((span) => ({
      ...span,
      margin: lasts(view, span) / LIMITS.standMin.limit / 3,
      because: `did not move against the scene for ${at(lasts(view, span))}`,
    }));
}

export function stops(view: TrackView, video: Watched): Act[] {
  return stands(view).filter((act) => {
    if (act.from === 0 && view.timeS[0]! <= video.firstS + LIMITS.edgeOfVideo.limit) return false;
    return moved(view, { from: entryAt(view, view.timeS[act.from]! - 2), to: act.from });
  });
}

export function starts(view: TrackView, video: Watched): Act[] {
  return stands(view).flatMap((act) => {
    if (act.to === last(view) || view.timeS[act.to]! >= video.lastS - 1e-6) return [];
    const to = entryAt(view, view.timeS[act.to]! + 2);
    if (!moved(view, { from: act.to, to })) return [];
    return [{ ...act, from: act.to, to, because: `${act.because}, then moved off` }];
  });
}

function moved(view: TrackView, span: Span): boolean {
  const { x, y } = view.track;
  const [ownX, ownY] = [ownWay(view, view.motion().vx, span), ownWay(view, view.motion().vy, span)];
  // What is parked has not stopped when the camera comes by: near things pass by faster than the picture as a whole.
  const byCamera = Math.hypot(x[span.to]! - x[span.from]! - ownX, y[span.to]! - y[span.from]! - ownY);
  return Math.hypot(ownX, ownY) >= Math.max(LIMITS.stopWay.limit, byCamera);
}

/** Long in one part of the picture: the longest stretches in which the centre stays within a window. */
export function loiters(view: TrackView): Act[] {
  const { track } = view;
  const area = LIMITS.loiterArea.limit;
  const acts: Act[] = [];
  for (let from = 0; from <= last(view); ) {
    let [left, right, top, bottom] = [1, 0, 1, 0];
    let to = from;
    for (let k = from; k <= last(view); k++) {
      left = Math.min(left, track.x[k]!);
      right = Math.max(right, track.x[k]!);
      top = Math.min(top, track.y[k]!);
      bottom = Math.max(bottom, track.y[k]!);
      if (right - left > area || bottom - top > area) break;
      to = k;
    }
    const time = view.timeS[to]! - view.timeS[from]!;
    if (time >= LIMITS.loiterMin.limit) {
      acts.push({
        from,
        to,
        margin: time / LIMITS.loiterMin.limit - 1,
        because: `stayed within ${round(area * 100, 0)} % of the picture for ${at(time)}`,
      });
      from = to + 1;
    } else from++;
  }
  return acts;
}

export function rests(view: TrackView): Act[] {
  return view.still
    .filter((span) => lasts(view, span) >= LIMITS.restMin.limit)
    .map((span) => ({ ...span, margin: 0, because: `lay at rest for ${at(lasts(view, span))}` }));
}
