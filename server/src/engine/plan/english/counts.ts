import type { Entry } from '../meaning/senses.ts';
import { words } from './entry.ts';

const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const TENS = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  dozen: 12,
};

export const numbers: readonly Entry[] = [
  ...NUMBERS.split(' ').map((word, value) => words('counts', word, { type: 'number', value })),
  ...Object.entries(TENS).map(([word, value]) => words('counts', word, { type: 'number', value })),
];

export const counts: readonly Entry[] = [
  words(
    'counts',
    'a single, single, lone, lonely, only one, just one, exactly one, alone, by itself, by himself, by herself, on its own, only a single, one single',
    {
      type: 'count',
      min: 1,
      max: 1,
    },
  ),
  words('counts', 'a couple of, couple of, a pair of, pair of, multiple, more than one, at least two, both', {
    type: 'count',
    min: 2,
    max: null,
  }),
  words('counts', 'half a dozen, half dozen', { type: 'number', value: 6 }),
  words(
    'counts',
    'several, a few, few, some of, a trio of, trio of, a flock of, flock of, a herd of, herd of, a bunch of, bunch of, a handful of, handful of, a number of, a cluster of, a pack of, pack of, a row of, row of, a line of, rows of',
    {
      type: 'count',
      min: 3,
      max: null,
    },
  ),
  words(
    'counts',
    'many, lots of, a lot of, numerous, plenty of, loads of, tons of, dozens of, hundreds of, heaps of, a load of, a ton of, a swarm of, a convoy of',
    { type: 'count', min: 5, max: null },
  ),
  // "A crowd of 20"
  words(
    'counts',
    'crowd of, a crowd of',
    { type: 'count', min: 5, max: null },
    { type: 'noun', classes: ['person'], min: 5, plural: true },
  ),
  words(
    'counts',
    'group of, a group of, groups of',
    { type: 'count', min: 3, max: null },
    { type: 'noun', classes: ['person'], min: 3, plural: true },
  ),
  words(
    'counts',
    'at least, atleast, no fewer than, no less than, minimum, minimum of, a minimum of, not fewer than, not less than, no sooner than, no earlier than',
    {
      type: 'compare',
      compare: 'min',
    },
  ),
  words(
    'counts',
    'at most, atmost, up to, upto, no more than, maximum, maximum of, a maximum of, not more than, no later than, max, <=',
    {
      type: 'compare',
      compare: 'max',
    },
  ),
  words(
    'counts',
    'more than, over, above, greater than, longer than, later than, faster than, harder than, exceeding, exceeds, exceed, higher than, upwards of, stronger than, in excess of, rises above, goes above, gets above, larger than, quicker than, louder than, further than, farther than, more then, greater then, longer then, faster then, higher then',
    { type: 'compare', compare: 'above' },
  ),
  words(
    'counts',
    'less than, fewer than, sooner than, earlier than, drops below, falls below, goes below, dips below, drop below, fall below, under, below, shorter than, slower than, lower than, weaker than, closer than, nearer than, less then, fewer then, shorter then, slower then',
    {
      type: 'compare',
      compare: 'below',
    },
  ),
  words('counts', 'exactly, precisely, only, just', { type: 'compare', compare: 'exact' }),
];
