import type { Track } from '../../../observe/observations.ts';
import type { ObjectTarget, Side } from '../../../plan/index.ts';
import { LIMITS } from '../../thresholds.ts';
import type { TrackView } from '../../types.ts';
import type { ActionInterval, VideoContext } from '../types.ts';
import { edgeAt, isAtEdge } from './frame-edges.ts';
import { entryAtTime, formatSeconds, lastEntry } from './track-span.ts';

export function isPresentAtStart(view: TrackView, video: VideoContext): boolean {
  return view.startS - video.firstS < LIMITS.edgeOfVideo.limit && view.track.enteredFrom === null;
}

export function isPresentAtEnd(view: TrackView, video: VideoContext): boolean {
  return video.lastS - view.endS < LIMITS.edgeOfVideo.limit && view.track.leftTo === null;
}

export function findAppearance(view: TrackView): ActionInterval {
  return {
    from: 0,
    to: entryAtTime(view, view.startS + LIMITS.appearance.limit),
    margin: null,
    reason: `first seen at ${formatSeconds(view.startS)}`,
  };
}

export function findDisappearance(view: TrackView): ActionInterval {
  return {
    from: entryAtTime(view, view.endS - LIMITS.appearance.limit),
    to: lastEntry(view),
    margin: null,
    reason: `last seen at ${formatSeconds(view.endS)}`,
  };
}

/** Frame edge over which an object enters, also if it is entering as the video begins; null if it does not enter. */
export function findEntryEdge(view: TrackView, video: VideoContext): Side | null {
  const atStart = view.startS <= video.firstS + 1e-6;
  return atStart ? entryEdgeAtStart(view) : view.track.enteredFrom;
}

export function findEntries(view: TrackView, what: ObjectTarget, video: VideoContext): ActionInterval[] {
  const from = findEntryEdge(view, video);
  if (from === null && what.from !== null && !isPresentAtStart(view, video) && isOnSide(view.track, 0, what.from))
    return [{ ...findAppearance(view), ...beside(what.from) }];
  if (from === null || (what.from !== null && what.from !== from)) return [];
  let to = 0;
  while (
    to < lastEntry(view) &&
    isAtEdge(view.track, to) &&
    view.timeS[to + 1]! - view.startS <= LIMITS.edgeCrossing.limit
  )
    to++;
  const reason = `first seen at the ${from} edge at ${formatSeconds(view.startS)}`;
  return [{ from: 0, to, margin: null, reason, resolved: { from } }];
}

/** Frame edge over which an object leaves, also if it is leaving as the video ends; null if it does not leave. */
export function findExitEdge(view: TrackView, video: VideoContext): Side | null {
  return view.endS >= video.lastS - 1e-6 ? exitEdgeAtEnd(view) : view.track.leftTo;
}

export function findExits(view: TrackView, what: ObjectTarget, video: VideoContext): ActionInterval[] {
  const to = findExitEdge(view, video);
  if (to === null && what.to !== null && !isPresentAtEnd(view, video) && isOnSide(view.track, lastEntry(view), what.to))
    return [{ ...findDisappearance(view), ...beside(what.to) }];
  if (to === null || (what.to !== null && what.to !== to)) return [];
  let from = lastEntry(view);
  while (from > 0 && isAtEdge(view.track, from) && view.endS - view.timeS[from - 1]! <= LIMITS.edgeCrossing.limit)
    from--;
  const reason = `last seen at the ${to} edge at ${formatSeconds(view.endS)}`;
  return [{ from, to: lastEntry(view), margin: null, reason, resolved: { to } }];
}

/** "Comes in on the right" may be through a door on that side of the frame. */
const beside = (side: Side) => ({
  reason: `on the ${side} side, and not at the edge of the frame`,
  isNearMiss: true as const,
});

function isOnSide(track: Track, k: number, side: Side): boolean {
  const position = side === 'left' || side === 'right' ? track.x[k]! : track.y[k]!;
  return side === 'left' || side === 'top' ? position < 0.5 : position > 0.5;
}

const entryEdgeAtStart = (view: TrackView) =>
  edgeBetween(view, 0, entryAtTime(view, view.startS + LIMITS.edgeCrossing.limit));
const exitEdgeAtEnd = (view: TrackView) =>
  edgeBetween(view, lastEntry(view), entryAtTime(view, view.endS - LIMITS.edgeCrossing.limit));

/** Edge that the object touches at one entry and is clear of, further inside, at another. */
function edgeBetween({ track }: TrackView, touching: number, clear: number): Side | null {
  const edge = edgeAt(track, touching);
  if (edge === null || edgeAt(track, clear) === edge) return null;
  const distance =
    edge === 'left' || edge === 'right' ? track.x[clear]! - track.x[touching]! : track.y[clear]! - track.y[touching]!;
  const inwards = edge === 'left' || edge === 'top' ? 1 : -1;
  // The inner side has to move as well: the box of an object that comes nearer only grows.
  const size = edge === 'left' || edge === 'right' ? track.width : track.height;
  const innerDistance = distance * inwards + (size[clear]! - size[touching]!) / 2;
  return innerDistance >= LIMITS.entryDistance.limit * size[clear]! ? edge : null;
}
