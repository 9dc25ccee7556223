import type { Observations } from '../observe/observations.ts';

/** A part of the video that is shown to the model, as the times of its frames. */
export type FrameWindow = { frames: { timeS: number; pts: number }[] };

export const WINDOW_S = 8;
export const FRAMES_PER_WINDOW = 8;
export const MAX_WINDOWS = 6;

/**
 * Chooses the frames that the model sees: from all of a short video, or from the parts of a longer one with the most
 * motion and cuts. Frames are frames of the video with their presentation times, if these are known.
 */
export function chooseWindows(observations: Observations, range: { from: number; to: number }): FrameWindow[] {
  const length = Math.max(0, range.to - range.from);
  const count = Math.max(1, Math.ceil(length / WINDOW_S));
  const starts = Array.from({ length: count }, (_, i) => range.from + (i * length) / count);
  const step = length / count;
  const chosen =
    count <= MAX_WINDOWS
      ? starts
      : starts
          .map((start) => ({ start, activity: activityOf(observations, start, start + step) }))
          .toSorted((a, b) => b.activity - a.activity || a.start - b.start)
          .slice(0, MAX_WINDOWS)
          .map(({ start }) => start)
          .toSorted((a, b) => a - b);
  return chosen.map((start) => ({ frames: framesOf(observations, start, step) }));
}

/** Mean share of moving blocks, and cuts; without signals, the number of tracks. */
function activityOf({ signals, objects }: Observations, from: number, to: number): number {
  if (signals) {
    let sum = 0;
    let n = 0;
    for (let i = 0; i < signals.timeS.length; i++) {
      if (signals.timeS[i]! < from || signals.timeS[i]! >= to) continue;
      sum += signals.localMotion[i]! + signals.cut[i]! / 1000;
      n++;
    }
    return n > 0 ? sum / n : 0;
  }
  const tracks = objects?.tracks ?? [];
  return tracks.filter(
    (t) => (objects!.timeS[t.frame.at(-1) ?? 0] ?? 0) >= from && (objects!.timeS[t.frame[0] ?? 0] ?? 0) < to,
  ).length;
}

function framesOf({ signals, objects, video }: Observations, start: number, length: number): FrameWindow['frames'] {
  const grid = signals ?? objects;
  const [num, den] = video.timeBase;
  const frames = new Map<number, { timeS: number; pts: number }>();
  for (let k = 0; k < FRAMES_PER_WINDOW; k++) {
    const wanted = start + ((k + 0.5) * length) / FRAMES_PER_WINDOW;
    if (!grid || grid.timeS.length === 0) {
      frames.set(wanted, { timeS: wanted, pts: Math.round((wanted * den) / num) });
      continue;
    }
    let i = 0;
    while (i < grid.timeS.length - 1 && grid.timeS[i + 1]! <= wanted) i++;
    frames.set(grid.pts[i]!, { timeS: grid.timeS[i]!, pts: grid.pts[i]! });
  }
  return [...frames.values()];
}
