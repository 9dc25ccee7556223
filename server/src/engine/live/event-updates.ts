import type { VideoEvent } from '../types.ts';
import { TAIL_S } from './observed-segment.ts';

/**
 * An event in a stream, with times in seconds of the stream. `search` is the part of the prompt that it was found
 * for.
 */
export type WindowEvent = { search: string; event: VideoEvent };

/** A reported event, with what is needed to recognize it in a later answer. */
export type ReportedEvent = {
  id: string;
  search: string;
  category: string;
  label: string;
  startS: number;
  endS: number;
  /** True while it may continue. */
  going: boolean;
  /** Positions of its tracks by the second of the stream; empty if it has no tracks. */
  points: [timeS: number, x: number, y: number][];
};

export type EventChanges = {
  /** Newly found and certain; `going` if the end is not yet known. */
  started: (WindowEvent & { id: string; going: boolean })[];
  /** Reported before, and ended. */
  ended: { id: string; endS: number }[];
  /** To be passed to the next update. */
  reported: ReportedEvent[];
};

export type EventUpdate = {
  reported: readonly ReportedEvent[];
  events: readonly WindowEvent[];
  /** The range of the stream that these events were found in, in seconds of the stream. */
  startS: number;
  endS: number;
  /** End of the known part of the stream at the previous update. */
  previousEndS: number;
  /** True if the stream has ended: ongoing events end too. */
  isFinal: boolean;
  /** Time from which a part of the prompt is searched; events that ended before it are not reported. */
  requestedSinceS(search: string): number;
  newId(): string;
};

/** Events that start closer to the end than this may change with the next segment. */
const UNSETTLED_S = TAIL_S / 2;
/** An event not seen for this long has ended; lost tracks are searched and pauses are bridged for as long. */
const LOST_S = 2.5;
/** An event that ended this long before the previous update is not reported if it is found only now. */
const LATE_S = 5;
/** Intervals this far apart may be the same event, found a little differently. */
const MAX_GAP_S = 0.5;
/** Greatest distance of two paths of the same object at the same time, in fractions of the frame. */
const SAME_PLACE = 0.04;
const POINTS = 8;
const MAX_TRACKS = 4;

/**
 * Event changes after one more segment of a stream: each event is reported once when it is certain, and again when it
 * has ended. Every segment leads to a new answer that finds the same events again with another end, count or label,
 * so they are matched by their tracks and times.
 */
export function updateEvents({
  reported,
  events,
  startS,
  endS,
  previousEndS,
  isFinal,
  requestedSinceS,
  newId,
}: EventUpdate): EventChanges {
  const matches = matchEvents(reported, events);
  const ended: EventChanges['ended'] = [];
  const before = reported.flatMap((one): ReportedEvent[] => {
    const now = matches.get(one)?.event;
    const lastS = Math.max(one.endS, now?.endS ?? 0);
    const going = !isFinal && lastS > endS - LOST_S;
    if (one.going && !going) ended.push({ id: one.id, endS: lastS });
    if (lastS < startS - LOST_S && !going) return [];
    return [{ ...one, endS: lastS, going, points: now ? pointsOf(now) : one.points }];
  });
  const known = new Set(matches.values());
  const started = events
    .filter((one) => !known.has(one))
    .filter(({ event }) => isFinal || event.startS <= endS - UNSETTLED_S)
    .filter(({ search, event }) => event.endS >= Math.max(requestedSinceS(search), previousEndS - LATE_S))
    .map((one) => ({ ...one, id: newId(), going: !isFinal && one.event.endS > endS - LOST_S }));
  const after = started.map(({ id, search, going, event }): ReportedEvent => {
    const { category, label, startS: fromS, endS: untilS } = event;
    return { id, search, category, label, startS: fromS, endS: untilS, going, points: pointsOf(event) };
  });
  return { started, ended, reported: [...before, ...after] };
}

/** Matches events to those reported before: one to one, the most similar pairs first. */
function matchEvents(
  reported: readonly ReportedEvent[],
  events: readonly WindowEvent[],
): Map<ReportedEvent, WindowEvent> {
  const pairs = reported.flatMap((one) =>
    events.filter((other) => canMatch(one, other)).map((other) => ({ one, other, score: similarity(one, other) })),
  );
  pairs.sort((a, b) => b.score - a.score);
  const matches = new Map<ReportedEvent, WindowEvent>();
  const taken = new Set<WindowEvent>();
  for (const { one, other } of pairs) {
    if (matches.has(one) || taken.has(other)) continue;
    matches.set(one, other);
    taken.add(other);
  }
  return matches;
}

function canMatch(one: ReportedEvent, { search, event }: WindowEvent): boolean {
  if (one.search !== search || one.category !== event.category) return false;
  if (event.startS > one.endS + MAX_GAP_S || event.endS < one.startS - MAX_GAP_S) return false;
  return one.points.length === 0 || event.evidence.tracks.length === 0 || sharesPath(one.points, event);
}

/** An equal label counts for more than an equal interval. */
function similarity(one: ReportedEvent, { event }: WindowEvent): number {
  const shared = Math.min(one.endS, event.endS) - Math.max(one.startS, event.startS);
  const both = Math.max(one.endS, event.endS) - Math.min(one.startS, event.startS);
  return Number(one.label === event.label) + (both > 0 ? Math.max(0, shared) / both : 1) / 2;
}

function sharesPath(points: ReportedEvent['points'], { evidence: { tracks } }: VideoEvent): boolean {
  const near = points.flatMap(([timeS, x, y]) => {
    const places = tracks.flatMap(({ path }) => placeAt(path, timeS) ?? []);
    return places.length > 0 ? [places.some((place) => Math.hypot(place.x - x, place.y - y) <= SAME_PLACE)] : [];
  });
  return near.length > 0 && near.filter(Boolean).length * 2 >= near.length;
}

/** Position on a path at a time; null before its start and after its end. */
function placeAt(
  path: VideoEvent['evidence']['tracks'][number]['path'],
  timeS: number,
): { x: number; y: number } | null {
  const next = path.findIndex(([t]) => t >= timeS - 1e-3);
  if (next < 0) return null;
  const [t1, x1, y1] = path[next]!;
  if (Math.abs(t1 - timeS) <= 1e-3) return { x: x1, y: y1 };
  if (next === 0) return null;
  const [t0, x0, y0] = path[next - 1]!;
  const part = (timeS - t0) / (t1 - t0);
  return { x: x0 + (x1 - x0) * part, y: y0 + (y1 - y0) * part };
}

/** A few points of each path, including its last one. */
function pointsOf({ evidence: { tracks } }: VideoEvent): ReportedEvent['points'] {
  return tracks.slice(0, MAX_TRACKS).flatMap(({ path }) => {
    const every = Math.ceil(path.length / POINTS);
    return path.filter((_, i) => (path.length - 1 - i) % every === 0);
  });
}
