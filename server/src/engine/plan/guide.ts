import type { Language } from './lexicon.ts';
export function renderGuide(language: Language): string {
  return String(language.entries.length);
}
