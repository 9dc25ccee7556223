import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const planOf = (prompt: string) => summarizePlan(planner.planQuery(prompt));

const SUBJECTS = [
  ['a car', 'car'],
  ['a person', 'person'],
  ['the dog', 'dog'],
] as const;
const PAIRS = [
  ['enters', 'enter', 'leaves', 'leave', 'leaving'],
  ['appears', 'appear', 'stops', 'stop', 'stopping'],
  ['stops', 'stop', 'leaves', 'leave', 'leaving'],
] as const;

describe('what an object does not do meanwhile', () => {
  it.each(SUBJECTS)('is of the same object, however it is said: %s', (subject, name) => {
    for (const [finite, base, other, plain, ing] of PAIRS) {
      const plan = `${name} ${finite} while same ${name} idle ${other}`;
      for (const prompt of [
        `${subject} ${finite} without ${ing}`,
        `${subject} ${finite} but never ${other}`,
        `${subject} that ${finite} but doesn't ${plain}`,
        `${subject} ${finite} and does not ${plain}`,
      ])
        expect(planOf(prompt), prompt).toBe(plan);
      expect(planOf(`does ${subject} ${base} without ${ing}`)).toBe(`yes_no? ${plan}`);
    }
  });

  it.each(['cars', 'people', 'dogs'])('is so of several: %s', (plural) => {
    const singular = planOf(`${plural} that enter but never leave`);
    for (const prompt of [`${plural} that enter but don't leave`, `${plural} that enter and don't leave`])
      expect(planOf(prompt), prompt).toBe(singular);
  });

  it('is refused where nobody can see it', () => {
    const [search] = planner.planQuery('a person leaves without paying').searches;
    expect(search!.steps.some(({ unchecked }) => unchecked.some(({ blocks }) => blocks))).toBe(true);
  });
});

describe('an object that stays', () => {
  it.each(SUBJECTS)('is in view: %s', (subject, name) => {
    for (const where of ['in view', 'visible'])
      expect(planOf(`${subject} stays ${where} for 5 seconds`)).toBe(`${name} present for 5.. s`);
    expect(planOf(`${subject} remains in view`)).toBe(`${name} present`);
  });
});
