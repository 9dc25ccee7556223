import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { objects, observations, signals, type TrackSpec } from '../../find/observations.fixture.ts';
import type { MeasuredObject } from '../types.ts';
import { pace } from './index.ts';

const object = (own: number | null = null): MeasuredObject => ({
  boxes: [{ width: 0.1, height: 0.1 }],
  pace: () => own,
});

describe('pace', () => {
  it('is the mean of those that have one, in any order', () => {
    expect(pace.calculate([object(1), object(3)])).toBe(2);
    expect(pace.calculate([object(3), object(), object(1)])).toBe(2);
  });

  it('lies between the least and the greatest, and is not known of what is in single frames', () => {
    expect(pace.calculate([object(0.5), object(0.9), object(2)])).toBeGreaterThanOrEqual(0.5);
    expect(pace.calculate([object(0.5), object(0.9), object(2)])).toBeLessThanOrEqual(2);
    expect(pace.calculate([object()])).toBeNull();
  });
});

describe('a comparison of paces', () => {
  const walker = (className: string, at: TrackSpec['at']): TrackSpec => ({
    className,
    from: 0.5,
    to: 19.5,
    at,
    size: () => [0.08, 0.3],
  });
  const answerTo = (prompt: string, ...tracks: TrackSpec[]) =>
    answerPrompt(prompt, observations(20, { signals: signals(20), objects: objects(20, tracks) })).answer;
  /** Slow for ten seconds, then three times as fast. */
  const faster = walker('person', (t) => [0.05 + 0.02 * Math.min(t, 10) + 0.06 * Math.max(0, t - 10), 0.5]);

  it('is made between two objects', () => {
    const slow = walker('cat', (t) => [0.05 + 0.01 * t, 0.3]);
    const quick = walker('dog', (t) => [0.05 + 0.04 * t, 0.7]);
    expect(answerTo('is the dog faster than the cat', quick, slow)).toMatch(
      /^Yes: .*lengths per second; .*lengths per/,
    );
    expect(answerTo('is the cat faster than the dog', quick, slow)).toMatch(/^No: /);
    expect(answerTo('which is faster, the cat or the dog', quick, slow)).toMatch(/^Faster in the picture: a dog/);
  });

  it('is made between two parts of the video', () => {
    expect(answerTo('does the person walk faster in the second half', faster)).toMatch(/^Yes: /);
    expect(answerTo('does the person walk slower in the second half', faster)).toMatch(/^No: /);
    const even = walker('person', (t) => [0.05 + 0.04 * t, 0.5]);
    expect(answerTo('does the person walk faster in the second half', even)).toMatch(/^Not certain, they are about/);
  });

  it('is made between the times before and after an event', () => {
    const car: TrackSpec = { className: 'car', from: 10, to: 20, at: () => [0.5, 0.85], size: () => [0.2, 0.2] };
    expect(answerTo('does the person walk faster after the car appears', faster, car)).toMatch(/^Yes: /);
  });
});
