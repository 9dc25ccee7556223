import { type Decided, followDecisions } from './decisions.ts';
import { between, type Footprint, type FootprintTrack } from './footprint.ts';
import { contradicts } from './implication.ts';

/** An event of a video, as the rule sees it. Times are seconds from the first frame. */
export type GroupedEvent = {
  eventId: string;
  analysisId: string;
  /** Class, signal or label. Only events of one subject are compared. */
  subject: string;
  /** When it was stored, in seconds since 1970. */
  storedAt: number;
  incidentId: string | null;
  label: string;
  approval: 'pending' | 'approved' | 'rejected' | 'unsure';
  startS: number;
  endS: number;
  footprint: Footprint;
};

/** The reason for which two events show the same incident. */
export type Reason = 'same_track' | 'same_path' | 'same_place' | 'same_time';

/** Half of the length that a single moment is given, in seconds. Times of two modes differ by less. */
const MOMENT_S = 0.25;
/** Starts or ends that are at most this far apart, in seconds, agree. */
const AGREED_S = 1;
/** Least share of the shorter event that is within the longer one. */
const MIN_OVERLAP = 0.5;
/** Least share of the longer event, unless starts or ends agree: a fall within an hour in view is another incident. */
const MIN_SHARE = 0.1;
/** Greatest distance of two centers of one object, in fractions of the frame, and in widths of the narrowest box. */
const MAX_DISTANCE = { frame: 0.03, unknown: 0.015, widths: 0.5 };
/** The same for one track between two of its points that are far apart in time. */
const MAX_INTERPOLATED = 0.1;
/** Least area that two boxes of one object share, as a fraction of both. */
const MIN_BOX_OVERLAP = 0.5;
/** Frames of two boxes that are compared are at most this far apart, in seconds. */
const SAME_FRAME_S = 0.5;

/**
 * Returns the reason for which two events of a video with the same subject are one incident; null if they are not. Both
 * must be at the same time: half of the shorter one is within the longer one, and it is a tenth of it, or they start or
 * end together. Both must be in the same place, if the places of both are known. The order of the two does not matter.
 *
 * More than half of the tracks of both must be shared. So two events that match a third one share a track, and a group
 * cannot connect people who stand side by side.
 */
export function compareEvents(a: GroupedEvent, b: GroupedEvent): Reason | null {
  if (!isSameTime(a, b)) return null;
  const [{ tracks: own, boxes }, { tracks: other, boxes: otherBoxes }] = [a.footprint, b.footprint];
  if (own.length > 0 && other.length > 0) return compareTracks(a.footprint, b.footprint);
  // One is tracked and the other is not: their places are not known to be the same.
  if (own.length > 0 || other.length > 0) return null;
  if (boxes.length === 0 && otherBoxes.length === 0) return 'same_time';
  const isSame = boxes.some((box) =>
    otherBoxes.some(
      (against) => Math.abs(box.timeS - against.timeS) <= SAME_FRAME_S && sharedArea(box, against) >= MIN_BOX_OVERLAP,
    ),
  );
  return isSame ? 'same_place' : null;
}

/**
 * Groups the events of one video into incidents: the id of the incident of each event by its id. The order of the
 * events does not matter. Events of one subject are compared; those of several are one incident if a person decided
 * so. The longest event is the anchor of an incident, and others join by comparison with it alone, so that nothing is
 * chained. An incident has one event of an analysis at most, since what one question reports twice happened twice, and
 * no two that verdicts contradict.
 *
 * The id of an incident is that of its first stored event, which it follows. If that event was deleted, the id stays
 * with the earliest of the others that has it. `existing`: ids of other events that ids of incidents name; `decided`:
 * decisions of people, which go before the comparison.
 */
export function groupIncidents(
  events: readonly GroupedEvent[],
  existing: ReadonlySet<string> = new Set(),
  decided: Decided = followDecisions([]),
): Map<string, string> {
  const own = new Set(events.map(({ eventId }) => eventId));
  const claims = new Map<string, GroupedEvent>();
  for (const event of events.toSorted(byAge)) {
    const { incidentId: id, eventId } = event;
    if (id === eventId) claims.set(id, event);
    else if (id !== null && !own.has(id) && !existing.has(id) && !claims.has(id)) claims.set(id, event);
  }
  return new Map(
    mergeDecided(
      [...Map.groupBy(events, ({ subject }) => subject).values()].flatMap((group) => joinEvents(group, decided)),
      decided,
    ).flatMap((members) => {
      const oldest = members.toSorted(byAge);
      const heir = oldest.find((event) => event.incidentId !== null && claims.get(event.incidentId) === event);
      const id = heir?.incidentId ?? oldest[0]!.eventId;
      return members.map(({ eventId }) => [eventId, id] as const);
    }),
  );
}

type Incident = { anchor: GroupedEvent; members: GroupedEvent[] };

/** The events of each incident. A day in view has thousands: each is compared with the anchors of its own minutes. */
function joinEvents(events: readonly GroupedEvent[], { isApart }: Decided): GroupedEvent[][] {
  const incidents: Incident[] = [];
  const byMinute = new Map<number, Incident[]>();
  for (const event of events.toSorted(byLength)) {
    let best: Incident | null = null;
    let score = 0;
    const minutes = minutesOf(event);
    for (const incident of new Set(minutes.flatMap((minute) => byMinute.get(minute) ?? []))) {
      const overlap = sharedTime(incident.anchor, event);
      if (overlap <= score || !compareEvents(incident.anchor, event)) continue;
      const isOther = (other: GroupedEvent) =>
        other.analysisId === event.analysisId || contradicts(other, event) || isApart(other.eventId, event.eventId);
      if (incident.members.some(isOther)) continue;
      [best, score] = [incident, overlap];
    }
    if (best) best.members.push(event);
    else {
      const incident = { anchor: event, members: [event] };
      incidents.push(incident);
      for (const minute of minutes) {
        const known = byMinute.get(minute);
        if (known) known.push(incident);
        else byMinute.set(minute, [incident]);
      }
    }
  }
  return incidents.map(({ members }) => members);
}

/** Joins the groups of events that people said are the same. Others of a group that are apart from them stay behind. */
function mergeDecided(groups: GroupedEvent[][], { isApart, same }: Decided): GroupedEvent[][] {
  const groupOf = new Map(groups.flatMap((group) => group.map(({ eventId }) => [eventId, group] as const)));
  for (const ids of same) {
    const [first, ...others] = new Set(ids.map((id) => groupOf.get(id)).filter((group) => group !== undefined));
    if (!first) continue;
    for (const group of others) {
      const left: GroupedEvent[] = [];
      for (const event of group.splice(0)) {
        const isLeft = first.some((other) => isApart(other.eventId, event.eventId));
        (isLeft ? left : first).push(event);
        groupOf.set(event.eventId, isLeft ? left : first);
      }
    }
  }
  return [...new Set(groupOf.values())];
}

const byAge = (a: GroupedEvent, b: GroupedEvent) => a.storedAt - b.storedAt || compareText(a.eventId, b.eventId);
const byLength = (a: GroupedEvent, b: GroupedEvent) =>
  b.endS - b.startS - (a.endS - a.startS) || a.startS - b.startS || compareText(a.eventId, b.eventId);
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

type Range = Pick<GroupedEvent, 'startS' | 'endS'>;

const paddedS = ({ startS, endS }: Range) => Math.max(endS - startS, 2 * MOMENT_S);

/** Seconds that two events share; a moment has a length. */
function overlapS(a: Range, b: Range): number {
  const [start, end] = [a, b]
    .map((each) => {
      const middle = (each.startS + each.endS) / 2;
      const half = paddedS(each) / 2;
      return [middle - half, middle + half] as const;
    })
    .reduce(([from, to], [start_, end_]) => [Math.max(from, start_), Math.min(to, end_)]);
  return Math.max(0, end! - start!);
}

/** The minutes of the video in which an event is; a moment has a length. */
function minutesOf({ startS, endS }: Range): number[] {
  const first = Math.floor((startS - MOMENT_S) / 60);
  return Array.from({ length: Math.floor((endS + MOMENT_S) / 60) - first + 1 }, (_, at) => first + at);
}

/** Shared part of the time of both, 0 to 1. */
function sharedTime(a: Range, b: Range): number {
  const shared = overlapS(a, b);
  return shared / (paddedS(a) + paddedS(b) - shared);
}

function isSameTime(a: Range, b: Range): boolean {
  const [shorter, longer] = [paddedS(a), paddedS(b)].toSorted((x, y) => x - y) as [number, number];
  if (overlapS(a, b) < MIN_OVERLAP * shorter) return false;
  const areTogether = Math.abs(a.startS - b.startS) <= AGREED_S || Math.abs(a.endS - b.endS) <= AGREED_S;
  return shorter >= MIN_SHARE * longer || areTogether;
}

/** More than half of the tracks of both are the same ones. Each track counts once. */
function compareTracks(a: Footprint, b: Footprint): Reason | null {
  const widths = [a.width, b.width].filter((width) => width !== null);
  const near =
    widths.length > 0 ? Math.min(MAX_DISTANCE.frame, MAX_DISTANCE.widths * Math.min(...widths)) : MAX_DISTANCE.unknown;
  const pairs = a.tracks
    .flatMap((own) => b.tracks.map((other) => ({ own, other, distance: distanceOf(own, other, near) })))
    .filter(({ distance }) => distance !== null)
    .toSorted((x, y) => x.distance! - y.distance! || x.own.id - y.own.id || x.other.id - y.other.id);
  const [ownIds, otherIds] = [new Set<number>(), new Set<number>()];
  let isSameId = true;
  for (const { own, other } of pairs) {
    if (ownIds.has(own.id) || otherIds.has(other.id)) continue;
    ownIds.add(own.id);
    otherIds.add(other.id);
    isSameId &&= own.id === other.id;
  }
  const shared = ownIds.size;
  if (shared <= (a.tracks.length + b.tracks.length - shared) / 2) return null;
  return isSameId ? 'same_track' : 'same_path';
}

/** Greatest distance of two paths at the times of both; null if they are apart, or nothing says that they are one. */
function distanceOf(own: FootprintTrack, other: FootprintTrack, near: number): number | null {
  const greatest = (maxGapS: number) =>
    Math.max(...distancesAt(own.points, other.points, maxGapS), ...distancesAt(other.points, own.points, maxGapS));
  const distance = greatest(SAME_FRAME_S);
  if (Number.isFinite(distance)) return distance <= near ? distance : null;
  if (own.id !== other.id) return null;
  const interpolated = greatest(Number.POSITIVE_INFINITY);
  return Number.isFinite(interpolated) && interpolated <= MAX_INTERPOLATED ? interpolated : null;
}

type Points = FootprintTrack['points'];

/** Distances of points to a path at the same times, where the path has points that are close enough in time. */
function distancesAt(points: Points, path: Points, maxGapS: number): number[] {
  // Both are in the order of time.
  let next = 0;
  return points.flatMap(([timeS, x, y]) => {
    while (next < path.length && path[next]![0] < timeS) next++;
    const to = path[next];
    if (!to) return [];
    const from = to[0] === timeS ? to : path[next - 1];
    if (!from || to[0] - from[0] > maxGapS) return [];
    const [, atX, atY] = between(from, to, timeS);
    return Math.hypot(atX - x, atY - y);
  });
}

type Box = Footprint['boxes'][number];

/** Intersection over union of two boxes. */
function sharedArea(a: Box, b: Box): number {
  const side = (from: number, length: number, other: number, otherLength: number) =>
    Math.max(0, Math.min(from + length, other + otherLength) - Math.max(from, other));
  const shared = side(a.x, a.width, b.x, b.width) * side(a.y, a.height, b.y, b.height);
  return shared / (a.width * a.height + b.width * b.height - shared);
}
