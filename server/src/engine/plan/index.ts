import { createEnglish } from './english/index.ts';
import { planQuery } from './parse-prompt.ts';
import type { Plan } from './schema.ts';
import { buildLexicon } from './tokens/lexicon.ts';
import type { Language } from './tokens/senses.ts';
import { createPlanValidator } from './validate-plan.ts';

export type * from './schema.ts';
export { planSchema } from './schema.ts';
export type { Entry, Group } from './tokens/senses.ts';

/** Parses prompts into plans, and validates plans that clients send. */
export interface Planner {
  /**
   * Parses a prompt. Never fails: words that are not understood are reported in the plan. 10,000 characters take a
   * few milliseconds.
   */
  planQuery(query: string): Plan;
  /** Throws a Problem `plan_invalid` (400) naming the field. */
  checkPlan(value: unknown): Plan;
}

/** Builds the lexicon once (about 100 ms); the planner itself keeps no state. */
export function createPlanner(language: Language = createEnglish()): Planner {
  const lexicon = buildLexicon(language);
  return { planQuery: (query) => planQuery(query, lexicon), checkPlan: createPlanValidator() };
}
