import { pick } from '../random.ts';
import type { Reading } from './language-oracle.ts';

/** Changes what an honest model says. `n` counts the requests from 1. */
export type Liar = (truth: Reading, random: () => number, n: number) => Reading;

const NOUNS = ['person', 'car', 'truck', 'dog', 'cat', 'horse', 'bicycle', 'boat', 'bird', 'chair'];
const COLORS = ['red', 'blue', 'green', 'white', 'black', 'yellow'];
const NUMBERS = ['two', 'three', 'four', 'five', 'six', '10', '20', '30'];
const VERBS = ['stops', 'enters', 'leaves', 'appears', 'moves', 'stands', 'turns', 'falls', 'runs'];

const PLURALS: Readonly<Record<string, string>> = { person: 'people' };
const nounsIn = (text: string) => NOUNS.filter((noun) => formsOf(noun).some((form) => hasWord(text, form)));
const formsOf = (noun: string) => [PLURALS[noun] ?? `${noun}s`, noun];
const verbForms = (verb: string) => [verb, verb.replace(/s$/, '')];
const hasWord = (text: string, word: string) => new RegExp(`\\b${word}\\b`, 'i').test(text);
const other = (random: () => number, list: readonly string[], than: readonly string[]) =>
  pick(
    random,
    list.filter((each) => !than.includes(each)),
  );

/** Replaces words of a list by others of it; of a sentence without any, says one with them. */
const replacing =
  (list: readonly string[], forms: (word: string) => readonly string[], say: (word: string) => string): Liar =>
  (truth, random) => ({
    ...truth,
    left: [],
    sentences: [...truth.sentences, ...truth.left.map((from) => ({ from, to: '' }))].map(({ from, to }) => {
      const present = list.filter((word) => forms(word).some((form) => hasWord(to, form)));
      if (present.length === 0) return { from, to: to === '' ? say(pick(random, list)) : to };
      const word = pick(random, present);
      const lie = other(random, list, present);
      const at = forms(word).findIndex((form) => hasWord(to, form));
      return { from, to: to.replace(new RegExp(`\\b${forms(word)[at]}\\b`, 'i'), forms(lie)[at]!) };
    }),
  });

const everything = ({ sentences, left }: Reading) => [...sentences.map(({ from }) => from), ...left];

/** Models that misread prompts, each in one way, by name. */
export const LIARS: Readonly<Record<string, Liar>> = {
  'other nouns': replacing(NOUNS, formsOf, (noun) => `a ${noun}`),
  'other colors': replacing(
    COLORS,
    (color) => [color],
    (color) => `a ${color} car`,
  ),
  'other numbers': replacing(
    NUMBERS,
    (number) => [number],
    (number) => `${number} people`,
  ),
  'other verbs': replacing(VERBS, verbForms, (verb) => `a person ${verb}`),
  'no negation': (truth) => ({
    ...truth,
    sentences: truth.sentences.map(({ from, to }) => ({ from, to: to.replace(/\bno\b|\bnot\b|\bwithout\b/i, 'a') })),
  }),
  'half of it': (truth) => ({
    ...truth,
    left: [],
    sentences: everything(truth).map((from) => {
      const to = truth.sentences.find((each) => each.from === from)?.to ?? 'a person';
      return { from, to: nounsIn(to)[0] ? `a ${nounsIn(to)[0]}` : 'a person' };
    }),
  }),
  'the same': (truth) => ({
    ...truth,
    left: [],
    sentences: everything(truth).map((from) => ({ from, to: 'a person enters' })),
  }),
  'the nouns in another order': (truth) => ({
    ...truth,
    sentences: truth.sentences.map(({ from, to }) => {
      const [first, second] = nounsIn(to);
      if (first === undefined || second === undefined) return { from, to: 'a person' };
      const swapped: Readonly<Record<string, string>> = { [first]: second, [second]: first };
      return { from, to: to.replace(new RegExp(`\\b(?:${first}|${second})\\b`, 'g'), (noun) => swapped[noun]!) };
    }),
  }),
  'another language': (truth, random, n) => ({ ...LIARS['other nouns']!(truth, random, n), language: 'Dutch' }),
  'every other time': (truth, random, n) => (n % 2 === 0 ? truth : LIARS['other nouns']!(truth, random, n)),
  'only articles': (truth) => ({
    ...truth,
    left: [],
    sentences: everything(truth).flatMap((from) => [{ from: from.split(' ')[0]!, to: 'a person' }]),
  }),
};
