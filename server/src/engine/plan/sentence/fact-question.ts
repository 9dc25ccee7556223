import { FACTS, POLITE } from '../english/facts.ts';
import type { Plan } from '../schema.ts';

/**
 * The plan of a prompt that asks for a fact about the recording ("how long is the video"); null for any other. Only
 * whole prompts are read, so that no word is dropped.
 */
export function planFact(query: string): Plan | null {
  const text = query
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[?!.]+$/g, '')
    .trim();
  const plain = text.replaceAll('’', "'").replaceAll(POLITE, '');
  const fact = plain.length <= MAX_LENGTH ? FACTS.find(({ pattern }) => pattern.test(plain))?.fact : undefined;
  if (fact === undefined) return null;
  const step = {
    text,
    what: { kind: 'fact', fact } as const,
    negated: false,
    duration: null,
    join: null,
    within: null,
  };
  const search = { text, steps: [{ ...step, same: false, unchecked: [] }], pick: null };
  return { version: 1, query, question: null, window: null, searches: [search], corrected: [] };
}

const MAX_LENGTH = 100;
