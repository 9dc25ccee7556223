import type { Objects } from '../objects/observation.ts';

/** Frames of a video that are examined at most: about as many computations as of half a minute of `objects`. */
export const MAX_FRAMES = 40;
/** Least distance of examined frames in seconds: what is in view for a second is in two of them. */
export const LEAST_INTERVAL_S = 0.5;

/** Chooses the frames to examine, evenly over the video: indices of the frames of `objects`, ascending. */
export function selectFrames({ timeS }: Pick<Objects, 'timeS'>): number[] {
  const [firstS, lastS] = [timeS[0] ?? 0, timeS.at(-1) ?? 0];
  const intervalS = Math.max(LEAST_INTERVAL_S, (lastS - firstS) / (MAX_FRAMES - 1));
  const chosen: number[] = [];
  let dueS = firstS;
  for (const [at, time] of timeS.entries()) {
    // Of the frames around the time that is due, the closest one.
    const isClosest = (timeS[at + 1] ?? Number.POSITIVE_INFINITY) - dueS > dueS - time;
    if (!isClosest || chosen.length === MAX_FRAMES) continue;
    chosen.push(at);
    dueS = Math.max(dueS, time) + intervalS;
  }
  return chosen;
}
