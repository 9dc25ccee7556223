import type { Step } from '../plan/index.ts';
import { EVENT_ACTIONS } from './actions/index.ts';
import { absenceConfidence, DECIDING_FACTOR, UNCHECKED_FACTOR } from './confidence.ts';
import { isAbout, recallOf, textsOf } from './limits/index.ts';
import { LIMITS } from './thresholds.ts';
import { complement, indexAt, mergeGaps, type Span } from './time/intervals.ts';
import type { FrameTimes, IntervalMatch, Limit, StepMatches } from './types.ts';

/** Applies negation, duration limits, unchecked words of a step and the limits of its search to its matches. */
export function applyModifiers(
  step: Step,
  { matches, frames }: StepMatches,
  limits: readonly Limit[],
): IntervalMatch[] {
  const held = step.negated ? negate(step, matches, frames) : matches;
  const lasting = step.throughout && !coversAll(held, frames) ? [] : held;
  return lasting.filter((match) => isLongEnough(match, step)).map((match) => withDoubts(match, step, limits));
}

/** True if a match lasts as long as a step requests. */
export function isLongEnough({ start, end }: Pick<IntervalMatch, 'start' | 'end'>, { duration }: Step): boolean {
  const { min, max } = duration ?? { min: null, max: null };
  const length = end.timeS - start.timeS;
  return (min === null || length >= min - 1e-9) && (max === null || length <= max + 1e-9);
}

/** A match with the words that were not checked, and with the limits that are about its time. */
function withDoubts(match: IntervalMatch, step: Step, limits: readonly Limit[]): IntervalMatch {
  const own = limits.filter((limit) => isAbout(limit, match.start.timeS, match.end.timeS));
  const unchecked = step.unchecked.filter(({ presumed }) => !presumed);
  const doubts = own.filter((limit) => limit.doubts !== undefined);
  const isDecided = unchecked.some(({ decides }) => decides) || doubts.some((limit) => limit.doubts === 'decides');
  const factor = isDecided ? DECIDING_FACTOR : unchecked.length > 0 ? UNCHECKED_FACTOR : 1;
  const caveats = [...unchecked.map(({ text, reason }) => `"${text}": ${reason}`), ...textsOf(doubts)];
  return {
    ...match,
    confidence: match.confidence * factor * (step.negated ? recallOf(own) : 1),
    ...(caveats.length > 0 ? { caveats: [...(match.caveats ?? []), ...caveats] } : {}),
  };
}

/** Share of the frames that has to be covered: tracks and states begin a little late. */
const WHOLE = 0.9;

/** True if the matches together cover all frames, except for short gaps. */
function coversAll(matches: readonly IntervalMatch[], { timeS }: FrameTimes): boolean {
  const [from, to] = [timeS[0] ?? 0, timeS.at(-1) ?? 0];
  let covered = 0;
  let end = from;
  for (const match of matches.toSorted((a, b) => a.start.timeS - b.start.timeS)) {
    covered += Math.max(0, match.end.timeS - Math.max(end, match.start.timeS));
    end = Math.max(end, match.end.timeS);
  }
  return matches.length > 0 && covered >= WHOLE * (to - from);
}

/** Spans of the examined frames without a match. An instantaneous action is only negated if it never happens. */
function negate(step: Step, matches: readonly IntervalMatch[], frames: FrameTimes): IntervalMatch[] {
  const n = frames.timeS.length;
  if (n === 0) return [];
  const isObject = step.what.kind === 'object';
  if (step.what.kind === 'object' && EVENT_ACTIONS.has(step.what.action) && matches.length > 0) return [];
  const spans = matches.map(
    (match): Span => ({
      from: Math.max(0, indexAt(frames.timeS, match.start.timeS)),
      to: Math.max(0, indexAt(frames.timeS, match.end.timeS)),
    }),
  );
  const held = mergeGaps(
    spans.toSorted((a, b) => a.from - b.from),
    frames.timeS,
    isObject ? LIMITS.absenceMin.limit : 0,
  );
  return complement(held, n)
    .filter((span) => frames.timeS[span.to]! - frames.timeS[span.from]! >= (isObject ? LIMITS.absenceMin.limit : 0))
    .map((span) => {
      const frameTime = (i: number) => ({ timeS: frames.timeS[i]!, pts: frames.pts[i]! });
      const frameCount = span.to - span.from + 1;
      return {
        what: step.what,
        negated: true,
        start: frameTime(span.from),
        end: frameTime(span.to),
        best: frameTime((span.from + span.to) >> 1),
        confidence: isObject ? absenceConfidence(frameCount) : 0.9,
        tracks: [],
        signals: [],
        presences: [],
        reasons: [`not found in ${frameCount} frames`],
        stepMatches: [],
      };
    });
}
