import { FACTS, POLITE } from '../english/facts.ts';
import type { Plan } from '../schema.ts';
import { planOf, singleSearch } from '../single-search.ts';

/** Longer prompts are no question for a fact; limits the cost of a crafted prompt. */
const MAX_LENGTH = 200;

/**
 * The plan of a prompt that asks for a fact about the recording ("how long is the video"); null for any other. Only
 * whole prompts are read, so that no word is dropped.
 */
export function planFact(query: string): Plan | null {
  if (query.length > MAX_LENGTH) return null;
  const text = query
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[?!. ]+$/g, '')
    .trim();
  const plain = text.replaceAll('’', "'").replaceAll(POLITE, '');
  const fact = FACTS.find(({ pattern }) => pattern.test(plain))?.fact;
  if (fact === undefined) return null;
  return planOf(query, [singleSearch(text, { kind: 'fact', fact })]);
}
