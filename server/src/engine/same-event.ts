import type { VideoEvent } from './types.ts';

/** An event of an earlier answer, with what is needed to recognize it in a later one. */
export type KnownEvent = {
  category: string;
  label: string;
  startS: number;
  endS: number;
  /** Positions of its tracks by time, in seconds and fractions of the frame; empty if it has no tracks. */
  points: [timeS: number, x: number, y: number][];
};

/** An event not seen for this long has ended; lost tracks are searched and pauses are bridged for as long. */
export const LOST_S = 2.5;
/** Intervals this far apart may be the same event, found a little differently. */
const MAX_GAP_S = 0.5;
/** Greatest distance of two paths of the same object at the same time, in fractions of the frame. */
const SAME_PLACE = 0.04;
const POINTS = 8;
const MAX_TRACKS = 4;

/**
 * Matches events of a new answer to those of an earlier one, by their tracks and times: one to one, the most similar
 * pairs first. `mayMatch` excludes further pairs.
 */
export function matchEvents<Known extends KnownEvent, Found extends { event: VideoEvent }>(
  known: readonly Known[],
  found: readonly Found[],
  mayMatch: (one: Known, other: Found) => boolean = () => true,
): Map<Known, Found> {
  const pairs = known.flatMap((one) =>
    found
      .filter((other) => mayMatch(one, other) && canMatch(one, other.event))
      .map((other) => ({ one, other, score: similarity(one, other.event) })),
  );
  pairs.sort((a, b) => b.score - a.score);
  const matches = new Map<Known, Found>();
  const taken = new Set<Found>();
  for (const { one, other } of pairs) {
    if (matches.has(one) || taken.has(other)) continue;
    matches.set(one, other);
    taken.add(other);
  }
  return matches;
}

function canMatch(one: KnownEvent, event: VideoEvent): boolean {
  if (one.category !== event.category) return false;
  if (event.startS > one.endS + MAX_GAP_S || event.endS < one.startS - MAX_GAP_S) return false;
  return one.points.length === 0 || event.evidence.tracks.length === 0 || sharesPath(one.points, event);
}

/** An equal label counts for more than an equal interval. */
function similarity(one: KnownEvent, event: VideoEvent): number {
  const shared = Math.min(one.endS, event.endS) - Math.max(one.startS, event.startS);
  const both = Math.max(one.endS, event.endS) - Math.min(one.startS, event.startS);
  return Number(one.label === event.label) + (both > 0 ? Math.max(0, shared) / both : 1) / 2;
}

function sharesPath(points: KnownEvent['points'], { evidence: { tracks } }: VideoEvent): boolean {
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
export function pointsOf({ evidence: { tracks } }: VideoEvent): KnownEvent['points'] {
  return tracks.slice(0, MAX_TRACKS).flatMap(({ path }) => {
    const every = Math.ceil(path.length / POINTS);
    return path.filter((_, i) => (path.length - 1 - i) % every === 0);
  });
}
