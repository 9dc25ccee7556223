import { describe, expect, test } from 'vitest';
import { createScene } from '../find/index.ts';
import { objects, observations, signals, sound, still } from '../find/observations.fixture.ts';
import type { SparsePass } from '../observe/observations.ts';
import { createPlanner } from '../plan/index.ts';
import { SHORT_S, selectCloserLook, selectFirstPass } from './select-pass.ts';

const { planQuery } = createPlanner();

describe('the first pass of fast mode', () => {
  test.each([
    ['a person walking', 'dense'],
    ['scene changes', 'dense'],
    ['how many cars are there?', 'dense'],
    ['what happens?', 'dense'],
    ['a car for more than 3 seconds', 'dense'],
    ['a person', 'sparse'],
    ['is there a red car?', 'sparse'],
    ['the picture is dark', 'sparse'],
    ['silence', 'sparse'],
    ['a pothole in the road', 'sparse'],
  ])('of a short video for "%s" is %s', (prompt, pass) => {
    expect(selectFirstPass(planQuery(prompt), 20)).toBe(pass);
    expect(selectFirstPass(planQuery(prompt), SHORT_S + 1)).toBe('sparse');
    expect(selectFirstPass(planQuery(prompt), null)).toBe('sparse');
  });
});

describe('a closer look after the sparse pass of a short video', () => {
  const sparse = (durationS: number, { detector = true } = {}) => {
    const sampled: SparsePass = {
      signals: signals(durationS),
      objects: detector ? objects(durationS, [{ className: 'car', from: 0, to: 4, at: still(0.5, 0.5) }]) : null,
      sound: sound(durationS, () => -30),
      quiet: [],
    };
    return createScene({ ...observations(durationS, sampled), sparsePass: sampled });
  };

  test.each([
    ['a person', true],
    ['a car', false],
    ['a person enters', true],
    ['silence', false],
    ['a pothole in the road', false],
    ['a car and a person walking', true],
  ])('for "%s": %s', (prompt, expected) => {
    expect(selectCloserLook(planQuery(prompt), sparse(20))).toBe(expected ? 'whole' : null);
  });

  test('is not taken where it cannot help: without a detector, or when every frame was observed', () => {
    expect(selectCloserLook(planQuery('a person'), sparse(20, { detector: false }))).toBeNull();
    expect(selectCloserLook(planQuery('a person'), createScene(observations(20, { signals: signals(20) })))).toBeNull();
  });
});
