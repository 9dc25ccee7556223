import { evenOrder } from '../even-order.ts';
import { MOVING_OBJECT } from '../objects/classes.ts';
import type { Objects, Track } from '../objects/observation.ts';
import { isSmallAt } from '../objects/small-tracks.ts';

/** Frames that are examined of any video: about as many computations as of 52 seconds of `objects` ... */
export const LEAST_FRAMES = 40;
/** ... and of a long one, as a share of the frames of `objects`. Each takes 6.5 computations: a fifth of that pass. */
export const LONG_SHARE = 0.03;
/** Least distance of examined frames in seconds: what is in view for a second is in two of them. */
export const LEAST_INTERVAL_S = 0.5;
/** Share of the frames that is spread evenly, where all cannot be examined. */
const EVEN_SHARE = 0.5;
/** Length in seconds of the parts that are examined as a whole: an object is followed from frame to frame. */
const CELL_S = 2;
/** Mean score below which a track may be something else, which a larger copy tells. */
const WEAK_SCORE = 0.5;

/**
 * Chooses the frames to examine: indices of the frames of `objects`, ascending. Half of them are spread evenly, the
 * others are where most tracks are small, uncertain, or moved without being recognized: there, more of that kind is
 * likely.
 */
export function selectFrames({ timeS, tracks }: Pick<Objects, 'timeS' | 'tracks'>): number[] {
  const candidates = thin(timeS);
  const budget = Math.max(LEAST_FRAMES, Math.floor(LONG_SHARE * timeS.length));
  if (candidates.length <= budget) return candidates;
  const chosen = new Set(evenly(candidates, Math.ceil(EVEN_SHARE * budget)));
  const promise = promiseByCell(timeS, tracks);
  const cells = [...Map.groupBy(candidates, (frame) => Math.floor(timeS[frame]! / CELL_S))];
  const promising = cells
    .filter(([cell]) => promise.has(cell))
    .toSorted(([a], [b]) => promise.get(b)! - promise.get(a)! || evenOrder(a) - evenOrder(b));
  for (const frame of promising.flatMap(([, frames]) => frames)) {
    if (chosen.size < budget) chosen.add(frame);
  }
  const others = candidates.filter((frame) => !chosen.has(frame));
  for (const frame of evenly(others, budget - chosen.size)) chosen.add(frame);
  return [...chosen].toSorted((a, b) => a - b);
}

/** The frames that are closest to one every `LEAST_INTERVAL_S`. */
function thin(timeS: Float64Array): number[] {
  const chosen: number[] = [];
  let dueS = timeS[0] ?? 0;
  for (const [at, time] of timeS.entries()) {
    const isClosest = (timeS[at + 1] ?? Number.POSITIVE_INFINITY) - dueS > dueS - time;
    if (!isClosest) continue;
    chosen.push(at);
    dueS = Math.max(dueS, time) + LEAST_INTERVAL_S;
  }
  return chosen;
}

/** So many of the frames, from the first to the last one. */
function evenly(frames: readonly number[], count: number): number[] {
  const last = frames.length - 1;
  return Array.from({ length: count }, (_, at) => frames[Math.round((at * last) / Math.max(1, count - 1))]!);
}

/** Number of tracks in each part of the video that suggest more objects like them; parts without any are left out. */
function promiseByCell(timeS: Float64Array, tracks: readonly Track[]): Map<number, number> {
  const promise = new Map<number, number>();
  for (const track of tracks) {
    const isUnclear = track.className === MOVING_OBJECT || meanScore(track) < WEAK_SCORE;
    const cells = new Set<number>();
    for (const [at, frame] of track.frame.entries())
      if (isUnclear || isSmallAt(track, at)) cells.add(Math.floor(timeS[frame]! / CELL_S));
    for (const cell of cells) promise.set(cell, (promise.get(cell) ?? 0) + 1);
  }
  return promise;
}

function meanScore({ score }: Track): number {
  const detected = score.filter((each) => each > 0);
  return detected.length > 0 ? detected.reduce((sum, each) => sum + each, 0) / detected.length : 0;
}
