import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const plan = (prompt: string) => summarizePlan(planner.planQuery(prompt));

/** Comparisons, with the place of a word for how much in each. */
const COMPARISONS: readonly ((much: string) => string)[] = [
  (much) => `is it ${much} louder at the end`,
  (much) => `is the room ${much} busier at the end`,
  (much) => `is the red car ${much} faster than the blue car`,
  (much) => `is the dog ${much} bigger than the cat`,
  (much) => `are there ${much} more cars than people`,
  (much) => `are we ${much} faster in the second half`,
];

describe('a small difference', () => {
  it.each(COMPARISONS.map((comparison) => [comparison('slightly'), comparison]))('%s', (_, comparison) => {
    const plain = plan(comparison('').replace('  ', ' '));
    expect(plain).not.toContain('unknown');
    for (const much of ['slightly', 'a bit', 'a little', 'somewhat']) expect(plan(comparison(much))).toBe(plain);
  });

  it.each(COMPARISONS.map((comparison) => [comparison('much'), comparison]))('is less than in: %s', (_, comparison) => {
    for (const much of ['much', 'a lot', 'far']) expect(plan(comparison(much))).toContain('unknown');
  });
});

describe('places in a row', () => {
  it.each(['from', 'counting from', 'counted from', 'starting from', 'beginning from'])('%s the left', (counted) => {
    expect(plan(`the second car ${counted} the left`)).toBe('leftmost 2-2: car present');
  });
});

describe('what is quieter', () => {
  it.each(['is it quieter at the end', 'is it a bit quieter at the end'])('%s: the sound', (prompt) => {
    expect(plan(prompt)).toContain('mean loudness');
  });

  it('is a place with fewer people', () => {
    expect(plan('is the street quieter at the end')).toContain('mean_count');
  });
});
