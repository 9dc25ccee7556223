import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../../answer.fixture.ts';
import { line, objects, observations, signals, still } from '../../../find/observations.fixture.ts';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const plan = (prompt: string) => summarizePlan(planner.planQuery(prompt));
const calculation = (prompt: string) => planner.planQuery(prompt).calculation;

/** Comparisons with "more", and the same with a multiple of the second value. */
const MULTIPLES: readonly [plain: string, times: (by: string) => string][] = [
  ['are there more cars than trucks', (by) => `are there ${by} as many cars as trucks`],
  ['do more people enter than leave', (by) => `do ${by} as many people enter as leave`],
  [
    'are there more cars at the end than at the start',
    (by) => `are there ${by} as many cars at the end as at the start`,
  ],
  ['is the dog bigger than the cat', (by) => `is the dog ${by} as big as the cat`],
  ['is the red car bigger than the white one', (by) => `is the red car ${by} as big as the white one`],
  ['does the man walk faster than the dog', (by) => `does the man walk ${by} as fast as the dog`],
  ['does the car stand longer than the truck', (by) => `does the car stand ${by} as long as the truck`],
  ['are we faster after the bang', (by) => `are we ${by} as fast after the bang`],
  ['do we drive faster at the end', (by) => `do we drive ${by} as fast at the end`],
  ['is the dog bigger at the end', (by) => `is the dog ${by} as big at the end`],
];

const FACTORS = {
  twice: { min: 2, max: null },
  'three times': { min: 3, max: null },
  half: { min: null, max: 0.5 },
  'at least twice': { min: 2, max: null },
  'at most three times': { min: null, max: 3 },
} as const;

describe('so many times as much', () => {
  it.each(MULTIPLES.map(([plain, times]) => [times('twice'), plain, times] as const))('%s', (_, plain, times) => {
    const { compare, ...values } = calculation(plain)!;
    expect(compare).toBe('more');
    for (const [by, range] of Object.entries(FACTORS)) {
      expect(calculation(times(by))).toEqual({ ...values, compare: 'ratio', range });
      expect(planner.planQuery(times(by)).searches.map(({ steps }) => steps.map(({ what }) => what))).toEqual(
        planner.planQuery(plain).searches.map(({ steps }) => steps.map(({ what }) => what)),
      );
    }
  });

  it('is not said of loudness, which is measured in decibels', () => {
    expect(plan('is it twice as loud at the end')).toContain('unknown');
  });
});

describe('so many more', () => {
  it.each([
    ['are there two more cars than trucks', { min: 2, max: null }],
    ['are there exactly two more cars than trucks', { min: 2, max: 2 }],
    ['are there at least two more cars than trucks', { min: 2, max: null }],
    ['does the car stand 10 seconds longer than the truck', { min: 10, max: null }],
  ] as const)('%s', (prompt, range) => {
    expect(calculation(prompt)).toMatchObject({ compare: 'difference', range });
  });
});

describe('so many fewer', () => {
  it.each([
    ['are there two fewer cars than trucks', 'are there two more trucks than cars'],
    ['does the car stand 10 seconds shorter than the truck', 'does the truck stand 10 seconds longer than the car'],
  ])('%s: the second has so many more', (fewer, more) => {
    expect(plan(fewer)).toBe(plan(more));
  });
});

describe('how much more', () => {
  it.each([
    ['how many times more cars than trucks are there', 'ratio'],
    ['how much bigger is the dog than the cat', 'ratio'],
    ['how much longer does the car stand than the truck', 'difference'],
    ['how much faster are we after the bang', 'difference'],
    ['how much faster do we drive at the end', 'difference'],
    ['how much louder is it at the end', 'difference'],
    ['how much busier is the room at the end', 'difference'],
  ])('%s', (prompt, compare) => {
    expect(calculation(prompt)).toMatchObject({ compare });
    expect(calculation(prompt)!.range).toBeUndefined();
  });
});

describe('another one of the same', () => {
  it.each([
    ['is the first car bigger than the second', 'is the first car bigger than the second car'],
    ['is the first car bigger than the second one', 'is the first car bigger than the second car'],
    ['does the first car stand longer than the last', 'does the first car stand longer than the last car'],
    ['is the first car bigger than the last one', 'is the first car bigger than the last car'],
    ['is the second stop longer than the first', 'is the second stop longer than the first stop'],
  ])('%s', (short, long) => {
    const whats = (prompt: string) =>
      planner
        .planQuery(prompt)
        .searches.map(({ pick, steps }) => [pick, steps.map(({ what }) => ({ ...what, subject: null }))]);
    expect(plan(long)).not.toContain('unknown');
    expect(whats(short)).toEqual(whats(long));
    expect(calculation(short)).toEqual(calculation(long));
  });

  it('is not read where the first has no place', () => {
    expect(plan('is the car bigger than the second')).toContain('unknown');
  });
});

describe('answers with a margin', () => {
  const size = () => [0.1, 0.2] as [number, number];
  const parked = [0.1, 0.3, 0.5, 0.7].flatMap((x) => [still(x, 0.2), still(x, 0.45)]);
  const video = observations(20, {
    signals: signals(20),
    objects: objects(20, [
      ...parked.map((at) => ({ className: 'car', from: 0, to: 20, at, size })),
      { className: 'person', from: 2, to: 6, at: line(2, [0.2, 0.8], 6, [0.8, 0.8]), size },
      { className: 'person', from: 10, to: 18, at: line(10, [0.2, 0.8], 18, [0.8, 0.8]), size },
    ]),
  });
  // Of eight cars and two people, one or two may have been missed.
  it.each([
    ['are there twice as many cars as people', /^Yes, 4 times: a car in view, 8; a person in view, 2\./],
    ['are there seven times as many cars as people', /^No, 4 times: /],
    ['are there four times as many cars as people', /^Not certain, 4 times: /],
    ['are there half as many people as cars', /^Yes, 0\.25 times: /],
    ['how many times more cars than people are there', /^About 4 times \([\d.]+ to [\d.]+\): a car in view, 8; /],
    ['are there two more cars than people', /^Yes: a car in view, 8; a person in view, 2\./],
    ['are there twelve more cars than people', /^No: /],
    ['are there exactly six more cars than people', /^Not certain: /],
    ['are there two fewer people than cars', /^Yes: /],
    ['how much longer is the second person in view than the first', /^4 s in all longer: .*8 s in all.*4 s in all/],
    ['is the second person in view at least 3 seconds longer than the first', /^Yes: /],
    ['is the second person in view 9 seconds longer than the first', /^No: /],
  ])('%s', (prompt, answer) => {
    expect(answerPrompt(prompt, video).answer).toMatch(answer);
  });
});
