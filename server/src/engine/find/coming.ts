import type { ObjectWhat, Side } from '../plan/index.ts';
import { type Act, at, entryAt, last, type Watched } from './act.ts';
import { LIMITS } from './thresholds.ts';
import { edgeAt, type TrackView, touchesEdge } from './views.ts';

export function wasThere(view: TrackView, video: Watched): boolean {
  return view.startS - video.firstS < LIMITS.edgeOfVideo.limit && view.track.enteredFrom === null;
}

export function isThere(view: TrackView, video: Watched): boolean {
  return video.lastS - view.endS < LIMITS.edgeOfVideo.limit && view.track.leftTo === null;
}

export function firstSeen(view: TrackView): Act {
  return {
    from: 0,
    to: entryAt(view, view.startS + LIMITS.appearing.limit),
    margin: null,
    because: `first seen at ${at(view.startS)}`,
  };
}

export function lastSeen(view: TrackView): Act {
  return {
    from: entryAt(view, view.endS - LIMITS.appearing.limit),
    to: last(view),
    margin: null,
    because: `last seen at ${at(view.endS)}`,
  };
}

/** The edge a thing came in over, also when it was coming in as the video began; null for none. */
export function cameFrom(view: TrackView, video: Watched): Side | null {
  const atStart = view.startS <= video.firstS + 1e-6;
  return atStart ? comingIn(view) : view.track.enteredFrom;
}

export function enters(view: TrackView, what: ObjectWhat, video: Watched): Act[] {
  const from = cameFrom(view, video);
  if (from === null || (what.from !== null && what.from !== from)) return [];
  let to = 0;
  while (to < last(view) && touchesEdge(view.track, to) && view.timeS[to + 1]! - view.startS <= LIMITS.entering.limit)
    to++;
  return [
    { from: 0, to, margin: null, because: `first seen at the ${from} edge at ${at(view.startS)}`, found: { from } },
  ];
}

/** The edge a thing went out over, also when it was going out as the video ended; null for none. */
export function wentTo(view: TrackView, video: Watched): Side | null {
  return view.endS >= video.lastS - 1e-6 ? goingOut(view) : view.track.leftTo;
}

export function leaves(view: TrackView, what: ObjectWhat, video: Watched): Act[] {
  const to = wentTo(view, video);
  if (to === null || (what.to !== null && what.to !== to)) return [];
  let from = last(view);
  while (from > 0 && touchesEdge(view.track, from) && view.endS - view.timeS[from - 1]! <= LIMITS.entering.limit)
    from--;
  return [
    { from, to: last(view), margin: null, because: `last seen at the ${to} edge at ${at(view.endS)}`, found: { to } },
  ];
}

/** The edge that a thing comes over when the video begins: it touches it, and soon is further in. */
const comingIn = (view: TrackView) => edgeBetween(view, 0, entryAt(view, view.startS + LIMITS.entering.limit));
/** The edge that a thing is going over when the video ends. */
const goingOut = (view: TrackView) => edgeBetween(view, last(view), entryAt(view, view.endS - LIMITS.entering.limit));

/** The edge touched at one entry, from which the thing is clear and further in at another. */
function edgeBetween({ track }: TrackView, touching: number, clear: number): Side | null {
  const edge = edgeAt(track, touching);
  if (edge === null || edgeAt(track, clear) === edge) return null;
  const way =
    edge === 'left' || edge === 'right' ? track.x[clear]! - track.x[touching]! : track.y[clear]! - track.y[touching]!;
  const inwards = edge === 'left' || edge === 'top' ? 1 : -1;
  // All of it has to move, not only the side that grows over the edge when it comes nearer.
  const across = edge === 'left' || edge === 'right' ? track.width : track.height;
  const inner = way * inwards + (across[clear]! - across[touching]!) / 2;
  return inner >= LIMITS.comingWay.limit * across[clear]! ? edge : null;
}
