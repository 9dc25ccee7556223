import type { Step } from '../plan/index.ts';
import { EVENT_ACTIONS } from './actions/index.ts';
import { absenceConfidence, DEFAULT_MIN_CONFIDENCE } from './confidence.ts';
import { round } from './format.ts';
import { isAbout } from './limits/index.ts';
import { LIMITS } from './thresholds.ts';
import { complement, indexAt, mergeGaps, type Span } from './time/intervals.ts';
import type { FrameTimes, IntervalMatch, Limit, StepMatches } from './types.ts';

/** Confidence that a signal does not hold where it was not measured to. */
const NOT_MEASURED = 0.9;
/** Probability of a presence from which an absence is reported apart from the rest, if it is short or even if not. */
const APART = 0.25;
const STRONG = 0.45;
/** Share of an absence that is short. */
const SHORT_SHARE = 0.2;

/** Something that may be present, though it is less likely than not. */
type Doubt = { startS: number; endS: number; probability: number };

/**
 * Intervals of the examined frames in which the condition of a negated step does not hold. Matches that are only
 * candidates do not end an absence, but make it less certain for their time. `between`: an action is absent in the time
 * between two that occur; otherwise "nobody enters" is about the whole time.
 */
export function findAbsences(
  step: Step,
  { matches, frames }: StepMatches,
  limits: readonly Limit[],
  { between }: { between: boolean },
): IntervalMatch[] {
  const isCandidate = ({ confidence }: IntervalMatch) => confidence < DEFAULT_MIN_CONFIDENCE;
  const sure = matches.filter((match) => !isCandidate(match));
  const isEvent = step.what.kind === 'object' && EVENT_ACTIONS.has(step.what.action);
  if (frames.timeS.length === 0 || (isEvent && !between && sure.length > 0)) return [];
  const doubts = matches
    .filter(isCandidate)
    .map(({ start, end, confidence }): Doubt => ({ startS: start.timeS, endS: end.timeS, probability: confidence }));
  const minS = step.what.kind === 'object' ? LIMITS.absenceMin.limit : 0;
  const spans = spansWithout(sure, frames, minS);
  // A minimum length and an order are about the time as a whole.
  const pieces = between || step.throughout ? spans : splitAtDoubts(spans, [...doubts, ...doubtsOf(limits)], frames);
  return pieces
    .filter(({ from, to }) => frames.timeS[to]! - frames.timeS[from]! >= minS)
    .map((span) => toAbsence(step, span, frames, doubts));
}

/** Spans of frames in which none of the matches holds. */
function spansWithout(matches: readonly IntervalMatch[], { timeS }: FrameTimes, minS: number): Span[] {
  const entryAt = (time: number) => Math.max(0, indexAt(timeS, time));
  const spans = matches.map(({ start, end }): Span => ({ from: entryAt(start.timeS), to: entryAt(end.timeS) }));
  const held = mergeGaps(
    spans.toSorted((a, b) => a.from - b.from),
    timeS,
    minS,
  );
  return complement(held, timeS.length);
}

/** Limits in time that make an absence considerably less certain. */
const doubtsOf = (limits: readonly Limit[]): Doubt[] =>
  limits.flatMap(({ absence = 1, during = [] }) =>
    during.map(({ from, to }) => ({ startS: from, endS: to, probability: 1 - absence })),
  );

/**
 * Parts of spans that begin and end where a considerable doubt does, so that the rest is as certain as without it. A
 * span stays whole where a doubt is about much of it, unless it is strong, and where there are many: dozens of short
 * absences say less.
 */
function splitAtDoubts(spans: readonly Span[], doubts: readonly Doubt[], { timeS }: FrameTimes): Span[] {
  return spans.flatMap((span) => {
    const lengthS = timeS[span.to]! - timeS[span.from]!;
    const cuts = doubts
      .filter(({ startS, endS, probability }) => {
        return probability >= STRONG || (probability >= APART && endS - startS <= lengthS * SHORT_SHARE);
      })
      .flatMap(({ startS, endS }) => [indexAt(timeS, startS), indexAt(timeS, endS) + 1])
      .filter((edge) => edge > span.from && edge <= span.to);
    const edges = [...new Set(cuts)].toSorted((a, b) => a - b);
    if (edges.length > MAX_CUTS) return [span];
    return [span.from, ...edges].map((from, i) => ({ from, to: (edges[i] ?? span.to + 1) - 1 }));
  });
}
const MAX_CUTS = 10;

function toAbsence(
  step: Step,
  { from, to }: Span,
  { timeS, pts }: FrameTimes,
  doubts: readonly Doubt[],
): IntervalMatch {
  const frameTime = (i: number) => ({ timeS: timeS[i]!, pts: pts[i]! });
  const count = to - from + 1;
  const own = doubts.filter(({ startS, endS }) => startS <= timeS[to]! && endS >= timeS[from]!);
  const doubt = own.reduce((most, { probability }) => Math.max(most, probability), 0);
  const certainty = step.what.kind === 'object' ? absenceConfidence(count) : NOT_MEASURED;
  return {
    what: step.what,
    negated: true,
    start: frameTime(from),
    end: frameTime(to),
    best: frameTime((from + to) >> 1),
    confidence: certainty * (1 - doubt),
    tracks: [],
    signals: [],
    presences: [],
    reasons: [
      `not found in ${count} frames`,
      ...(doubt > 0 ? [`what may be one was found with a confidence of ${round(doubt, 2)}`] : []),
    ],
    stepMatches: [],
  };
}

/**
 * Probability that what was not found in an interval is not there, by the limits of its search: how often the detector
 * misses it, and the most likely of the objects that may have been taken for something else.
 */
export function absenceFactor(limits: readonly Limit[], startS: number, endS: number): number {
  const factorOf = (own: readonly Limit[]) => own.map(({ absence = 1 }) => absence);
  const lasting = factorOf(limits.filter(({ during }) => during === undefined));
  const timed = factorOf(limits.filter((limit) => limit.during !== undefined && isAbout(limit, startS, endS)));
  return lasting.reduce((product, factor) => product * factor, Math.min(1, ...timed));
}
