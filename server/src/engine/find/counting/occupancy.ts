import type { Track } from '../../observe/observations.ts';
import { isInstant } from '../actions/track/track-actions.ts';
import type { FrameTime, IntervalMatch, Presence } from '../types.ts';

/** Number of objects over time. */
export type Occupancy = {
  /** Number of different objects. */
  total: number;
  /** Most objects at the same time: how many, and from when to when they are first so many. */
  peak: { count: number; start: FrameTime; end: FrameTime } | null;
  /**
   * Integral of the count over time, in seconds: divided by the length of a range, the mean count in it. Each count
   * lasts until the next frame: in few frames per second, objects would otherwise lack much of their time.
   */
  sumS: number;
};

/** Measures how many objects are present over time. An object with several presences at once counts once. */
export function measureOccupancy(presences: readonly Presence[]): Occupancy {
  const objects = joinPresences(presences);
  const edges = objects
    .flatMap(({ start, end }) => [
      { at: start, sign: 1 },
      { at: end, sign: -1 },
    ])
    // The last frame of one object may be the first one of another: both are in it.
    .toSorted((a, b) => a.at.timeS - b.at.timeS || b.sign - a.sign);
  let [count, most] = [0, 0];
  let peak: Occupancy['peak'] = null;
  for (const [i, { at, sign }] of edges.entries()) {
    count += sign;
    if (count <= most) continue;
    most = count;
    peak = { count, start: at, end: edges[i + 1]!.at };
  }
  return { total: new Set(presences.map(({ id }) => id)).size, peak, sumS: sumTimes(presences) };
}

/** The times in which objects count, added up. Those of one object may overlap. */
function sumTimes(presences: readonly Presence[]): number {
  const sorted = presences.toSorted((a, b) => a.sinceS - b.sinceS || a.id - b.id || a.untilS - b.untilS);
  let sumS = 0;
  for (const own of Map.groupBy(sorted, ({ id }) => id).values()) {
    let reachedS = Number.NEGATIVE_INFINITY;
    for (const { sinceS, untilS } of own) {
      sumS += Math.max(0, untilS - Math.max(sinceS, reachedS));
      reachedS = Math.max(reachedS, untilS);
    }
  }
  return sumS;
}

/** Merges overlapping presences of the same object. */
export function joinPresences(presences: readonly Presence[]): Presence[] {
  return [...Map.groupBy(presences, ({ id }) => id).values()].flatMap((own) => {
    const joined: Presence[] = [];
    for (const presence of own.toSorted((a, b) => a.start.timeS - b.start.timeS)) {
      const last = joined.at(-1);
      if (!last || presence.start.timeS > last.end.timeS) joined.push({ ...presence });
      else {
        if (presence.end.timeS > last.end.timeS) last.end = presence.end;
        last.untilS = Math.max(last.untilS, presence.untilS);
      }
    }
    return joined;
  });
}

/** When what is clipped counts, if that is not from its first frame to its last one. */
export type CountedTime = Pick<Presence, 'sinceS' | 'untilS'>;

/** The parts of presences from one frame to another, both included. */
export function clipPresences(
  presences: readonly Presence[],
  start: FrameTime,
  end: FrameTime,
  counted: CountedTime = { sinceS: start.timeS, untilS: end.timeS },
): Presence[] {
  return presences
    .filter((presence) => presence.start.timeS <= end.timeS && presence.end.timeS >= start.timeS)
    .map((presence) => ({
      id: presence.id,
      start: presence.start.timeS < start.timeS ? start : presence.start,
      end: presence.end.timeS > end.timeS ? end : presence.end,
      sinceS: Math.max(presence.sinceS, counted.sinceS),
      untilS: Math.min(presence.untilS, counted.untilS),
    }));
}

/** The parts of presences outside all `holes`. */
export function cutPresences(
  presences: readonly Presence[],
  holes: readonly { start: FrameTime; end: FrameTime }[],
): Presence[] {
  return holes.reduce<Presence[]>(
    (rest, hole) =>
      rest.flatMap((presence) => {
        const { start, end, sinceS, untilS } = presence;
        const [before, after] = [justBefore(hole.start), shift(hole.end, TOUCHING_S)];
        return [
          ...(start.timeS < hole.start.timeS
            ? [
                {
                  ...presence,
                  end: end.timeS < hole.start.timeS ? end : before,
                  untilS: Math.min(untilS, hole.start.timeS),
                },
              ]
            : []),
          ...(end.timeS > hole.end.timeS
            ? [
                {
                  ...presence,
                  start: start.timeS > hole.end.timeS ? start : after,
                  sinceS: Math.max(sinceS, hole.end.timeS),
                },
              ]
            : []),
        ];
      }),
    [...presences],
  );
}

/** A time just before a frame: what is present until then is not counted in the frame. */
export const justBefore = (frame: FrameTime): FrameTime => shift(frame, -TOUCHING_S);
const shift = ({ timeS, pts }: FrameTime, seconds: number): FrameTime => ({ timeS: timeS + seconds, pts });
/** No two frames are as close as this. */
const TOUCHING_S = 1e-6;

/** Number of subjects of a match: most at the same time, or all of a group of instantaneous actions. */
export function countSubjects({ what, presences }: Pick<IntervalMatch, 'what' | 'presences'>): number {
  const { total, peak } = measureOccupancy(presences);
  return what.kind === 'object' && isInstant(what) ? total : (peak?.count ?? 0);
}

/**
 * Tracks of the different objects that take part in matches. Of sampled frames, those of the frame with most objects:
 * across samples one object would be counted twice.
 */
export function distinctSubjects(matches: readonly IntervalMatch[]): Track[] {
  const tracks = matches.flatMap(({ tracks: uses, presences, isSampled }) => {
    const subjects = uses.filter(({ role }) => role === 'subject').map(({ track }) => track);
    const peak = isSampled ? measureOccupancy(presences).peak : null;
    if (!peak) return subjects;
    const present = new Set(clipPresences(presences, peak.start, peak.start).map(({ id }) => id));
    return subjects.filter(({ id }) => present.has(id));
  });
  return [...new Map(tracks.map((track) => [track.id, track])).values()].toSorted((a, b) => a.id - b.id);
}
