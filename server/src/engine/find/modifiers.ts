import type { Range, Step } from '../plan/index.ts';
import { absenceFactor, findAbsences } from './absence.ts';
import { DECIDING_FACTOR, UNCHECKED_FACTOR } from './confidence.ts';
import { uncheckedText } from './format.ts';
import { isAbout, recallOf, textsOf } from './limits/index.ts';
import type { FrameTimes, IntervalMatch, Limit, StepMatches } from './types.ts';

/**
 * Applies negation, duration limits, unchecked words of a step and the limits of its search to its matches. `between`:
 * see `findAbsences`.
 */
export function applyModifiers(
  step: Step,
  result: StepMatches,
  limits: readonly Limit[],
  options: { between: boolean },
): IntervalMatch[] {
  const held = step.negated ? findAbsences(step, result, limits, options) : result.matches;
  const lasting = step.throughout && !coversAll(held, result.frames) ? [] : held;
  // The duration of a step of a sequence is only known once it is joined to the step before.
  const { min = null, max = null } = step.duration ?? {};
  const duration = { min, max: step.join === 'then' ? null : max };
  return lasting.filter((match) => lasts(match, duration)).map((match) => withDoubts(match, step, limits));
}

/** True if a match lasts as long as a step requests. */
export const isLongEnough = (match: Pick<IntervalMatch, 'start' | 'end'>, { duration }: Step): boolean =>
  duration === null || lasts(match, duration);

function lasts({ start, end }: Pick<IntervalMatch, 'start' | 'end'>, { min, max }: Range): boolean {
  const length = end.timeS - start.timeS;
  return (min === null || length >= min - 1e-9) && (max === null || length <= max + 1e-9);
}

/** A match with the words that were not checked, and with the limits that are about its time. */
function withDoubts(match: IntervalMatch, step: Step, limits: readonly Limit[]): IntervalMatch {
  const own = limits.filter((limit) => isAbout(limit, match.start.timeS, match.end.timeS));
  const unchecked = step.unchecked.filter(({ presumed }) => !presumed);
  // That something may have been missed meanwhile casts doubt on an absence.
  const doubts = own.filter(
    ({ doubts: doubted, during }) => doubted !== undefined || (step.negated && during !== undefined),
  );
  const isDecided = unchecked.some(({ decides }) => decides) || doubts.some((limit) => limit.doubts === 'decides');
  const factor = isDecided ? DECIDING_FACTOR : unchecked.length > 0 ? UNCHECKED_FACTOR : 1;
  const { start, end } = match;
  const lasting = own.filter(({ during }) => during === undefined);
  const certainty = step.negated ? recallOf(lasting) * absenceFactor(own, start.timeS, end.timeS) : 1;
  const caveats = [...unchecked.map(uncheckedText), ...textsOf(doubts)];
  return {
    ...match,
    confidence: match.confidence * factor * certainty,
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
