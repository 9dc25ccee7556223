import { distance } from 'fastest-levenshtein';
import { inflectEnglish } from '../../plan/index.ts';
import { soundAlike } from './sounds-alike.ts';

/** Quality of a match: `similar` words are spelled or sound almost like the sought ones, and may be misheard ones. */
export type WordMatch = 'same' | 'similar';

/** Finds where sought words are spoken. */
export type WordMatcher = {
  /** Number of spoken words from `at` on that are the sought ones, one after another; null if they are not. */
  matchAt(spoken: readonly string[], at: number): { length: number; match: WordMatch } | null;
};

/** Longest words that may differ by no letter, and by one. Longer ones may differ by two. */
const EXACT_LENGTH = 4;
const ONE_LETTER_LENGTH = 7;
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Letters of scripts without spaces between words: each one is a word of its own. */
const SPACELESS =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}]';
const LETTER = `[[\\p{L}\\p{N}]--${SPACELESS}]`;
const WORDS = new RegExp(
  `[\\p{L}&&${SPACELESS}]\\p{M}*|${LETTER}[${LETTER}\\p{M}]*(?:'[\\p{L}--${SPACELESS}][[\\p{L}--${SPACELESS}]\\p{M}]*)*`,
  'gv',
);
const SPACELESS_WORD = new RegExp(`^[\\p{L}&&${SPACELESS}]`, 'v');

/**
 * Splits a text into words in lower case, numbers up to twelve spelled out. Chinese, Japanese, Thai and other texts
 * without spaces are split into letters.
 */
export const toSpokenWords = (text: string): string[] =>
  (text.normalize('NFC').toLowerCase().replaceAll('’', "'").match(WORDS) ?? []).map(
    (word) => (/^\d+$/.test(word) && NUMBERS[Number(word)]) || word,
  );

/** Words without which a subject is the same. */
const FUNCTION_WORDS = new Set(
  'a an the of to in on at for and or with by from is are was were be been it its this that my our your their'.split(
    ' ',
  ),
);

/** The words that name a subject; letters of a text without spaces belong together. */
export function contentPhrases(text: string): string[][] {
  const phrases = text.split(/\s+/).flatMap((chunk) => {
    const words = toSpokenWords(chunk);
    return words.length > 0 && words.every((word) => SPACELESS_WORD.test(word)) ? [words] : words.map((word) => [word]);
  });
  const content = phrases.filter(([word, ...rest]) => rest.length > 0 || !FUNCTION_WORDS.has(word!));
  return content.length > 0 ? content : phrases;
}

/**
 * Matches words in any inflected form, written as one word or as two ("fork lift"). Forms are those of English: words
 * of other languages match as they are written, or spelled almost like that.
 */
export function createWordMatcher(
  sought: readonly string[],
  { isEnglish = true }: { isEnglish?: boolean } = {},
): WordMatcher {
  const compareWith = isEnglish ? createComparison : createExactComparison;
  const compare = sought.map((_, i) => compareWith(sought[i]!));
  const comparePairs = sought.slice(1).map((word, i) => compareWith(sought[i]! + word));

  return {
    matchAt(spoken, at) {
      let next = at;
      let match: WordMatch = 'same';
      for (let i = 0; i < sought.length; ) {
        const word = spoken[next];
        if (word === undefined) return null;
        const following = spoken[next + 1];
        const single = compare[i]!(word);
        const pair = following === undefined || single ? null : matchPair(compare[i]!, word, following);
        const joined = comparePairs[i]?.(word) ?? null;
        const isPair = pair !== null && (pair === 'same' || joined !== 'same');
        const best = single ?? (isPair ? pair : joined);
        if (best === null) return null;
        if (best === 'similar') match = 'similar';
        next += isPair ? 2 : 1;
        i += single === null && !isPair ? 2 : 1;
      }
      return { length: next - at, match };
    },
  };
}

type Comparison = (spoken: string) => WordMatch | null;

/** Two spoken words as one; similar only if the second is not the sought word by itself. */
function matchPair(compare: Comparison, word: string, following: string): WordMatch | null {
  const match = compare(word + following);
  return match === 'similar' && compare(following) !== null ? null : match;
}

function createComparison(sought: string): Comparison {
  const forms = new Set([sought, ...inflectEnglish(sought, 'verb'), ...inflectEnglish(sought, 'noun')]);
  const stems = new Set(stemsOf(sought));
  return (spoken) => {
    if (forms.has(spoken) || stemsOf(spoken).some((stem) => stems.has(stem))) return 'same';
    return isSimilar(sought, spoken) || [...forms].some((form) => soundAlike(form, spoken)) ? 'similar' : null;
  };
}

function createExactComparison(sought: string): Comparison {
  return (spoken) => (spoken === sought ? 'same' : isSimilar(sought, spoken) ? 'similar' : null);
}

function isSimilar(sought: string, spoken: string): boolean {
  const tolerance = sought.length <= EXACT_LENGTH ? 0 : sought.length <= ONE_LETTER_LENGTH ? 1 : 2;
  // Misheard words mostly begin with the right sound.
  return tolerance > 0 && spoken[0] === sought[0] && distance(spoken, sought) <= tolerance;
}

/** Possible stems of a word. Forms of one word share one: "moving" and "moves", but not "hop" and "hope". */
export function stemsOf(word: string): string[] {
  const bare = word.replace(/'s?$|'(?:re|ve|ll|d)$/, '');
  const plural = /^(.{2,})ies$/.exec(bare)?.[1] ?? /^(.{2,})ied$/.exec(bare)?.[1];
  if (plural !== undefined) return [`${plural}y`, `${plural}ie`];
  const hissed = /^(.*(?:s|x|z|ch|sh))es$/.exec(bare)?.[1];
  if (hissed !== undefined) return [hissed, `${hissed}e`];
  const verb = /^(.*[aeiouy].*[^e])(?:ing|ed)$/.exec(bare)?.[1];
  if (verb !== undefined) return [verb, `${verb}e`, ...(/([^aeiou])\1$/.test(verb) ? [verb.slice(0, -1)] : [])];
  return [bare.replace(/(?<=..[^siu])s$/, '')];
}
