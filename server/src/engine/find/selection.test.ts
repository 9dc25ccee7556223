import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../answer.fixture.ts';
import { redCar, video } from './actions/tracks.fixture.ts';
import { line, observations, signals, still, type TrackSpec } from './observations.fixture.ts';

const passing = (from: number) => ({
  ...redCar,
  from,
  to: from + 2,
  at: line(from, [0.05, 0.6], from + 2, [0.95, 0.6]),
});

describe('one of several', () => {
  const scene = video(20, passing(1), passing(6), passing(12));

  it.each([
    ['the first red car', 1],
    ['the second red car', 6],
    ['the third car', 12],
  ])('%s', (prompt, startS) => {
    const events = toRows(answerPrompt(prompt, scene));
    expect(events).toHaveLength(1);
    expect(events[0]![1]).toBeCloseTo(startS, 0);
  });

  it('that was not found is not certain, and the count is stated as a limit', () => {
    const answer = answerPrompt('when does the fourth car enter', scene);
    expect(answer).toMatchObject({ events: [], answer: expect.stringMatching(/^Not certain/) });
    expect(answer.coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('the fourth') });
  });
});

describe('what follows one of several', () => {
  const bystander = (from: number): TrackSpec => ({ className: 'person', from, to: from + 1.5, at: still(0.5, 0.8) });
  const scene = (...times: number[]) => video(24, passing(1), passing(6), passing(12), ...times.map(bystander));
  const startsOf = (prompt: string, ...times: number[]) =>
    toRows(answerPrompt(prompt, scene(...times))).map(([, startS]) => Math.round(Number(startS)));

  it('is all that follows it, and not one of what follows any of them', () => {
    const count = (prompt: string) => answerPrompt(prompt, scene(3, 10, 16)).answer;
    expect(count('how many people appear after the first car enters')).toMatch(/^(?:At least )?3 /);
    expect(count('how many people appear after the second car enters')).toMatch(/^(?:At least )?2 /);
    expect(count('how many people appear after the third car enters')).toMatch(/^(?:At least )?1 /);
    expect(count('how many people appear after the last car enters')).toMatch(/^(?:At least )?1 /);
  });

  it('follows that one, and no other where nothing does', () => {
    expect(startsOf('a person appears after the second car enters', 3, 9)).toEqual([6]);
    expect(startsOf('a person appears after the second car enters', 3)).toEqual([]);
    expect(startsOf('a person appears after the last car leaves', 3, 9)).toEqual([]);
    expect(startsOf('a person appears after all cars have left', 3, 9, 16)).toEqual([14]);
  });

  it('is named with what it is one of', () => {
    const { interpretation } = answerPrompt('a person appears after the second car enters', scene(9));
    expect(interpretation).toMatch(/car.* \(only the second\), then .*person/);
  });
});

describe('the whole time', () => {
  const dark = (until: number) => observations(20, { signals: signals(20, (t) => (t < until ? { luma: 20 } : {})) });

  it('holds only from the start to the end', () => {
    expect(answerPrompt('is it dark', dark(10)).answer).toMatch(/^Yes/);
    expect(answerPrompt('is it dark the whole time', dark(10)).answer).toMatch(/^No/);
    expect(answerPrompt('is it dark the whole time', dark(21)).answer).toMatch(/^Yes/);
    expect(answerPrompt('is it always dark in the first 5 seconds', dark(10)).answer).toMatch(/^Yes/);
  });
});
