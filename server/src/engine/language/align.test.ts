import { expect, it } from 'vitest';
import { createPlanner } from '../plan/index.ts';
import { alignParts, joinUnread } from './align.ts';

const planner = createPlanner();
const read = (prompt: string, sentences: [string, string][], left: string[] = []) => {
  const rewritings = { language: null, sentences: sentences.map(([from, to]) => ({ from, to })), left };
  const parts = alignParts(prompt, rewritings, planner);
  const joined = joinUnread(
    prompt,
    parts,
    ({ to }) => to !== null,
    (first, second) => ({ ...first, end: second.end, from: prompt.slice(first.start, second.end), to: null }),
  );
  return joined.map(({ from, to }) => [from, to]);
};

it.each([
  ['an article', 'a zeppelin', 'a'],
  ['a preposition', 'from a zeppelin', 'from'],
  ['an article and a preposition', 'een hond op het dak', 'op het'],
  ['an article of another language', 'een zeppelin', 'een'],
])('%s is no part', (_name, prompt, from) => {
  expect(read(prompt, [[from, 'a person']]).every(([, to]) => to === null)).toBe(true);
});

it.each<[string, string, [string, string][], string[], unknown[]]>([
  [
    'takes the words beside it with it',
    'a man with a red hat',
    [['a man', 'a person']],
    ['with a red hat'],
    [['a man with a red hat', null]],
  ],
  [
    'also if the model forgot it',
    'a man with a red hat',
    [['a man', 'a person']],
    [],
    [['a man with a red hat', null]],
  ],
  [
    'takes those on both sides',
    'a man feeds a dog, a cat',
    [
      ['a man', 'a person'],
      ['a dog', 'a dog'],
      ['a cat', 'a cat'],
    ],
    ['feeds'],
    [
      ['a man feeds a dog', null],
      ['a cat', 'a cat'],
    ],
  ],
  [
    'ends at a mark',
    'een hond rent, een man met een hoed',
    [['een hond rent', 'a dog runs']],
    ['een man met een hoed'],
    [
      ['een hond rent', 'a dog runs'],
      ['een man met een hoed', null],
    ],
  ],
])('what is left %s', (_name, prompt, sentences, left, expected) => {
  expect(read(prompt, sentences, left)).toEqual(expected);
});
