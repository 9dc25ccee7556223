import type { BatchEvent, EventObject } from './queries.ts';

/**
 * The relation of two events of a video. `track`: the same object of the same pass; `place`: an object of the same
 * class in the same place; `label`: the same statement about the frame or the sound. `other`: at the same time, but
 * something else.
 */
export type Relation = {
  how: 'track' | 'place' | 'label' | 'other';
  /** Intersection over union of their times, 0 to 1, and seconds between them. */
  overlap: number;
  gapS: number;
  /** Number of the shared track. */
  track?: number;
};

/** An incident that two questions found. */
export type EventPair = { a: BatchEvent; b: BatchEvent; relation: Relation };
/** An event of one question, and what the other one found at its time. */
export type SingleEvent = { event: BatchEvent; near: BatchEvent | null };

/** Each event of two questions is in one pair or one list, so that the numbers add up. */
export type Comparison = { both: EventPair[]; onlyA: SingleEvent[]; onlyB: SingleEvent[] };

/** Default of the longest time between two events of the same incident, in seconds. */
export const WITHIN_S = 2;
/** Largest distance of the centers of two boxes of one object in fractions of the frame; more per second between. */
const CLOSE = 0.05;
const MOVES_PER_S = 0.1;
/** Times at which two passes saw the same frame, in seconds. */
const SAME_FRAME_S = 0.01;

/** The relation of two events of the same video; null if they are not within a time of each other. */
export function relate(a: BatchEvent, b: BatchEvent, withinS = WITHIN_S): Relation | null {
  const shared = Math.min(a.endS, b.endS) - Math.max(a.startS, b.startS);
  if (-shared > withinS) return null;
  const union = Math.max(a.endS, b.endS) - Math.min(a.startS, b.startS);
  const times = {
    // Two events of the same single frame overlap whole.
    overlap: union === 0 ? 1 : Math.max(0, shared) / union,
    gapS: Math.max(0, -shared),
  };
  const [ofA, ofB] = [a.objects ?? [], b.objects ?? []];
  if (ofA.length === 0 && ofB.length === 0) return { how: isSameLabel(a, b) ? 'label' : 'other', ...times };
  for (const object of ofA) {
    const same = ofB.find((each) => isSameTrack(object, each));
    if (same) return { how: 'track', ...times, track: object.id };
  }
  const isPlace = ofA.some((object) => ofB.some((each) => isSamePlace(object, each, withinS)));
  return { how: isPlace ? 'place' : 'other', ...times };
}

/** Compares the events of two questions on the same videos. An event is in one pair at most, the best ones first. */
export function compareEvents(
  a: readonly BatchEvent[],
  b: readonly BatchEvent[],
  { withinS = WITHIN_S, isSplit = () => false }: { withinS?: number; isSplit?: (pair: EventPair) => boolean } = {},
): Comparison {
  const inB = Map.groupBy(b, ({ videoId }) => videoId);
  const related = a.flatMap((event) =>
    (inB.get(event.videoId) ?? []).flatMap((other): EventPair[] => {
      const relation = relate(event, other, withinS);
      return relation ? [{ a: event, b: other, relation }] : [];
    }),
  );
  const taken = new Set<BatchEvent>();
  const both = related
    .filter((pair) => pair.relation.how !== 'other' && !isSplit(pair))
    .sort((x, y) => fitOf(y.relation) - fitOf(x.relation))
    .filter((pair) => {
      if (taken.has(pair.a) || taken.has(pair.b)) return false;
      taken.add(pair.a).add(pair.b);
      return true;
    })
    .sort((x, y) => x.a.videoId.localeCompare(y.a.videoId) || x.a.startS - y.a.startS);
  const near = new Map<BatchEvent, BatchEvent>();
  for (const pair of related.toSorted((x, y) => x.relation.overlap - y.relation.overlap)) {
    near.set(pair.a, pair.b);
    near.set(pair.b, pair.a);
  }
  const singles = (events: readonly BatchEvent[]) =>
    events.filter((event) => !taken.has(event)).map((event) => ({ event, near: near.get(event) ?? null }));
  return { both, onlyA: singles(a), onlyB: singles(b) };
}

const fitOf = ({ how, overlap, gapS }: Relation): number => (how === 'track' ? 2 : 1) + overlap - gapS / 100;

const isSameLabel = (a: BatchEvent, b: BatchEvent): boolean => {
  const [first, second] = [a.label.toLowerCase(), b.label.toLowerCase()];
  return a.type === b.type && (first.includes(second) || second.includes(first));
};

/** Ids of tracks are those of a pass: the same number of another pass is another object, in another place. */
function isSameTrack(a: EventObject, b: EventObject): boolean {
  if (a.id !== b.id || a.className !== b.className) return false;
  const near = nearest(a, b);
  return near !== null && near.apartS <= SAME_FRAME_S && near.distance <= CLOSE / 10;
}

function isSamePlace(a: EventObject, b: EventObject, withinS: number): boolean {
  if (a.className !== b.className) return false;
  const near = nearest(a, b);
  return near !== null && near.apartS <= withinS && near.distance <= CLOSE + MOVES_PER_S * near.apartS;
}

/** The times at which two objects were seen closest to each other in time, and how far apart they were then. */
function nearest(a: EventObject, b: EventObject): { apartS: number; distance: number } | null {
  let best: { apartS: number; distance: number } | null = null;
  let at = 0;
  for (const [time, x, y] of a.path) {
    while (at + 1 < b.path.length && Math.abs(b.path[at + 1]![0] - time) <= Math.abs(b.path[at]![0] - time)) at++;
    const other = b.path[at];
    if (!other) break;
    const apartS = Math.abs(other[0] - time);
    if (best === null || apartS < best.apartS) best = { apartS, distance: Math.hypot(other[1] - x, other[2] - y) };
  }
  return best;
}
