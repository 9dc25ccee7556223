import { isVisible, isZoned, type Plan, type PlannedSearch, type Unchecked } from '../../plan/index.ts';
import type { VerifyMode, VisionQuestion } from '../types.ts';

/** Questions of one call: more of them distract. */
const MAX_QUESTIONS = 8;
const MAX_LENGTH = 500;

/** Words for changes that frames in the other order would show the other way round. */
const ORDERED =
  /\b(?:enter|leav|left|exit|arriv|depart|approach|pick|put|plac|drop|lift|lower|open|clos|start|stop|turn|fall|fell|rise|ris|appear|disappear|cross|overtak|load|unload|remov|insert|take|taking|took|spill|pour|break|before|after|becom)\w*/i;

/** True if a text names a change that frames in the other order would show the other way round. */
export const isOrdered = (text: string): boolean => ORDERED.test(text);

/** True if no observer can find all of a search, so that a vision model searches for it. */
export const isLeftToModel = ({ steps }: PlannedSearch): boolean =>
  steps.some(({ what, unchecked }) => what.kind === 'unknown' || unchecked.some(({ blocks }) => blocks));

/** Events of the observers that are verified at most, and those of searches with remarks that frames may show. */
export const MOST_REVIEWS: Record<VerifyMode, number> = { auto: 6, always: 20, never: 0 };
export const MOST_REMARKED: Record<VerifyMode, number> = { auto: 8, always: 20, never: 0 };

/** True if a model can verify what observers find for a search: frames show it, not sounds, measurements or zones. */
export const isVerifiable = (search: PlannedSearch): boolean =>
  !isLeftToModel(search) &&
  !search.window?.missed &&
  !search.moments &&
  search.steps.every(
    ({ what, negated }) => !negated && (what.kind === 'object' || what.kind === 'motion') && !isZoned(what),
  );

/**
 * Remarks on words that no observer checks, although frames may show what they name: "a man in a dark coat" is searched
 * for as a person in black or gray. What the observers find is shown to the model with all words of the search.
 */
export const visibleRemarks = (search: PlannedSearch): Unchecked[] =>
  isVerifiable(search)
    ? search.steps.flatMap(({ unchecked }) =>
        unchecked.filter(({ reason, presumed }) => presumed === undefined && isVisible(reason)),
      )
    : [];

/** Questions to a model: the searches that no observer can do. */
export function selectQuestions(plan: Plan): VisionQuestion[] {
  const searches = plan.searches
    .filter((search) => isLeftToModel(search) && !search.window?.missed)
    .slice(0, MAX_QUESTIONS);
  return searches.map(({ text }) => ({
    text,
    context: plan.searches.length > 1 || plan.question !== null ? plan.query.slice(0, MAX_LENGTH) : null,
    isOrdered: isOrdered(text),
  }));
}

/** A prompt that requests words instead of events. */
const REQUEST =
  /^\s*(?:please\s+)?(?:what|why|who|whose|which|how|where|describe|summari[sz]e|explain|tell|is|are|was|were|does|do|did|has|have|can|could|will)\b|\?\s*$/i;
const IN_WORDS = /\b(?:summar(?:y|i[sz]e)|describe|description|explain)\b/i;

/** True if a plan asks for an answer in words that observers cannot give, or not well: "what happens", "why …". */
export function needsWords(plan: Plan): boolean {
  if (plan.question === 'describe' || IN_WORDS.test(plan.query)) return true;
  return plan.searches.some(isLeftToModel) && REQUEST.test(plan.query);
}
