import {
  clock,
  type IntervalMatch,
  measureOccupancy,
  round,
  type Scene,
  type SearchMatches,
  searchedRange,
} from '../find/index.ts';
import type { Plan, PlannedSearch } from '../plan/index.ts';
import type { Answer, Coverage, VideoEvent } from '../types.ts';
import { composeAnswer } from './answer.ts';
import { answerCalculation } from './calculation.ts';
import { categoryOf } from './category.ts';
import { collectEvidence } from './evidence.ts';
import { answerFact } from './facts.ts';
import { interpretPlan, isMeasuredAlways } from './interpretation.ts';
import { composeLabel } from './label.ts';
import { overlayOf } from './overlay.ts';
import { rateSeverity } from './severity.ts';
import { composeSummary, damageOf } from './summary.ts';
import { answerTranscript } from './transcript.ts';
import type { SearchEvents } from './types.ts';

export { interpretPlan } from './interpretation.ts';
export { SEVERITY_RULES } from './severity.ts';
export { notLookedFor } from './summary.ts';

/** Describes matches as events with evidence, reports what was searched and what was not, and answers the question. */
export function describe(plan: Plan, results: readonly SearchMatches[], scene: Scene, minConfidence: number): Answer {
  const all = results.map((result): SearchEvents => {
    const describeAll = (matches: readonly IntervalMatch[]) =>
      isMeasuredAlways(result.search) || result.isReference
        ? []
        : withoutRepeats(matches.map((match) => toEvent(match, result, scene)));
    return { result, events: describeAll(result.matches), candidates: describeAll(result.candidates), minConfidence };
  });
  const searches = all.filter(({ result }) => !result.isReference);
  const events = withoutRepeats(searches.flatMap((search) => search.events));
  const coverage = all.flatMap(describeCoverage);
  const fact = answerFact(results);
  const range = searchedRange(plan.window, scene.observations.video);
  const calculated = plan.calculation ? answerCalculation(plan.calculation, plan, searches, scene) : null;
  const answer = fact ?? answerTranscript(results) ?? calculated ?? composeAnswer(plan, searches, range);
  const missing = damageOf(scene.observations.video, range);
  return {
    interpretation: interpretPlan({ ...plan, searches: results.map(({ search }) => withReference(search, results)) }),
    ...(plan.suggestions && { suggestions: plan.suggestions }),
    events,
    candidates: withoutRepeats(searches.flatMap((search) => search.candidates)),
    answer: answer && joinSentences(answer, missing),
    // A value of all the time has no events to summarize.
    summary: joinSentences(
      fact ??
        (calculated !== null && plan.searches.every(isMeasuredAlways)
          ? calculated
          : composeSummary(plan, searches, coverage, range)),
      missing,
    ),
    coverage,
  };
}

/** A search as one of the results, among which its reference has another place where a search has several readings. */
function withReference({ during, ...search }: PlannedSearch, results: readonly SearchMatches[]): PlannedSearch {
  return during === undefined ? search : { ...search, during: results.findIndex(({ at }) => at === during) };
}

const joinSentences = (...sentences: string[]) => sentences.filter((sentence) => sentence !== '').join(' ');

function toEvent(match: IntervalMatch, result: SearchMatches, scene: Scene): VideoEvent {
  const { observations } = scene;
  const because = [...countReason(match), ...match.reasons].join('; ');
  const overlay = overlayOf(match.start.timeS, match.end.timeS, observations.telemetry?.telemetry);
  return {
    startS: round(match.start.timeS, 6),
    endS: round(match.end.timeS, 6),
    startPts: match.start.pts,
    endPts: match.end.pts,
    timeBase: observations.video.timeBase,
    label: composeLabel(match, result.search),
    category: categoryOf(match),
    severity: rateSeverity(match),
    confidence: round(match.confidence, 3),
    explanation: `${because.charAt(0).toUpperCase()}${because.slice(1)}.`,
    caveats: [...new Set(match.caveats)],
    evidence: collectEvidence(match, scene),
    ...(match.verification ? { verification: match.verification } : {}),
    ...(overlay ? { overlay } : {}),
  };
}

/** "5 in all, up to 3 at the same time", for a match of several objects. */
function countReason(match: IntervalMatch): string[] {
  const { total, peak } = measureOccupancy(match.presences);
  if (!peak || total < 2) return [];
  const most = `up to ${peak.count} at the same time, first at ${clock(peak.start.timeS)}`;
  return [match.isSampled ? most : `${total} in all, ${most}`];
}

/** Sorted by time. Of events with the same label, times and tracks, the one with the highest confidence remains. */
function withoutRepeats(events: readonly VideoEvent[]): VideoEvent[] {
  const unique = new Map<string, VideoEvent>();
  for (const event of events) {
    const ids = event.evidence.tracks
      .map((track) => track.id)
      .sort((a, b) => a - b)
      .join(',');
    const key = `${event.label} ${event.startPts} ${event.endPts} ${ids}`;
    const earlier = unique.get(key);
    if (!earlier || earlier.confidence < event.confidence) unique.set(key, event);
  }
  return [...unique.values()].sort(
    (a, b) =>
      a.startPts - b.startPts ||
      a.endPts - b.endPts ||
      b.confidence - a.confidence ||
      compare(a.label, b.label) ||
      compare(a.explanation, b.explanation),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** One row for each step of the prompt, and one for each word of it that could not be checked. */
function describeCoverage({ result, events }: SearchEvents): Coverage[] {
  return result.outcomes.flatMap(({ step, status, by, reasons }) => [
    { text: step.text, status, by, reason: reasons.length > 0 ? reasons.join('; ') : null, findings: events.length },
    ...step.unchecked
      .filter((u) => u.text !== step.text)
      .map((u): Coverage => ({ text: u.text, status: 'not_looked_for', by: [], reason: u.reason, findings: 0 })),
  ]);
}
