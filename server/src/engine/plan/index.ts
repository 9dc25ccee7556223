import { isBlocked } from './blocked-search.ts';
import { createEnglish } from './english/index.ts';
import { CLOSED_PHRASES, createEnglishGrammar } from './language/english/index.ts';
import { lazy } from './lazy.ts';
import { planRewritten } from './plan-rewritten.ts';
import { planPrompt, readParts } from './read-grammar.ts';
import type { Plan } from './schema.ts';
import { suggestPrompts } from './suggestions.ts';
import { createForeignReader, isForeignFunctionWord } from './translate/index.ts';
import { createPlanValidator } from './validate-plan.ts';
import { nearestWords } from './words/spelling.ts';
import { buildWordList } from './words/word-list.ts';
import { findMentions } from './zones/find-mentions.ts';
import { withZones, type Zone } from './zones/index.ts';

export { isBlocked } from './blocked-search.ts';
export { inflectEnglish } from './english/inflect.ts';
export { findRelatedWords, MOST_RELATED_WORDS, type RelatedWord } from './english/related-words.ts';
export type { Entry, Group } from './meaning/senses.ts';
export { picturableSearches } from './picturable.ts';
export { type LeftPart, planRewritten, type Rewriting } from './plan-rewritten.ts';
export { createReadings, type Readings } from './readings/index.ts';
export { isNarrowing, isVisible } from './reasons.ts';
export type * from './schema.ts';
export { MOST_PLACES, planSchema } from './schema.ts';
export { SIGNAL_NAMES, signalOf } from './signals.ts';
export { LOOK_PICKS, RECOGNIZED_SOUNDS, STATISTICS, WEEKDAYS } from './terms.ts';
export { isZoned, namesZone, type Zone, type ZonePoint } from './zones/index.ts';

/** Parses prompts into plans, and validates plans that clients send. */
export interface Planner {
  /**
   * Parses a prompt. Never fails: words that are not understood are reported in the plan. 10,000 characters take a
   * few milliseconds. `zones` are those of the video, which English prompts may name; undefined if they are unknown.
   */
  planQuery(query: string, zones?: readonly Zone[]): Plan;
  /** Parses a prompt as English, whatever its language. */
  planEnglish(query: string, zones?: readonly Zone[]): Plan;
  /** True if a word of a language that is read carries no meaning between the parts of a prompt: "please", "and". */
  isFunctionWord(word: string): boolean;
  /** True if an English word names nothing: an article, a preposition, a pronoun, a conjunction. */
  isClosedClassWord(word: string): boolean;
  /** True if a word is of the English vocabulary, or common English. */
  isEnglishWord(word: string): boolean;
  /** Throws a Problem `plan_invalid` (400) naming the field. */
  checkPlan(value: unknown): Plan;
}

// Built on first use and shared by all planners, because they do not change: commands that read no prompt start sooner.
const getEnglish = lazy(() => buildWordList(createEnglish(), CLOSED_PHRASES));
const getGrammar = lazy(() => createEnglishGrammar(createEnglish().entries));
const getForeignReader = lazy(() => createForeignReader((word) => getEnglish().has(word) || getEnglish().isWord(word)));
const getValidator = lazy(createPlanValidator);

/** True if a plan looks for nothing but words. */
const isOfWords = ({ searches }: Plan) =>
  searches.every(({ steps }) => steps.every(({ what: { kind } }) => kind === 'text' || kind === 'speech'));

/**
 * Creates a planner, which keeps no state. The lexicons are built on the first prompt (about 100 ms). It reads English,
 * and the languages of `translate/` by rewriting them in English.
 */
export function createPlanner(): Planner {
  const planEnglish = (query: string, zones?: readonly Zone[]): Plan => {
    const plan = planPrompt(query, getEnglish(), getGrammar());
    // In a question about written or spoken words, the name of a zone is just one of the words.
    if (findMentions(query, zones ?? []).length === 0 || isOfWords(plan)) return plan;
    return planPrompt(query, withZones(getEnglish(), zones), getGrammar());
  };
  const planAnyLanguage = (query: string, zones?: readonly Zone[]): Plan => {
    const plan = planEnglish(query, zones);
    const isUnderstood = !plan.searches.some(isBlocked);
    if (isUnderstood && plan.corrected.length === 0) return plan;
    const foreign = getForeignReader()(query);
    if (foreign === null) return plan;
    const translated = planRewritten(foreign, (text) => planEnglish(text, zones));
    // English with slips of the pen resembles other languages.
    const isRefused = translated.searches.every(isBlocked);
    if (isRefused && (isUnderstood || (foreign.isGuess && plan.corrected.length > 0))) return plan;
    return foreign.isSure || !translated.searches.some(isBlocked) ? translated : plan;
  };
  return {
    planQuery(query, zones) {
      const plan = planAnyLanguage(query, zones);
      if (plan.language !== undefined || !plan.searches.some(isBlocked)) return plan;
      const suggestions = suggestPrompts(plan, {
        planEnglish: (text) => planEnglish(text, zones),
        nearestWords: (word) => nearestWords(word, getEnglish()),
        negates: (words) => getGrammar().negates(words),
        asks: (words) => getGrammar().asks(words),
        joins: (word) => getGrammar().joins(word),
        isContent: (word) => getGrammar().isContent(word),
        partsOf: (sentence) => readParts(sentence, getEnglish(), getGrammar()),
      });
      return suggestions.length > 0 ? { ...plan, suggestions } : plan;
    },
    planEnglish,
    isFunctionWord: (word) => getGrammar().isEmpty(word) || isForeignFunctionWord(word),
    isClosedClassWord: (word) => getGrammar().isOfClosedClass(word),
    isEnglishWord: (word) => getEnglish().has(word) || getEnglish().isWord(word),
    checkPlan: (value) => getValidator()(value),
  };
}
