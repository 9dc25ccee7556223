import type { Plan } from '../../plan/index.ts';
import { isNegated } from './negation.ts';

/** A sentence of a prompt in another language, and its rewriting by a model. */
export type ForeignRewriting = {
  from: string;
  to: string;
  plan: Plan;
  /** English name of the language. */
  language: string;
};

/** Words of one language for a word of the other, at most: languages without articles need half of those of English. */
const FOR_AN_ENGLISH_WORD = 1.5;
const FOR_A_FOREIGN_WORD = 2;
/** Words that either may have besides. */
const MORE_WORDS = 3;
/** The numbers that people write as words. */
const SPELLED =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/**
 * Returns why a rewriting cannot mean the same as the words of another language, or null. Code compares what needs no
 * dictionary: numbers, words that stay as they are, negation, and the number of words.
 */
export function findForeignFault({ from, to, plan, language }: ForeignRewriting): string | null {
  const stated = digitsIn(from);
  const read = [...digitsIn(to), ...(to.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => SPELLED.indexOf(word))];
  const lost = stated.find((number) => !read.includes(number));
  if (lost !== undefined) return `the number ${lost} is not in it`;
  const added = read.find((number) => !stated.includes(number) && number >= SPELLED.length);
  if (added !== undefined) return `the number ${added} is not in these words`;
  const literal = literalsOf(plan).find((text) => !contains(from, text));
  if (literal !== undefined) return `"${literal}" is not in these words`;
  const quoted = quotedIn(from).find((text) => !contains(to, text));
  if (quoted !== undefined) return `"${quoted}" is not in it`;
  const negated = isNegated(from, language);
  if (negated !== null && negated !== isNegated(to, 'English'))
    return negated ? 'it lost the negation' : 'these words have no negation';
  const [own, english] = [countWords(from), countWords(to)];
  if (own > FOR_AN_ENGLISH_WORD * english + MORE_WORDS) return 'it has too few words for these';
  if (english > FOR_A_FOREIGN_WORD * own + MORE_WORDS) return 'it has too many words for these';
  return null;
}

/** Values of the numbers in digits, of any script. */
const digitsIn = (text: string): number[] =>
  [...text.normalize('NFKC').matchAll(/\p{Nd}+(?:[.,]\p{Nd}+)?/gu)].map(([digits]) =>
    Number([...digits].map((digit) => toDigit(digit)).join('')),
  );

/** A decimal digit of any script, or the decimal point. The digits of a script follow each other from its zero. */
function toDigit(character: string): string {
  if (character === '.' || character === ',') return '.';
  const code = character.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** Words that are looked for as they are: on signs, and in what is spoken. */
const literalsOf = ({ searches }: Plan): string[] =>
  searches.flatMap(({ steps }) =>
    steps.flatMap(({ what }) =>
      what.kind === 'text' ? (what.text ?? []) : what.kind === 'speech' ? (what.words ?? []) : [],
    ),
  );

const quotedIn = (text: string): string[] =>
  [...text.matchAll(/["“”„«»「『]([^"“”„«»「」『』]+)["“”«»」』]/g)].map(([, inside]) => inside!.trim());

const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const countWords = (text: string): number =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true).length;
