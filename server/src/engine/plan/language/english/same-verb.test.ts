import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const planOf = (prompt: string) => summarizePlan(planner.planQuery(prompt));

const PAIRS = [
  ['the motorcycle', 'the car'],
  ['the red car', 'the white car'],
  ['the dog', 'the cat'],
  ['the person in red', 'the dog'],
] as const;
const VERBS = [
  ['leave', 'leaves'],
  ['enter', 'enters'],
  ['stop', 'stops'],
  ['appear', 'appears'],
] as const;

describe('the verb of the other one', () => {
  it.each(PAIRS)('is that of the question: %s and %s', (one, other) => {
    for (const [base, finite] of VERBS)
      for (const order of ['before', 'after']) {
        const whole = planOf(`does ${one} ${base} ${order} ${other} ${finite}`);
        expect(whole).toContain(finite);
        expect(planOf(`does ${one} ${base} ${order} ${other}`)).toBe(whole);
        expect(planOf(`does ${one} ${base} ${order} ${other} does`)).toBe(whole);
        expect(planOf(`did ${one} ${base} ${order} ${other} did`)).toBe(whole);
      }
  });

  it.each(PAIRS)('is that of the statement: %s and %s', (one, other) => {
    for (const [, finite] of VERBS)
      for (const order of ['before', 'after']) {
        const whole = planOf(`${one} ${finite} ${order} ${other} ${finite}`);
        expect(planOf(`${one} ${finite} ${order} ${other}`)).toBe(whole);
        expect(planOf(`${one} ${finite} ${order} ${other} does`)).toBe(whole);
      }
  });

  it('is that of "the white one"', () => {
    expect(planOf('does the red car stop before the white one')).toBe(
      planOf('does the red car stop before the white car stops'),
    );
  });

  it.each([
    ['does the car stop before the pedestrian', 'a pedestrian'],
    ['does a person enter before a car', 'a car'],
    ['does the car stop before the traffic light', 'a traffic light'],
  ])('is not repeated where the other one only has to be in view: %s', (prompt, there) => {
    const [question] = prompt.split(' before ');
    expect(planOf(prompt)).toBe(planOf(`${question} before there is ${there}`));
  });

  it('is refused where the sentence has no verb', () => {
    expect(planOf('is there a dog before the man does')).toContain('!does');
  });
});
