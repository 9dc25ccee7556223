import { createCheckPlan } from './check.ts';
import { createEnglish } from './english/index.ts';
import { buildLexicon, type Language } from './lexicon.ts';
import { planQuery } from './query.ts';
import type { Plan } from './schema.ts';

export { renderPromptsGuide } from '../guide.ts';
export type { Entry, Group } from './lexicon.ts';
export type * from './schema.ts';
export { planSchema } from './schema.ts';

/** Plan: reads prompts by the lexicon, and checks plans that clients send. */
export interface Planner {
  /** Reads a prompt. Never fails: what it does not understand is in the plan as such. 10,000 characters take a few milliseconds. */
  planQuery(query: string): Plan;
  /** Throws a Problem `plan_invalid` (400) naming the field. */
  checkPlan(value: unknown): Plan;
}

/** Builds the lexicon once (about 50 ms); the planner itself keeps no state. */
export function createPlanner(language: Language = createEnglish()): Planner {
  const lexicon = buildLexicon(language);
  return { planQuery: (query) => planQuery(query, lexicon), checkPlan: createCheckPlan() };
}
