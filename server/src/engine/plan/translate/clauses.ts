import { lazy } from '../lazy.ts';
import type { ForeignLanguage } from './types.ts';

/** Longer prompts are no single sentence; limits the cost of a crafted prompt. */
const MAX_LENGTH = 200;

/** The parts of a prompt without an adverb or a conjunction, which is in English. */
type SplitClause =
  | { kind: 'adverb'; rest: string; phrase: string }
  | { kind: 'conjunction'; clauses: readonly [string, string]; word: string };

/** Splits a prompt at a word that has another place in English: "hält das Auto wieder", "bellt er, während …". */
export function createClauseSplitter(languages: readonly ForeignLanguage[]) {
  const getPatterns = lazy(() =>
    languages.flatMap(({ adverbs = {}, conjunctions = {} }) => [
      ...Object.entries(conjunctions).map(([english, form]) => ({
        english,
        isAdverb: false,
        pattern: new RegExp(`^(\\S.*?),? ${form} (\\S.*)$`, 'iu'),
      })),
      ...Object.entries(adverbs).map(([english, form]) => ({
        english,
        isAdverb: true,
        pattern: new RegExp(`^(.*?)(?:^|[ ,]+)${form}(?=[ ,?.!]|$)(.*)$`, 'iu'),
      })),
    ]),
  );
  return (query: string): SplitClause | null => {
    if (query.length > MAX_LENGTH) return null;
    for (const { english, isAdverb, pattern } of getPatterns()) {
      const found = pattern.exec(query.trim());
      if (!found) continue;
      const [, before = '', after = ''] = found;
      if (!isAdverb) return { kind: 'conjunction', clauses: [before, after], word: english };
      const rest = `${before}${after}`.trim();
      if (rest !== '') return { kind: 'adverb', rest, phrase: english };
    }
    return null;
  };
}
