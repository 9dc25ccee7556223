import { describe, expect, it } from 'vitest';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const targetOf = (prompt: string) => {
  const [search, ...others] = planner.planQuery(prompt).searches;
  expect(others).toEqual([]);
  const what = search!.steps[0]!.what;
  if (what.kind !== 'object') throw new Error(`${prompt} is about ${what.kind}`);
  return { ...what, relation: what.relation! };
};

const SUBJECTS = ['a dog', 'a car', 'a bag', 'a man', 'a bike'] as const;
const NEXT_TO = ['next to', 'near', 'behind', 'with'] as const;
const WEARERS = ['a person in blue', 'the man in blue', 'a woman dressed in blue', 'someone in blue'] as const;

describe('a color behind a person beside something is what the person wears', () => {
  it.each(SUBJECTS.flatMap((subject) => NEXT_TO.map((relation) => `${subject} ${relation}`)))('%s', (beside) => {
    for (const wearer of WEARERS) {
      const { subject, relation } = targetOf(`${beside} ${wearer}`);
      expect(subject.colors).toEqual([]);
      expect(relation.other).toMatchObject({ classes: ['person'], colors: ['blue'] });
    }
  });

  it.each(['passes', 'approaches', 'stops near', 'walks towards', 'goes to'])('of a verb, too: a dog %s', (verb) => {
    for (const wearer of WEARERS) {
      const { subject, relation } = targetOf(`a dog ${verb} ${wearer}`);
      expect(subject.colors).toEqual([]);
      expect(relation.other).toMatchObject({ classes: ['person'], colors: ['blue'] });
    }
  });

  it('leaves the colors of what they are beside', () => {
    for (const noun of ['car', 'bag', 'man']) {
      const { subject, relation } = targetOf(`a red ${noun === 'man' ? 'car' : noun} next to a man in blue`);
      expect([subject.colors, relation.other.colors]).toEqual([['red'], ['blue']]);
    }
    const { subject, relation } = targetOf('a man in red next to a man in blue');
    expect([subject.colors, relation.other.colors]).toEqual([['red'], ['blue']]);
  });
});

it('belongs to the person where what is behind it wears nothing', () => {
  for (const prompt of ['a person with a dog in red', 'a person on a bike in red', 'a person in red with a dog']) {
    const { subject, relation } = targetOf(prompt);
    expect([subject.classes, subject.colors, relation.other.colors]).toEqual([['person'], ['red'], []]);
  }
});

describe('"who"', () => {
  const isRefused = (prompt: string) =>
    planner.planQuery(prompt).searches.every(({ steps }) => steps.some(({ what }) => what.kind === 'unknown'));

  it.each(['runs', 'stops', 'is walking'])('is the person, and no dog or car beside one: %s', (verb) => {
    for (const noun of ['dog', 'car']) expect(isRefused(`a ${noun} near a person who ${verb}`)).toBe(true);
    for (const beside of ['a man with a dog', 'people near a car'])
      expect(isRefused(`${beside} who ${verb.replace('is', beside.startsWith('people') ? 'are' : 'is')}`)).toBe(false);
  });
});

describe('"that"', () => {
  it.each([
    ['a man who carries a bag that is red', { colors: ['red'] }],
    ['a person next to a car that is white', { colors: ['white'] }],
  ])('describes the noun before it: %s', (prompt, other) => {
    const { subject, relation } = targetOf(prompt);
    expect(subject.colors).toEqual([]);
    expect(relation.other).toMatchObject(other);
  });
});

it.each(['few people', 'very few cars', 'hardly any dogs', 'are there few cars'])('%s: not several', (prompt) => {
  const [step] = planner.planQuery(prompt).searches[0]!.steps;
  expect(step!.unchecked.map(({ reason }) => reason)).toEqual([expect.stringContaining('write a number')]);
});

it.each(['a few people', 'in the last few seconds'])('%s: several', (prompt) => {
  const { searches, window } = planner.planQuery(prompt);
  expect(searches[0]!.steps[0]!.unchecked).toEqual([]);
  expect(window === null ? searches[0]!.steps[0]!.what : window).toMatchObject(
    window === null ? { subject: { count: { min: 3 } } } : { from: -3 },
  );
});
