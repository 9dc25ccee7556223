import { indexAt } from '../../find/index.ts';
import type { Observations } from '../../observe/observations.ts';
import type { VideoFrame } from '../types.ts';

/** Maximum distance of a known frame from a requested time, as a share of the distance between requested times. */
const NEAR = 0.5;

/**
 * The frame that is shown at a time. Presentation times are known where frames were observed; elsewhere they follow
 * from the time.
 */
export function frameAt({ signals, objects, video }: Observations, timeS: number, stepS: number): VideoFrame {
  const [num, den] = video.timeBase;
  const grid = signals ?? objects;
  const at = grid && grid.timeS.length > 0 ? Math.max(0, indexAt(grid.timeS, timeS + 1e-9)) : -1;
  if (at >= 0 && Math.abs(grid!.timeS[at]! - timeS) <= NEAR * stepS)
    return { timeS: grid!.timeS[at]!, pts: grid!.pts[at]! };
  return { timeS, pts: Math.round((timeS * den) / num) };
}

/** Frames in the middle between neighbors of these, none of which is among them. */
export function framesBetween(observations: Observations, frames: readonly VideoFrame[]): VideoFrame[] {
  const known = new Set(frames.map(({ pts }) => pts));
  const between = frames.slice(1).map(({ timeS }, i) => {
    const stepS = timeS - frames[i]!.timeS;
    return frameAt(observations, frames[i]!.timeS + stepS / 2, stepS / 2);
  });
  return between.filter(({ pts }) => !known.has(pts));
}

/** Frames at several times, ascending and without repeats. */
export function framesAt(observations: Observations, times: readonly number[], stepS: number): VideoFrame[] {
  const frames = times.map((timeS) => frameAt(observations, timeS, stepS));
  return [...new Map(frames.map((frame) => [frame.pts, frame])).values()].toSorted((a, b) => a.pts - b.pts);
}
