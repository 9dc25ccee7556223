import type { PlannedSearch } from '../../plan/index.ts';
import type { FrameTime, IntervalMatch, Scene, TimeWindow } from '../types.ts';
import { clipToWindow, happensIn } from './time-window.ts';

type Moments = NonNullable<PlannedSearch['moments']>;

/**
 * Times relative to matches, in their order, within the searched range: before, after or around each, or between one
 * and the next. Those that lie outside the range are left out.
 */
export function momentsOf(
  { kind, seconds }: Moments,
  matches: readonly IntervalMatch[],
  range: TimeWindow,
  scene: Scene,
): IntervalMatch[] {
  const most = seconds ?? Number.POSITIVE_INFINITY;
  switch (kind) {
    case 'before':
      return matches.flatMap((match) => intervalOf(match, { ...range, to: match.start.timeS }, 'end', most, scene));
    case 'after':
      return matches.flatMap((match) => intervalOf(match, { ...range, from: match.end.timeS }, 'start', most, scene));
    case 'around':
      return matches.flatMap((match) => {
        const [from, to] = [match.start.timeS - most, match.end.timeS + most];
        return intervalOf(
          match,
          { from: Math.max(from, range.from), to: Math.min(to, range.to) },
          'start',
          null,
          scene,
        );
      });
    case 'between':
      return gapsOf(matches).flatMap(({ match, from, to }) => intervalOf(match, { from, to }, 'start', most, scene));
  }
}

/** Times between the two steps of each sequence, or from the end of each match to the start of the next. */
function gapsOf(matches: readonly IntervalMatch[]): { match: IntervalMatch; from: number; to: number }[] {
  const byTime = matches.toSorted((a, b) => a.start.timeS - b.start.timeS);
  return byTime.flatMap((match, i) => {
    const [first, last] = match.stepMatches.length > 1 ? [match.stepMatches[0], match.stepMatches.at(-1)] : [];
    const [before, next] = first && last ? [first, last] : [match, byTime[i + 1]];
    return next ? [{ match, from: before.end.timeS, to: next.start.timeS }] : [];
  });
}

/** The interval at one edge of a range, of at most this length; null for all of it. */
function intervalOf(
  match: IntervalMatch,
  { from, to }: TimeWindow,
  edge: 'start' | 'end',
  most: number | null,
  scene: Scene,
): IntervalMatch[] {
  const length = Math.min(to - from, most ?? Number.POSITIVE_INFINITY);
  if (!(length > 0)) return [];
  const startS = edge === 'start' ? from : to - length;
  const start = scene.frameTimeAfter(startS);
  const end = scene.frameTimeAt(startS + length);
  if (end.timeS <= start.timeS) return [];
  const { clipped: _, boxes: _boxes, quote: _quote, ...own } = match;
  return [
    {
      ...own,
      start,
      end,
      best: middle(start, end, scene),
      tracks: [],
      presences: [],
      stepMatches: [],
      momentOf: match,
    },
  ];
}

const middle = (start: FrameTime, end: FrameTime, scene: Scene): FrameTime =>
  scene.frameTimeAt((start.timeS + end.timeS) / 2);

/** The parts of matches that are in one of several intervals; what happens in a moment, if that is in it. */
export function clipToIntervals(
  intervals: readonly IntervalMatch[],
  matches: readonly IntervalMatch[],
  scene: Scene,
): IntervalMatch[] {
  return clipToWindows(joined(intervals), matches, scene);
}

/** The parts of matches that are in one of several windows without overlaps. */
export function clipToWindows(
  windows: readonly TimeWindow[],
  matches: readonly IntervalMatch[],
  scene: Scene,
): IntervalMatch[] {
  return windows.flatMap((window) => {
    const inside = clipToWindow(
      window,
      matches.filter((match) => happensIn(match, window)),
      scene,
    );
    // A match that is over when an interval starts is no part of it: one shot ends where the next begins.
    return inside.filter(({ end }) => end.timeS > window.from + TOUCHING_S);
  });
}

/** Longer than a frame: a cut is in the frame that the next shot begins with. */
const TOUCHING_S = 0.11;

/** Intervals without overlaps, in order. */
function joined(intervals: readonly IntervalMatch[]): TimeWindow[] {
  const windows: { from: number; to: number }[] = [];
  for (const { start, end } of intervals.toSorted((a, b) => a.start.timeS - b.start.timeS)) {
    const last = windows.at(-1);
    if (last && start.timeS < last.to) last.to = Math.max(last.to, end.timeS);
    else windows.push({ from: start.timeS, to: end.timeS });
  }
  return windows;
}
