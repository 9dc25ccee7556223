import { describe, expect, it } from 'vitest';
import { createPlanner, type Plan } from '../../index.ts';

const planner = createPlanner();
const plan = (prompt: string) => planner.planQuery(prompt);

/** Words for a value, with a question that requests it alone; those of one group have the same measure. */
const VALUES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  count: [
    ['the number of cars', 'how many cars are there'],
    ['the number of people entering', 'how many people enter'],
    ['number of dogs near a car', 'how many dogs are near a car'],
    ['the number of bangs', 'how many bangs'],
    ['the number of left turns', 'how many left turns'],
  ],
  longest: [
    ['the longest time a car stands', 'what is the longest time a car stands'],
    ['the longest time a person loiters', 'what is the longest time a person loiters'],
  ],
  mean_count: [
    ['the average number of cars', 'what is the average number of cars'],
    ['the average number of people', 'what is the average number of people'],
  ],
};
const PAIRS = Object.values(VALUES).flatMap((values) =>
  values.flatMap((a) => values.filter((b) => a !== b).map((b) => [a, b] as const)),
);

/** The searches of a plan, without their words. */
const searchesOf = ({ searches }: Plan) =>
  searches.map(({ steps, pick }) => ({ pick, steps: steps.map(({ text: _, ...step }) => step) }));
const measureOf = ({ calculation }: Plan) => calculation?.values[0]?.measure ?? 'count';

describe.each([
  ['A minus B', 'difference'],
  ['difference between A and B', 'difference'],
  ['is A greater than B', 'more'],
  ['is A lower than B?', 'less'],
  ['tell me whether A is greater than B', 'more'],
])('"%s"', (wording, compare) => {
  it.each(PAIRS.map(([a, b]) => [wording.replace('A', a[0]).replace('B', b[0]), a[1], b[1]]))(
    '"%s" is calculated from the values of both questions',
    (prompt, a, b) => {
      const [made, first, second] = [plan(prompt), plan(a), plan(b)];
      expect(made.calculation).toMatchObject({ compare });
      expect(made.calculation!.values.map(({ measure }) => measure)).toEqual([measureOf(first), measureOf(second)]);
      expect(searchesOf(made)).toEqual([...searchesOf(first), ...searchesOf(second)]);
    },
  );
});

it('compares no values of different measures', () => {
  for (const [a] of VALUES.count!)
    for (const [b] of VALUES.longest!)
      expect(
        plan(`${a} minus ${b}`).searches.every(({ steps }) => steps.some(({ what }) => what.kind === 'unknown')),
      ).toBe(true);
});

describe('a question whether something is so', () => {
  it.each([
    'there are more cars than trucks',
    'more people enter than leave',
    'it is dark most of the time',
    'nobody is there for half of the video',
    'a car stops',
    'two people are near a dog',
  ])('"%s" is the same behind words that ask for it', (statement) => {
    const [first, ...others] = ['tell me if', 'check whether', 'i want to know if', 'can you tell me whether'].map(
      (opening) => plan(`${opening} ${statement}`),
    );
    expect(first!.searches.some(({ steps }) => steps.some(({ what }) => what.kind === 'unknown'))).toBe(false);
    for (const other of others) {
      expect(searchesOf(other)).toEqual(searchesOf(first!));
      expect([other.question, other.calculation]).toEqual([first!.question, first!.calculation]);
    }
  });
});

describe('the longest time', () => {
  it.each(['without people', 'without motion', 'with silence', 'when nobody is there', 'when it is dark'])(
    '%s is found by every question for it',
    (what) => {
      const plain = plan(`longest time ${what}`);
      for (const opening of ["what's the", 'what is the', 'what was the', 'show me the', 'find the', 'tell me the'])
        expect(searchesOf(plan(`${opening} longest time ${what}`))).toEqual(searchesOf(plain));
    },
  );
});
