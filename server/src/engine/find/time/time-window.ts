import type { Plan } from '../../plan/index.ts';
import type { IntervalMatch, Scene, StepMatches } from '../types.ts';

/** A part of the video, in seconds from its start. */
type TimeRange = { from: number; to: number };

/** Resolves the time window of a plan, in which negative times count from the end of the video. */
export function resolveWindow(window: Plan['window'], scene: Scene): TimeRange {
  const end = scene.observations.video.durationS;
  const place = (t: number) => (t < 0 ? Math.max(0, end + t) : t);
  if (!window) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  return { from: place(window.from), to: window.to === null ? Number.POSITIVE_INFINITY : place(window.to) };
}

/** Restricts matches and examined frames to a range, so that "nobody in the first minute" is about that minute only. */
export function restrictToWindow(result: StepMatches, { from, to }: TimeRange): StepMatches {
  const { timeS, pts } = result.frames;
  const first = timeS.findIndex((t) => t >= from);
  const last = timeS.findLastIndex((t) => t <= to);
  const [start, end] = first < 0 ? [0, 0] : [first, last + 1];
  return {
    ...result,
    matches: result.matches.filter((match) => match.end.timeS >= from && match.start.timeS <= to),
    frames: { timeS: timeS.subarray(start, end), pts: pts.subarray(start, end) },
  };
}

/** Clips matches to the first and last frame of a range. */
export function clipToWindow(
  { from, to }: TimeRange,
  matches: readonly IntervalMatch[],
  scene: Scene,
): IntervalMatch[] {
  return matches.flatMap((match) => {
    const start = match.start.timeS < from ? scene.frameTimeAfter(from) : match.start;
    const end = match.end.timeS > to ? scene.frameTimeAt(to) : match.end;
    if (end.timeS < start.timeS) return [];
    const best = match.best.timeS < start.timeS ? start : match.best.timeS > end.timeS ? end : match.best;
    return [{ ...match, start, end, best }];
  });
}
