import { type SearchMatches, uncheckedText } from '../find/index.ts';
import { isNarrowing, type Step } from '../plan/index.ts';
import type { SearchEvents } from './types.ts';

/** The certainty of an answer, and its limits. */

/** Appends the limits of the searches to an answer. If one of them could not be searched, the answer only says why. */
export function withLimits(
  searches: readonly SearchEvents[],
  nameOf: (search: SearchEvents) => string,
  write: () => string,
): string {
  for (const one of searches) {
    const unknown = one.result.outcomes.find((outcome) => outcome.status === 'not_looked_for');
    if (unknown) return `Not known for "${nameOf(one)}": ${unknown.reasons.join('; ')}.`;
  }
  return `${write()}${noteOf(searches)}`;
}

/** " Note: …" with the limits of searches, each once; empty without any. */
export function noteOf(searches: readonly SearchEvents[]): string {
  return noteText(searches.flatMap(({ result }) => result.outcomes.flatMap(({ reasons }) => reasons)));
}

function noteText(reasons: readonly string[]): string {
  const limits = [...new Set(reasons)];
  return limits.length > 0 ? ` Note: ${limits.join('; ')}.` : '';
}

/**
 * The limits of a flat "No". Words that only narrow what was looked for and not found do not change it: "did we stop
 * because of a pedestrian" needs no note where no person was in view.
 */
export function noteOfNone({ result: { outcomes } }: SearchEvents): string {
  const limits = outcomes.flatMap(({ reasons, step }) => {
    const narrowing = isExceeded(step) ? [] : step.unchecked.filter(({ reason }) => isNarrowing(reason));
    const texts = new Set(narrowing.map(uncheckedText));
    return reasons.filter((reason) => !texts.has(reason));
  });
  return noteText(limits);
}

/** True if a step may fail because too much was found: the narrower words may leave out some of that. */
const isExceeded = ({ negated, duration, what }: Step) => {
  if (negated || (duration && duration.max !== null)) return true;
  return what.kind === 'object' && (what.subject.count.max !== null || what.idle || what.relation?.negated === true);
};

/** "No", or "Not certain" if an event may have been missed or there are candidates. */
export const absent = (result: SearchMatches, word: string, name: string) =>
  `${isSure(result) ? word : 'Not certain'}${name}: ${notFound(result)}${lessConfident(result)}.`;
const notFound = (result: SearchMatches) => {
  const missing = missingText(result);
  if (missing !== null) return missing;
  // A car that leaves was found, but does not stay in view.
  if (result.search.steps.some(({ throughout }) => throughout)) return 'it was not found the whole time';
  return searchesAbsence(result) ? 'it was never the case' : 'it was looked for and not found';
};
/** Clause for presumed objects that were never found: "no car was found in the video"; null without any. */
export function missingText({ outcomes }: SearchMatches): string | null {
  const texts = new Set(outcomes.flatMap(({ missing }) => missing ?? []));
  return texts.size > 0 ? [...texts].join('; ') : null;
}
const lessConfident = ({ candidates: { length } }: SearchMatches) =>
  length === 0
    ? ''
    : `, but ${length} ${length === 1 ? 'candidate is' : 'candidates are'} below the requested confidence`;
/** True if the prompt looks for an absence: "Is the road empty?". */
export const searchesAbsence = ({ search: { steps } }: SearchMatches) => steps.every(({ negated }) => negated);
export const isSure = ({ outcomes, candidates, search: { pick, places } }: SearchMatches) =>
  candidates.length === 0 &&
  outcomes.every(({ missing }) => missing === undefined) &&
  !(pick !== null && (places || NTH.has(pick))) &&
  outcomes.every(
    ({ recall, detectorRecall, step }) =>
      recall === 1 &&
      detectorRecall >= SURE_RECALL &&
      !(step.negated && step.unchecked.some(({ presumed }) => !presumed)),
  );
/** The nth is counted among those that were found. */
const NTH: ReadonlySet<string> = new Set(['second', 'third', 'fourth', 'fifth']);
/** Where the detector misses more than it finds, "not found" does not mean "no". Coverage is stricter. */
const SURE_RECALL = 0.5;
