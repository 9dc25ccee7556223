import { expect, it } from 'vitest';
import { summarizePlan } from '../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../index.ts';

const planner = createPlanner();

it.each([
  ['summarise in three sentences', 'describe? notable'],
  ['summarize the video in at most 3 short sentences.', 'describe? notable'],
  ['in one sentence, describe what happens', 'describe? notable'],
  ['what happens, in ten words', 'describe? notable'],
  // The place of something, not the length of an answer.
  ['a person in two lines', 'person present !lines'],
])('reads "%s" as %s', (prompt, expected) => {
  expect(summarizePlan(planner.planQuery(prompt))).toBe(expected);
});

it('keeps the whole prompt, which a model is shown', () => {
  expect(planner.planQuery('summarise in three sentences').query).toBe('summarise in three sentences');
});
