import { lazy } from '../../lazy.ts';
import type { Lexeme } from '../../parse/lattice.ts';
import { ANY_MOTION, UNKNOWN_WORD } from '../../reasons.ts';
import type { Category } from './categories.ts';
import { OPEN, OUTSIDE, RARE, UNLISTED } from './costs.ts';
import { singularsOf, verbsOf } from './morphology.ts';
import { OPEN_CLASSES, TRAVEL_VERBS } from './open-classes.generated.ts';

/** The letters of the classes of each common word: noun, verb, adjective, adverb. */
const getClasses = lazy(
  () =>
    new Map(
      Object.entries(OPEN_CLASSES).flatMap(([letters, words]) =>
        words.split(' ').map((word) => [word, letters] as const),
      ),
    ),
);

const getTravelVerbs = lazy(() => new Set(TRAVEL_VERBS.split(' ')));
/** Any way of traveling is a motion. */
const TRAVELS = { type: 'action', action: 'moves', weak: true, caveat: ANY_MOTION, decides: true } as const;

const isOf = (word: string, letter: string) => getClasses().get(word)?.includes(letter) === true;

/**
 * True for a common noun, and for a word that is in no list: a name or an abbreviation. `isVerb`: it is known as a
 * verb, whose inflected forms are no nouns: "waits".
 */
export const isNounLike = (word: string, isVerb: boolean): boolean => {
  if (!/^[\p{L}][\p{L}\p{N}'-]*$/u.test(word)) return false;
  if (isVerb && !isOf(word, 'v')) return false;
  return isOf(word, 'n') || singularsOf(word).some((each) => isOf(each, 'n')) || !isListed(word);
};

/** True for a noun in the singular, and for a word that is in no list. */
export const isSingular = (word: string): boolean => isOf(word, 'n') || !isListed(word);

const isListed = (word: string) =>
  getClasses().has(word) ||
  verbsOf(word).some(({ base }) => getClasses().has(base)) ||
  singularsOf(word).some((each) => getClasses().has(each));

/**
 * Meanings of a word as any word of its class, which no observer knows. `isKnown`: the vocabulary has other meanings of
 * it.
 */
export function openClassOf(word: string, isKnown: boolean): Lexeme[] {
  if (!/^[\p{L}\p{N}'-]+$/u.test(word)) return [];
  const cost = isKnown ? OUTSIDE : OPEN;
  const lexemes: Lexeme[] = [];
  const add = (category: Category, more: number, features: object = {}) =>
    lexemes.push({ category, cost: cost + more, features: { reason: UNKNOWN_WORD, isKnown, ...features } });
  const isPlural = singularsOf(word).some((each) => isOf(each, 'n'));
  if (isOf(word, 'n') || isPlural) add('UnseenNoun', 0, { number: isPlural ? 'many' : 'one' });
  const seen = new Set<string>();
  for (const { base, form } of verbsOf(word)) {
    if (!isOf(base, 'v') || seen.has(form)) continue;
    seen.add(form);
    const isTravel = !isKnown && getTravelVerbs().has(base);
    if (isTravel) lexemes.push({ category: 'Action', cost: OPEN, features: { sense: TRAVELS, form } });
    else add('UnseenVerb', 0, { form });
  }
  if (isOf(word, 'a') && !isKnown) add('UnseenAdjective', 0);
  if (isOf(word, 'r') && !isKnown) add('UnseenAdverb', RARE);
  if (lexemes.length === 0 && !isKnown) {
    add('UnseenNoun', UNLISTED - OPEN, { number: null });
    add('UnseenAdjective', UNLISTED - OPEN);
  }
  return lexemes;
}
