import { clock } from '../find/index.ts';
import type { Coverage } from '../types.ts';
import { joinSpans, type TimeSpan } from './plan/windows.ts';
import type { VisionQuestion } from './types.ts';

/** Parts of the searched range that were shown. */
export type ShownParts = {
  range: TimeSpan;
  windows: readonly TimeSpan[];
  frames: number;
  /** Distance of the small frames of a survey, in seconds; null without one. */
  surveyStepS: number | null;
};

/** Rows that belong to no part of the prompt. */
export const IN_WORDS = 'answer in words';
export const VERIFICATION = 'verification';

const MAX_RANGES = 6;

/** Share of the range that was shown, 0 to 1. */
export function shownShare({ range, windows }: Pick<ShownParts, 'range' | 'windows'>): number {
  const shownS = joinSpans(windows).reduce((sum, { from, to }) => sum + to - from, 0);
  return range.to > range.from ? Math.min(1, shownS / (range.to - range.from)) : 0;
}

/** Shown parts in words. */
function shownText(shown: ShownParts): string {
  const spans = joinSpans(shown.windows);
  const seconds = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const listed = spans.slice(0, MAX_RANGES).map(({ from, to }) => `${clock(from)} to ${clock(to)}`);
  const more = spans.length > MAX_RANGES ? ` and ${spans.length - MAX_RANGES} more ranges` : '';
  const survey =
    shown.surveyStepS === null
      ? ''
      : `small frames of all of it were surveyed, one every ${shown.surveyStepS.toFixed(0)} s; `;
  const every = shown.frames > 0 ? `, one frame every ${(seconds / shown.frames).toFixed(1)} s` : '';
  return `${survey}${shown.frames} frames were shown of ${listed.join(', ')}${more} (${Math.round(100 * shownShare(shown))} % of what was searched${every}): shorter events, or events elsewhere, may be missed`;
}

/** The row of a question. `untrusted`: reason to believe none of its answers; `limits`: reasons to doubt the search. */
export function describeCoverage(
  { text }: Pick<VisionQuestion, 'text'>,
  outcome: { name: string; findings: number; untrusted: string | null; limits: readonly string[]; shown: ShownParts },
): Coverage {
  const { name, findings, untrusted, limits, shown } = outcome;
  if (untrusted !== null) {
    const reasons = [`${name} is not believed: ${untrusted}`, ...(shown.frames === 0 ? limits : [])];
    return { text, status: 'not_looked_for', by: [], reason: reasons.join('; '), findings: 0 };
  }
  if (shown.frames === 0) {
    const reason = `${name} failed: ${limits.length > 0 ? limits.join('; ') : 'no frames could be shown'}`;
    return { text, status: 'not_looked_for', by: [], reason, findings: 0 };
  }
  return { text, status: 'partly', by: [name], reason: [shownText(shown), ...limits].join('; '), findings };
}
