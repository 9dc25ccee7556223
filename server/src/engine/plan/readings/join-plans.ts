import { refuseRest } from '../refuse.ts';
import type { Plan, PlannedSearch } from '../schema.ts';

/** Most searches of a joined plan; one more names those that are left out. */
const MOST_SEARCHES = 199;

/**
 * One plan of several that are searched for together, in their order. `query` is the text of all of their prompts.
 * Several plans have no common question, and each part of the video that one of them names is that of its searches.
 */
export function joinPlans(query: string, plans: readonly Plan[]): Plan {
  const [only, ...others] = plans;
  if (only && others.length === 0) return { ...only, query };
  const searches: PlannedSearch[] = [];
  for (const plan of plans) {
    const first = searches.length;
    searches.push(...plan.searches.map((search) => shift(search, first, plan.window)));
  }
  const left = searches.splice(MOST_SEARCHES).map(({ text }) => text);
  if (left.length > 0) searches.push(refuseRest(left.join('\n')));
  return { version: 1, query, question: null, window: null, searches, corrected: [] };
}

const shift = (search: PlannedSearch, first: number, window: Plan['window']): PlannedSearch => ({
  ...search,
  ...(search.window === undefined && window !== null && { window }),
  ...(search.during !== undefined && { during: first + search.during }),
});
