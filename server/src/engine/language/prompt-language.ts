import type { Plan, Planner } from '../plan/index.ts';
import { nameLanguage } from '../plan/translate/detect.ts';

/** Fewer words outside of English are names and slips of the pen. */
const MIN_FOREIGN_WORDS = 2;

/** Another language of a prompt: its English name, as the model states it, and as code detects it. */
export type PromptLanguage = { name: string; detected: string };

/**
 * The language of a prompt, or null if it is English. A model alone does not decide: its rewritings of English are held
 * against a dictionary, those of other languages cannot be. `rules` is the plan of the rules.
 */
export function findForeignLanguage(
  query: string,
  stated: string | null,
  rules: Plan,
  { isEnglishWord }: Pick<Planner, 'isEnglishWord'>,
): PromptLanguage | null {
  const detected = nameLanguage(query) ?? rules.language ?? null;
  const letters = query.match(/\p{L}/gu)?.length ?? 0;
  const latin = query.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 < letters) return { name: stated ?? detected ?? 'another language', detected: detected ?? '' };
  if (detected === null || detected === 'English' || stated === 'English') return null;
  const words = wordsOf(query);
  const foreign = words.filter((word) => !isEnglishWord(word)).length;
  if (foreign < MIN_FOREIGN_WORDS || foreign * 2 < words.length) return null;
  return { name: stated ?? detected, detected };
}

/** True if a text contains words that are not English. */
export const hasForeignWord = (text: string, { isEnglishWord }: Pick<Planner, 'isEnglishWord'>): boolean =>
  wordsOf(text).some((word) => !isEnglishWord(word));

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
