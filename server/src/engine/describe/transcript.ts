import type { SearchMatches } from '../find/index.ts';

/** Longest text of an answer, in characters; the events have all of it. */
const MAX_LENGTH = 2_000;

/** The spoken words as running text, for a prompt that requests all of them; null for other prompts. */
export function answerTranscript(results: readonly SearchMatches[]): string | null {
  const [result, ...others] = results;
  if (!result || others.length > 0 || result.search.steps.length > 1) return null;
  const { what, negated } = result.search.steps[0]!;
  const isSearched = result.outcomes.every(({ status }) => status !== 'not_looked_for');
  if (what.kind !== 'speech' || what.words !== null || negated || !isSearched) return null;
  const quotes = result.matches.flatMap(({ quote }) => quote ?? []);
  if (quotes.length === 0) return 'No spoken words were recognized.';
  const text = quotes.join(' ');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, text.lastIndexOf(' ', MAX_LENGTH))} …`;
}
