import { chineseSpeech } from '../chinese/speech.ts';
import { frenchSpeech } from '../french/speech.ts';
import { germanSpeech } from '../german/speech.ts';
import { lazy } from '../lazy.ts';
import { spanishSpeech } from '../spanish/speech.ts';
import { toPlainPrompt } from './plain-prompt.ts';

/** Most words that are read without quotation marks, and most letters where there are no spaces. */
const MAX_WORDS = 5;
const MAX_LETTERS = 40;

const LANGUAGES = [germanSpeech, spanishSpeech, frenchSpeech, chineseSpeech];
const QUOTED = '["“”„«»‹›「」『』](?<quoted>[^"“”„«»‹›「」『』]+)["“”„«»‹›「」『』]';
const WORDS = `(?:${QUOTED}|(?<words>[^"“”„«»‹›「」『』,;:，；：]+))`;

const getPrompts = lazy(() =>
  LANGUAGES.flatMap(({ prompts, ...language }) =>
    Object.entries(prompts).flatMap(([to, patterns]) =>
      patterns.map((pattern) => ({
        ...language,
        to,
        pattern: new RegExp(`^${pattern.replace('QUOTED', QUOTED).replace('WORDS', WORDS)}$`, 'iu'),
      })),
    ),
  ),
);

/**
 * The English prompt for the same spoken words, subject or transcript; null for any other prompt. The words stay in
 * their language. Without quotation marks, it is null where it is not certain which words are spoken.
 */
export function translateSpeech(query: string): { language: string; to: string } | null {
  const plain = toPlainPrompt(query);
  if (plain === null) return null;
  for (const { language, articles, doubtful, to, pattern } of getPrompts()) {
    const found = pattern.exec(plain);
    if (!found) continue;
    if (!to.includes('WORDS')) return { language, to };
    const { quoted, words = '' } = found.groups!;
    const spoken = quoted?.trim() ?? (to.includes('talk about') ? words.replace(articles, '') : words);
    const isUncertain = spoken.split(' ').length > MAX_WORDS || spoken.length > MAX_LETTERS || doubtful.test(spoken);
    if (spoken === '' || (quoted === undefined && isUncertain)) continue;
    return { language, to: to.replace('WORDS', () => spoken) };
  }
  return null;
}
