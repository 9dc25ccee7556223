import { lazy } from '../lazy.ts';
import type { ForeignLanguage } from './types.ts';

/** Longer prompts have no part of the video in one sentence; limits the cost of a crafted prompt. */
const MAX_LENGTH = 200;
const TIME = '(\\d{1,3}:\\d{2}(?::\\d{2})?)';

/**
 * Splits a prompt into its part of the video, in English, and the rest: "ein Auto in den ersten 10 Sekunden". Null if
 * it names none.
 */
export function createWindowSplitter(languages: readonly ForeignLanguage[]) {
  const getPatterns = lazy(() =>
    languages.flatMap(({ windows = {}, roles }) => {
      const numbers = new Map(Object.entries(roles.number ?? {}).map(([value, word]) => [word, value]));
      const number = `(\\d{1,4}|${[...numbers.keys()].join('|')})`;
      return Object.entries(windows).map(([english, pattern]) => {
        const source = pattern.replaceAll('NUMBER', number).replaceAll('TIME', TIME);
        return { english, numbers, pattern: new RegExp(`(?:^|[, ]+)${source}(?=[, ?.!]|$)`, 'iu') };
      });
    }),
  );
  return (query: string): { rest: string; window: string } | null => {
    if (query.length > MAX_LENGTH) return null;
    for (const { english, numbers, pattern } of getPatterns()) {
      const found = pattern.exec(query);
      if (!found) continue;
      const [, ...values] = found;
      const window = english.replace(/\$(\d)/g, (_, at: string) => {
        const value = values[Number(at) - 1]!;
        return numbers.get(value.toLowerCase()) ?? value;
      });
      return { rest: query.replace(pattern, '').replace(/^[, ]+/, ''), window };
    }
    return null;
  };
}

/** A prompt with a phrase at its end, before the mark of a question. */
export const appendPhrase = (prompt: string, phrase: string): string =>
  prompt.endsWith('?') ? `${prompt.slice(0, -1)} ${phrase}?` : `${prompt} ${phrase}`;
