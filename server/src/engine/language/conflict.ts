import { isBlocked, type Plan, type PlannedSearch } from '../plan/index.ts';
import { meaningOfSearch } from './meaning.ts';

/**
 * True if a rewriting contradicts the reading of the rules: it lost a search that the rules understood, or it is what
 * remains of a search without the words that block it ("a toy car" as "a car").
 */
export function contradicts(rewritten: Plan, rules: Plan): boolean {
  const found = new Set(rewritten.searches.filter((search) => !isBlocked(search)).map(meaningOfSearch));
  const understood = rules.searches.filter((search) => !isBlocked(search));
  if (understood.some((search) => !found.has(meaningOfSearch(search)))) return true;
  const isQuery = understood.length > 0 || rules.window !== null;
  if (isQuery && rules.question !== null && rules.question !== rewritten.question) return true;
  if (rules.window !== null && JSON.stringify(rules.window) !== JSON.stringify(rewritten.window)) return true;
  return rules.searches.some(
    (search) => isBlocked(search) && hasStructure(search) && found.has(meaningOfSearch(search)),
  );
}

const hasStructure = ({ steps }: PlannedSearch) => steps.every(({ what }) => what.kind !== 'unknown');
