import { describe, expect, test } from 'vitest';
import { type JudgedAnswer, judge, type Verdict } from './judge.ts';
import { DIGESTS, readPrompts, type Truth } from './prompts.ts';
import { PARTS, RECIPES } from './recipes.ts';

type Coverage = JudgedAnswer['coverage'][number];

const CLIP = { durationS: 20, toleranceS: 0.5 };
const LOOKED_FOR: Coverage = { text: 'car', status: 'looked_for', by: ['objects'], reason: null, findings: 0 };
const PARTLY: Coverage = { ...LOOKED_FOR, status: 'partly', reason: 'the detector finds about 6 in 10' };
const NOT: Coverage = { ...LOOKED_FOR, text: 'a zeppelin', status: 'not_looked_for', reason: 'not understood' };

function reply(
  answer: string | null,
  times: readonly (readonly [number, number])[] = [],
  coverage: JudgedAnswer['coverage'] = [LOOKED_FOR],
  interpretation = 'Understood as: a car.',
): JudgedAnswer {
  const events = times.map(([startS, endS]) => ({
    startS,
    endS,
    confidence: 0.9,
    label: '',
    category: '',
    caveats: [],
  }));
  return { answer, events, coverage, interpretation };
}

const verdictOf = (truth: Truth, answer: JudgedAnswer) => judge({ truth }, answer, CLIP).verdict;

describe('an answer is compared with the truth', () => {
  test.each<[string, Truth, JudgedAnswer, Verdict]>([
    ['yes', { yes: true }, reply('Yes: car in view, 0:01.0 to 0:02.0.', [[1, 2]]), 'right'],
    ['no for yes', { yes: true }, reply('No: it was looked for and not found.'), 'silent'],
    ['yes for no', { yes: false }, reply('Yes: car in view, 0:01.0.', [[1, 2]]), 'misread'],
    ['no', { yes: false }, reply('No: it was looked for and not found.'), 'right'],
    ['no event for no', { yes: false }, reply(null), 'right'],
    ['events for no', { yes: false }, reply(null, [[1, 2]]), 'misread'],
    ['yes at its time', { yes: true, at: [[1, 3]] }, reply('Yes: car.', [[1, 2]]), 'right'],
    ['yes at another time', { yes: true, at: [[8, 9]] }, reply('Yes: car.', [[1, 2]]), 'misread'],
    ['not certain', { yes: true }, reply('Not certain: it was looked for and not found.'), 'refused'],

    ['count', { count: [3, 3] }, reply('2 cars and 1 truck: 0:01.0 to 0:02.0.', [[1, 2]]), 'right'],
    ['another count', { count: [3, 3] }, reply('4 cars, at most 3 at the same time.', [[1, 2]]), 'misread'],
    ['lower bound', { count: [5, 5] }, reply('At least 3 persons: 0:01.0.', [[1, 2]]), 'partly'],
    ['too high a lower bound', { count: [2, 2] }, reply('At least 3 persons: 0:01.0.', [[1, 2]]), 'misread'],
    ['none of two', { count: [2, 2] }, reply('0: it was looked for and not found.'), 'silent'],
    ['none of none', { count: [0, 0] }, reply('0: it was looked for and not found.'), 'right'],
    ['most at once', { count: [7, 9] }, reply('0:04.0 to 0:05.0, 8 at the same time.', [[4, 5]]), 'right'],
    ['events instead of a count', { count: [1, 1] }, reply(null, [[1, 2]]), 'misread'],

    ['duration', { seconds: [4, 5] }, reply('4.6 s in all, in 1 interval: 0:08.0 to 0:12.6.', [[8, 12.6]]), 'right'],
    ['a time is no duration', { seconds: [7, 9] }, reply('0:08.0 to 0:12.6.', [[8, 12.6]]), 'misread'],
    ['a single event states a duration', { seconds: [4, 5] }, reply(null, [[8, 12.6]]), 'right'],
    [
      'two events state none',
      { seconds: [4, 5] },
      reply(null, [
        [1, 3],
        [8, 10.6],
      ]),
      'misread',
    ],
    ['speed', { value: [42, 44] }, reply('11.9 m/s (43 km/h), at 0:02.0.'), 'right'],
    ['speed in m/s alone', { value: [42, 44] }, reply('12 m/s.'), 'right'],
    ['another speed', { value: [42, 44] }, reply('20 m/s (72 km/h).'), 'misread'],

    ['event', { events: [[1, 4]] }, reply(null, [[1.2, 4]]), 'right'],
    [
      'a false event',
      { events: [[1, 4]] },
      reply(null, [
        [1.2, 4],
        [9, 12],
      ]),
      'misread',
    ],
    [
      'one of two events',
      {
        events: [
          [1, 4],
          [9, 12],
        ],
      },
      reply(null, [[1.2, 4]]),
      'partly',
    ],
    [
      'one of four missed',
      {
        events: [
          [1, 3],
          [5, 7],
          [9, 11],
          [13, 15],
        ],
      },
      reply(null, [
        [1, 3],
        [5, 7],
        [9, 11],
      ]),
      'right',
    ],
    ['no event', { events: [[1, 4]] }, reply(null), 'silent'],
    [
      'an ambiguous event',
      { events: [[1, 4]], maybe: [[9, 12]] },
      reply(null, [
        [1, 4],
        [9, 12],
      ]),
      'right',
    ],
    [
      'interval',
      { during: [[0, 10]] },
      reply(null, [
        [0, 4],
        [5, 10],
      ]),
      'right',
    ],
    ['a fifth of an interval', { during: [[0, 10]] }, reply(null, [[0, 2]]), 'partly'],
    ['moment as a start', { moments: [5] }, reply('0:05.3 to 0:19.0.', [[5.3, 19]]), 'right'],
    ['moment as an end', { moments: [5] }, reply('0:01.0 to 0:05.3.', [[1, 5.3]]), 'right'],
    ['moment inside a long event', { moments: [5] }, reply('0:01.0 to 0:19.0.', [[1, 19]]), 'misread'],
    ['one of two moments', { moments: [5, 9] }, reply(null, [[5, 6]]), 'partly'],

    ['words', { says: 'left' }, reply('To the left at 0:01.0.', [[1, 2]]), 'right'],
    ['other words', { says: 'left' }, reply('To the right at 0:01.0.', [[1, 2]]), 'misread'],
    [
      'either or, answered twice',
      { says: 'white' },
      reply('Yes ("white"): car. Yes ("red"): car.', [[1, 2]]),
      'misread',
    ],
    ['words of the prompt alone', { says: 'white' }, reply('Nowhere ("the white one").'), 'misread'],
    [
      'words in a note',
      { says: 'left' },
      reply('0:01.0. Note: nothing is known of the left half.', [[1, 2]]),
      'misread',
    ],
  ])('%s', (_, truth, answer, verdict) => expect(verdictOf(truth, answer)).toBe(verdict));
});

describe('stated limits change the verdict', () => {
  test.each<[string, Truth, JudgedAnswer, Verdict]>([
    ['right, but a part is not read', { yes: true }, reply('Yes: car.', [[1, 2]], [LOOKED_FOR, NOT]), 'partly'],
    [
      'right, but a word is not checked',
      { events: [[1, 4]] },
      reply(null, [[1, 4]], [LOOKED_FOR], 'Understood as: a car; not checked: "shiny".'),
      'partly',
    ],
    [
      'a no that entails what is not read',
      { yes: false },
      reply('No: it was looked for.', [], [LOOKED_FOR, NOT]),
      'right',
    ],
    [
      'a no beside what is not known',
      { yes: false },
      reply('No ("car"): it was looked for. Not known for "a zeppelin": not understood.', [], [LOOKED_FOR, NOT]),
      'partly',
    ],
    [
      'right after a correction',
      { yes: true },
      reply('Yes: car.', [[1, 2]], [LOOKED_FOR], 'A car; "cra" read as "car".'),
      'right',
    ],
    ['right in a limited search', { yes: true }, reply('Yes: car.', [[1, 2]], [PARTLY]), 'right'],
    ['false, with a part not read', { yes: false }, reply('Yes: car.', [[1, 2]], [LOOKED_FOR, NOT]), 'wrong'],
    ['nothing, with a part not read', { events: [[1, 4]] }, reply(null, [], [NOT]), 'refused'],
    ['nothing in a limited search', { events: [[1, 4]] }, reply(null, [], [PARTLY]), 'refused'],
    [
      'a flat no in a limited search',
      { yes: true },
      reply('No: it was looked for. Note: 6 in 10.', [], [PARTLY]),
      'wrong',
    ],
    ['not known', { count: [3, 3] }, reply('Not known for "cars": not understood.', [], [NOT]), 'refused'],
    ['no count, with a part not read', { count: [3, 3] }, reply(null, [[1, 2]], [LOOKED_FOR, NOT]), 'refused'],
    ['nothing at all', { yes: true }, reply(null, [], []), 'refused'],
  ])('%s', (_, truth, answer, verdict) => expect(verdictOf(truth, answer)).toBe(verdict));
});

describe('a trap is right to be refused', () => {
  test.each<[string, JudgedAnswer, Verdict]>([
    ['the part is named', reply(null, [], [NOT]), 'refused'],
    ['not known', reply('Not known for "a zeppelin": not understood.', [], [NOT]), 'refused'],
    ['claimed to be looked for', reply(null, []), 'misread'],
    ['denied', reply('No: it was looked for and not found.'), 'misread'],
    ['reported', reply('Yes: zeppelin.', [[1, 2]]), 'misread'],
    ['reported, with a part not read', reply(null, [[1, 2]], [LOOKED_FOR, NOT]), 'wrong'],
  ])('%s', (_, answer, verdict) => expect(verdictOf({ refuse: true }, answer)).toBe(verdict));
});

test('each part has its own clips, each with a recipe, and each prompt one truth that can be judged', async () => {
  const truths = ['yes', 'count', 'seconds', 'value', 'events', 'during', 'moments', 'says', 'refuse'];
  for (const part of PARTS) {
    const clips = await readPrompts(part);
    const recipes = RECIPES.filter((each) => each.part === part).map(({ name }) => name);
    expect(clips.map(({ clip }) => clip).toSorted()).toEqual(recipes.toSorted());
    for (const { truth, obstacle, prompt } of clips.flatMap(({ prompts }) => prompts)) {
      const stated = Object.keys(truth).filter((name) => truths.includes(name));
      // Only of closed parts, so that a failure shows none of their prompts.
      expect(stated, part === 'open' ? prompt : part).toHaveLength(1);
      expect(obstacle === 'trap').toBe(truth.refuse === true);
    }
  }
  expect(new Set(RECIPES.map(({ name }) => name)).size).toBe(RECIPES.length);
  expect(Object.keys(DIGESTS)).toEqual(PARTS.filter((part) => part !== 'open'));
});
