import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../answer.fixture.ts';
import { redCar, video, visitor } from './actions/tracks.fixture.ts';
import { line, objects, observations, signals } from './observations.fixture.ts';

describe('sequences', () => {
  const scene = video(20, { ...redCar, from: 1, to: 3, at: line(1, [0.05, 0.6], 3, [0.95, 0.6]) }, visitor);

  it.each([
    ['a car enters, then a person enters', 1],
    ['a person enters, then a car enters', 0],
    ['a person enters after a car leaves', 1],
    ['a person enters after a dog leaves', 0],
    ['a car leaves before a person enters', 1],
    ['a person enters within 3 seconds after a car leaves', 1],
    ['a person enters within 0.5 seconds after a car leaves', 0],
    ['a person enters at least 0.5 seconds after a car leaves', 1],
    ['a person enters at least 3 seconds after a car leaves', 0],
    ['a person enters and leaves', 1],
    ['a person enters, leaves at least 2 seconds later', 1],
    ['a person enters, stops and leaves', 1],
    ['a car enters and stops', 0],
    ['a person stands still while there is no car', 1],
    ['a person stands still while a car is visible', 0],
  ])('%s: %i', (prompt, count) => {
    expect(toRows(answerPrompt(prompt, scene))).toHaveLength(count);
  });

  it('are reported from the first step to the last, with one label', () => {
    expect(toRows(answerPrompt('a person enters, stops and leaves', scene))).toEqual([
      ['person enters from the right, then stops, then leaves to the right', 4, 18],
    ]);
  });

  it('combine objects and signals', () => {
    const lights = observations(20, {
      signals: signals(20, (t) => (t > 10 ? { luma: 30 } : {})),
      objects: objects(20, [visitor]),
    });
    expect(toRows(answerPrompt('the light goes off while a person stands still', lights))).toHaveLength(1);
    expect(toRows(answerPrompt('a person enters while it is dark', lights))).toEqual([]);
  });

  it('are not searched if one step cannot be searched', () => {
    const answer = answerPrompt('a car enters, then a person jumps', scene);
    expect(answer.events).toEqual([]);
    expect(answer.coverage.map((c) => [c.text, c.status])).toEqual([
      ['car enters', 'looked_for'],
      ['person jumps', 'not_looked_for'],
      ['jumps', 'not_looked_for'],
    ]);
  });
});
