import { NO_CLASS, NO_PLACES, NO_WEATHER, NOT_RECOGNIZED, UNKNOWN_WORD } from './reasons.ts';
import type { Plan, PlannedSearch } from './schema.ts';

const PICTURABLE = [NO_CLASS, NO_PLACES, NO_WEATHER, NOT_RECOGNIZED, UNKNOWN_WORD];

/** Questions that a picture cannot answer, though their plan has no kind of question. */
const IN_WORDS = /^\s*(?:what|who|whose|why|how|which)\b/i;

/** True if frames that show what a prompt names can answer it: no count, duration or description. */
const isAboutFrames = ({ question, query }: Plan) =>
  question === 'yes_no' || question === 'when' || (question === null && !IN_WORDS.test(query));

/**
 * The searches that no observer can do, but whose words may describe a picture: objects without a class of the
 * detector, places, weather, and unknown words. Not actions, sequences, or the absence of something.
 */
export function picturableSearches(plan: Plan): PlannedSearch[] {
  if (!isAboutFrames(plan)) return [];
  return plan.searches.filter(({ steps: [step, ...others], window }) => {
    if (window?.missed || others.length > 0 || step!.negated || step!.duration !== null) return false;
    const blocking = step!.unchecked.filter(({ blocks }) => blocks);
    return (
      blocking.length > 0 &&
      blocking.every(({ reason }) => PICTURABLE.some((picturable) => reason.startsWith(picturable)))
    );
  });
}
