import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { lazy } from '../lazy.ts';
import type { ForeignLexicon } from './lexicon.ts';

/**
 * The detector, loaded on first use: that takes longer than reading most prompts, which are English. The package can
 * only be resolved as an import.
 */
const getDetector = lazy(() => {
  const path = fileURLToPath(import.meta.resolve('eld/small'));
  return (createRequire(import.meta.url)(path) as typeof import('eld/small')).eld;
});

const getNames = lazy(() => new Intl.DisplayNames('en', { type: 'language' }));
/** Words of letters, for the share of English in a prompt. */
const WORDS = /[\p{L}\p{M}]+/gu;
/** Fewer letters than this identify no language of the Latin script. */
const MIN_LETTERS = 8;

export type DetectedLanguage = { name: string; lexicon: ForeignLexicon | null };

/**
 * The language of a prompt if it is not English: one that a lexicon reads, or one that only has a name. Null for
 * English and where it is not clear. `isEnglish` knows the words of the English vocabulary and common English words.
 * `isTie` is true where the prompt may as well be English.
 */
export function detectLanguage(
  prompt: string,
  lexicons: readonly ForeignLexicon[],
  isEnglish: (word: string) => boolean,
): (DetectedLanguage & { isTie: boolean }) | null {
  const words = [...prompt.toLowerCase().matchAll(WORDS)].map((match) => match[0]);
  const scripted = languageOfScript(prompt, lexicons);
  if (scripted !== null) return { ...scripted, isTie: false };
  const english = words.filter(isEnglish).length;
  const scored = lexicons
    .filter(({ language }) => !language.spaceless)
    .map((lexicon) => ({ lexicon, hits: words.filter(lexicon.has).length }))
    .toSorted((a, b) => b.hits - a.hits);
  const best = scored[0];
  const detected = words.join('').length < MIN_LETTERS ? null : identify(prompt);
  if (best !== undefined && best.hits > 0 && best.hits >= english) {
    // Languages that share most of the words of the prompt: the detector decides, if it knows one of them.
    const tied = scored.filter(({ hits }) => hits === best.hits);
    const chosen = tied.find(({ lexicon }) => lexicon.language.code === detected)?.lexicon ?? best.lexicon;
    return {
      name: chosen.language.name,
      lexicon: chosen,
      isTie: best.hits === english && detected !== chosen.language.code,
    };
  }
  if (detected === null || detected === 'en' || english * 2 > words.length) return null;
  return { name: getNames().of(detected) ?? detected, lexicon: null, isTie: false };
}

/** The name of the language by its letters, or null where no language is likely. */
export function nameLanguage(prompt: string): string | null {
  const code = identify(prompt);
  return code === null ? null : (getNames().of(code) ?? code);
}

function identify(prompt: string): string | null {
  const result = getDetector().detect(prompt.slice(0, 2000));
  return result.language !== '' && result.isReliable() ? result.language : null;
}

const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'Japanese'],
  [/\p{Script=Hangul}/gu, 'Korean'],
  [/\p{Script=Han}/gu, 'Chinese'],
  [/\p{Script=Thai}/gu, 'Thai'],
  [/\p{Script=Greek}/gu, 'Greek'],
  [/\p{Script=Hebrew}/gu, 'Hebrew'],
];

/** The language of a prompt whose letters are mostly not Latin. */
function languageOfScript(prompt: string, lexicons: readonly ForeignLexicon[]): DetectedLanguage | null {
  const letters = prompt.match(/\p{L}/gu)?.length ?? 0;
  const latin = prompt.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const chinese = prompt.match(/\p{Script=Han}/gu)?.length ?? 0;
  // A Chinese prompt may contain "SUV" or "km".
  if (latin * 2 > letters && chinese * 2 < latin) return null;
  for (const [script, name] of SCRIPTS) {
    const found = prompt.match(script)?.length ?? 0;
    if (found === 0) continue;
    return { name, lexicon: lexicons.find(({ language }) => language.name === name) ?? null };
  }
  if (letters === 0) return null;
  const name = nameLanguage(prompt);
  return name === null ? null : { name, lexicon: null };
}
