import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../../answer.fixture.ts';
import { objects, observations, signals, still } from '../../../find/observations.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const calculation = (prompt: string) => planner.planQuery(prompt).calculation;

/** Questions for the period with the most, and the words for the least. */
const QUESTIONS = [
  ['which minute has the most cars', 'the most', 'the fewest'],
  ['which minute has the most cars', 'the most', 'the least'],
  ['in which minute are there the most people', 'the most', 'the fewest'],
  ['in which minute do the most people enter', 'the most', 'the fewest'],
  ['which minute is the busiest', 'busiest', 'least busy'],
  ['the busiest minute', 'busiest', 'emptiest'],
  ['three busiest minutes', 'busiest', 'least crowded'],
] as const;

describe('the period with the least', () => {
  it.each(QUESTIONS)('%s: %s, %s', (prompt, most, least) => {
    const made = calculation(prompt)!;
    expect(made.rank).toMatchObject({ order: 'most' });
    expect(calculation(prompt.replace(most, least))).toEqual({ ...made, rank: { ...made.rank, order: 'least' } });
  });

  const size = () => [0.1, 0.2] as [number, number];
  // Three cars in the first minute, none in the second, one in the third, which ends after 20 s with one more.
  const video = observations(200, {
    signals: signals(200),
    objects: objects(200, [
      ...[0.1, 0.4, 0.7].map((x) => ({ className: 'car', from: 5, to: 50, at: still(x, 0.2), size })),
      { className: 'car', from: 125, to: 170, at: still(0.5, 0.7), size },
    ]),
  });
  it.each([
    ['which minute has the fewest cars', /^1:00\.0 to 2:00\.0, 0\./],
    ['which minute has the most cars', /^0:00\.0 to 1:00\.0, 3\./],
    ['the least busy minute', /^1:00\.0 to 2:00\.0, 0 at the same time/],
  ])('%s', (prompt, answer) => {
    expect(answerPrompt(prompt, video).answer).toMatch(answer);
  });

  it('is not a shorter one at the end', () => {
    const rest = observations(70, {
      signals: signals(70),
      objects: objects(70, [{ className: 'car', from: 5, to: 50, at: still(0.1, 0.2), size }]),
    });
    expect(answerPrompt('which minute has the fewest cars', rest).answer).toMatch(/^0:00\.0 to 1:00\.0, 1\./);
  });

  it('is not known where nothing was found', () => {
    const empty = observations(120, { signals: signals(120), objects: objects(120, []) });
    expect(answerPrompt('which minute has the fewest cars', empty).answer).toMatch(/^Not certain/);
  });
});
