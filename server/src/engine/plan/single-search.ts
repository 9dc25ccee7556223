import type { Plan, PlannedSearch, Target, Unchecked } from './schema.ts';

/** A search for one target, without further conditions. */
export const singleSearch = (text: string, what: Target, unchecked: Unchecked[] = []): PlannedSearch => ({
  text,
  steps: [{ text, what, negated: false, duration: null, join: null, within: null, same: false, unchecked }],
  pick: null,
});

/** The plan of searches in the whole video. */
export const planOf = (query: string, searches: PlannedSearch[], question: Plan['question'] = null): Plan => ({
  version: 1,
  query,
  question,
  window: null,
  searches,
  corrected: [],
});
