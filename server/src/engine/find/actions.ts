import type { Direction, ObjectWhat, Side } from '../plan/index.ts';
import { round } from './hit.ts';
import { complement, hysteresis, mergeGaps, type Span } from './intervals.ts';
import { LIMITS, STATES } from './thresholds.ts';
import { edgeAt, type TrackView, touchesEdge } from './views.ts';

/** Entries of one track in which it does what is asked. */
export type Act = Span & {
  /** How far beyond the threshold, where there is one: 1 is clearly beyond. Null: nothing but the track itself says so. */
  margin: number | null;
  because: string;
  /** What was left open in the question and is known now. */
  found?: Partial<Pick<ObjectWhat, 'direction' | 'from' | 'to'>>;
};

/** First and last frame that were looked at: what is there then did not come or go. */
export type Watched = { firstS: number; lastS: number };

type Finder = (view: TrackView, what: ObjectWhat, video: Watched) => Act[];

/** How each action shows in a track. Relations and counts are met elsewhere. */
const ACTS: Record<ObjectWhat['action'], Finder> = {
  present: (view) => [whole(view, `seen in ${view.looks} frames`)],
  appears: (view, _what, video) => (wasThere(view, video) ? [] : [firstSeen(view)]),
  disappears: (view, _what, video) => (isThere(view, video) ? [] : [lastSeen(view)]),
  enters: (view, what, video) => enters(view, what, video),
  leaves: (view, what, video) => leaves(view, what, video),
  crosses: (view, what) => crosses(view, what.direction),
  moves: (view, what) => moves(view, what.direction),
  stops: (view, _what, video) => stops(view, video),
  starts: (view, _what, video) => starts(view, video),
  stands: (view) => stands(view),
  loiters: (view) => loiters(view),
  approaches: (view, what) => (what.relation ? [whole(view, `seen in ${view.looks} frames`)] : moves(view, 'towards')),
  passes: (view) => [whole(view, `seen in ${view.looks} frames`)],
  overtakes,
  left_behind: (view) => rests(view),
  taken_away: (view, _what, video) => (isThere(view, video) || rests(view).length === 0 ? [] : [lastSeen(view)]),
};

/** Actions that take a moment; several of one kind are together when they are close in time. */
export const MOMENTS: ReadonlySet<ObjectWhat['action']> = new Set([
  'appears',
  'disappears',
  'enters',
  'leaves',
  'passes',
  'taken_away',
]);
/** Actions that happen or do not; "does not" is said of the whole time, not of the time between. */
export const HAPPENINGS: ReadonlySet<ObjectWhat['action']> = new Set([...MOMENTS, 'crosses', 'stops', 'starts']);

/** What one track does of what is asked; when it is asked not to do it, the time in which it does not. */
export function actsOf(what: ObjectWhat, view: TrackView, video: Watched): Act[] {
  const acts = ACTS[what.action](view, what, video);
  if (!what.idle) return acts;
  const because = `did not do this in ${view.looks} looks`;
  if (HAPPENINGS.has(what.action)) return acts.length > 0 ? [] : [whole(view, because)];
  return complement(acts, view.track.frame.length)
    .filter((span) => lasts(view, span) >= LIMITS.standMin.limit)
    .map((span) => ({ ...span, margin: null, because }));
}

const last = (view: TrackView) => view.track.frame.length - 1;
const whole = (view: TrackView, because: string): Act => ({ from: 0, to: last(view), margin: null, because });
const at = (seconds: number) => `${round(seconds)} s`;

function wasThere(view: TrackView, video: Watched): boolean {
  return view.startS - video.firstS < LIMITS.edgeOfVideo.limit && view.track.enteredFrom === null;
}

function isThere(view: TrackView, video: Watched): boolean {
  return video.lastS - view.endS < LIMITS.edgeOfVideo.limit && view.track.leftTo === null;
}

function firstSeen(view: TrackView): Act {
  return {
    from: 0,
    to: entryAt(view, view.startS + LIMITS.appearing.limit),
    margin: null,
    because: `first seen at ${at(view.startS)}`,
  };
}

function lastSeen(view: TrackView): Act {
  return {
    from: entryAt(view, view.endS - LIMITS.appearing.limit),
    to: last(view),
    margin: null,
    because: `last seen at ${at(view.endS)}`,
  };
}

/** Last entry at or before a time. */
function entryAt(view: TrackView, timeS: number): number {
  let k = 0;
  while (k < last(view) && view.timeS[k + 1]! <= timeS + 1e-9) k++;
  return k;
}

function enters(view: TrackView, what: ObjectWhat, video: Watched): Act[] {
  const atStart = view.startS <= video.firstS + 1e-6;
  const from = atStart ? comingIn(view) : view.track.enteredFrom;
  if (from === null || (what.from !== null && what.from !== from)) return [];
  let to = 0;
  while (to < last(view) && touchesEdge(view.track, to) && view.timeS[to + 1]! - view.startS <= LIMITS.entering.limit)
    to++;
  return [
    { from: 0, to, margin: null, because: `first seen at the ${from} edge at ${at(view.startS)}`, found: { from } },
  ];
}

function leaves(view: TrackView, what: ObjectWhat, video: Watched): Act[] {
  const atEnd = view.endS >= video.lastS - 1e-6;
  const to = atEnd ? goingOut(view) : view.track.leftTo;
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
  const inwards = edge === 'left' || edge === 'top' ? way : -way;
  return inwards >= LIMITS.comingWay.limit ? edge : null;
}

/** Over the middle of the picture, by a good part of its width or height, more across than along. */
function crosses(view: TrackView, direction: Direction | null): Act[] {
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

/** Way against the scene between two entries: the sum of velocity × time. */
function ownWay(view: TrackView, velocity: Float64Array, { from, to }: Span): number {
  let way = 0;
  for (let k = from + 1; k <= to; k++) way += velocity[k]! * (view.timeS[k]! - view.timeS[k - 1]!);
  return way;
}

function moves(view: TrackView, direction: Direction | null): Act[] {
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
  const spans = mergeGaps(hysteresis(speed, STATES.speed), view.timeS, LIMITS.relationGap.limit);
  const moving = direction === null && view.still.length > 0 ? withoutStill(spans, view) : spans;
  return moving.flatMap((span) => {
    const way = Math.hypot(ownWay(view, view.motion().vx, span), ownWay(view, view.motion().vy, span));
    const time = view.timeS[span.to]! - view.timeS[span.from]!;
    if (time < LIMITS.moveMin.limit || way < LIMITS.moveWay.limit) return [];
    const because = `moved ${round(way * 100, 0)} % of the picture's width against the scene in ${at(time)}`;
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
    const time = view.timeS[span.to]! - view.timeS[span.from]!;
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

const lasts = (view: TrackView, span: Span) => view.timeS[span.to]! - view.timeS[span.from]!;

function stands(view: TrackView): Act[] {
  return view.still
    .filter((span) => lasts(view, span) >= LIMITS.standMin.limit)
    .map((span) => ({
      ...span,
      margin: lasts(view, span) / LIMITS.standMin.limit / 3,
      because: `did not move against the scene for ${at(lasts(view, span))}`,
    }));
}

function stops(view: TrackView, video: Watched): Act[] {
  return stands(view).filter((act) => {
    if (act.from === 0 && view.timeS[0]! <= video.firstS + LIMITS.edgeOfVideo.limit) return false;
    return moved(view, { from: entryAt(view, view.timeS[act.from]! - 2), to: act.from });
  });
}

function starts(view: TrackView, video: Watched): Act[] {
  return stands(view).flatMap((act) => {
    if (act.to === last(view) || view.timeS[act.to]! >= video.lastS - 1e-6) return [];
    const to = entryAt(view, view.timeS[act.to]! + 2);
    if (!moved(view, { from: act.to, to })) return [];
    return [{ ...act, from: act.to, to, because: `${act.because}, then moved off` }];
  });
}

function moved(view: TrackView, span: Span): boolean {
  const { track } = view;
  const way = Math.hypot(ownWay(view, view.motion().vx, span), ownWay(view, view.motion().vy, span));
  const inPicture = Math.hypot(track.x[span.to]! - track.x[span.from]!, track.y[span.to]! - track.y[span.from]!);
  return Math.max(way, inPicture) >= LIMITS.stopWay.limit;
}

/** Long in one part of the picture: the longest stretches in which the centre stays within a window. */
function loiters(view: TrackView): Act[] {
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

/** Comes in over a side or the bottom and grows smaller ahead: seen from a moving camera, it overtakes. */
function overtakes(view: TrackView, what: ObjectWhat): Act[] {
  const from = view.track.enteredFrom;
  if (from === null || from === 'top' || (what.from !== null && what.from !== from)) return [];
  return changesSize(view, 'away').map((act) => ({
    ...act,
    because: `came in over the ${from} edge and ${act.because}`,
  }));
}

function rests(view: TrackView): Act[] {
  return view.still
    .filter((span) => lasts(view, span) >= LIMITS.restMin.limit)
    .map((span) => ({ ...span, margin: 0, because: `lay at rest for ${at(lasts(view, span))}` }));
}
