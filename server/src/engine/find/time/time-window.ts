import type { Plan, PlannedSearch, Target } from '../../plan/index.ts';
import { clipPresences } from '../counting/occupancy.ts';
import { cutFrames } from '../limits/index.ts';
import type { IntervalMatch, Scene, StepMatches, TimeWindow } from '../types.ts';
import { clipMatch } from './clip-match.ts';

/** Longest start or end of a video whose length is not stated, as a share of the video. */
const EDGE_SHARE = 0.25;

/** The part of the video that a search is about: its own, or that of the plan. */
export const windowOf = (search: PlannedSearch, plan: Plan): Plan['window'] => search.window ?? plan.window;

/**
 * Resolves the time window of a plan, in which negative times count from the end of the video. It is open where it has
 * no limit.
 */
export function resolveWindow(window: Plan['window'], { durationS }: { durationS: number }): TimeWindow {
  if (!window) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const place = (t: number) => (window.unit === 'share' ? t * durationS : t < 0 ? Math.max(0, durationS + t) : t);
  const [from, to] = [place(window.from), window.to === null ? Number.POSITIVE_INFINITY : place(window.to)];
  if (!window.edge) return { from, to };
  const lengthS = durationS * EDGE_SHARE;
  return window.from < 0 ? { from: Math.max(from, durationS - lengthS), to } : { from, to: Math.min(to, lengthS) };
}

/** True if a plan is about a part of the video that depends on its length, such as its last ten seconds. */
export const dependsOnLength = (plan: Plan): boolean =>
  plan.searches.some((search) => {
    const window = windowOf(search, plan);
    if (!window) return false;
    const { unit, edge, from, to } = window;
    return unit === 'share' || edge || from < 0 || (to !== null && to < 0);
  });

/** Seconds of the searched part of a video, which the calendar may divide. */
export function searchedLength(window: Plan['window'], video: { durationS: number }): number {
  const range = searchedRange(window, video);
  const parts = window?.parts ?? [range];
  return parts.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, range.to) - Math.max(from, range.from)), 0);
}

/** The searched part of a video, in seconds. */
export function searchedRange(window: Plan['window'], video: { durationS: number }): TimeWindow {
  const place = (t: number) => Math.max(0, Math.min(video.durationS, t));
  const { from, to } = resolveWindow(window, video);
  return { from: place(from), to: place(to) };
}

/** Restricts matches and examined frames to a range, so that "nobody in the first minute" is about that minute only. */
export function restrictToWindow(result: StepMatches, window: TimeWindow): StepMatches {
  return {
    ...result,
    matches: result.matches.filter((match) => happensIn(match, window)),
    frames: cutFrames(result.frames, window),
  };
}

/** True if a match overlaps a window or, where one moment of it is what the prompt asks for, has that moment in it. */
export function happensIn({ what, start, end }: IntervalMatch, { from, to }: TimeWindow): boolean {
  if (end.timeS < from || start.timeS > to) return false;
  const moment = momentOf(what);
  if (moment === null) return true;
  const timeS = (moment === 'start' ? start : end).timeS;
  return timeS >= from && timeS <= to;
}

/** Actions that are over or begin in one moment; the rest of their match shows what follows, or came before. */
const MOMENTS: Partial<Record<string, 'start' | 'end'>> = {
  appears: 'start',
  stops: 'start',
  starts: 'start',
  collides: 'start',
  disappears: 'end',
  taken_away: 'end',
};

function momentOf(what: Target): 'start' | 'end' | null {
  if (what.kind === 'object') return what.idle ? null : (MOMENTS[what.action] ?? null);
  return what.kind === 'camera' ? (MOMENTS[what.move] ?? null) : null;
}

/** Clips matches to the first and last frame of a range. */
export function clipToWindow(
  { from, to }: TimeWindow,
  matches: readonly IntervalMatch[],
  scene: Scene,
): IntervalMatch[] {
  return matches.flatMap((match) => {
    const clipped = { before: match.start.timeS < from, after: match.end.timeS > to };
    const counted = { sinceS: from, untilS: to };
    if (!clipped.before && !clipped.after)
      return [{ ...match, presences: clipPresences(match.presences, match.start, match.end, counted) }];
    const start = clipped.before ? scene.frameTimeAfter(from) : match.start;
    const end = clipped.after ? scene.frameTimeAt(to) : match.end;
    const part = clipMatch(match, start, end, scene, counted);
    return part ? [{ ...part, clipped }] : [];
  });
}
