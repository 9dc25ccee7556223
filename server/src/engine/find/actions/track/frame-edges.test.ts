import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../../answer.fixture.ts';
import { line, objects, observations, signals, type TrackSpec } from '../../observations.fixture.ts';

const video = (...tracks: TrackSpec[]) => observations(12, { signals: signals(12), objects: objects(12, tracks) });
const count = (prompt: string, ...tracks: TrackSpec[]) => toRows(answerPrompt(prompt, video(...tracks))).length;

describe('coming and going', () => {
  /** At 3 s half of it is in the frame; its other side continues to move in. */
  const comes: TrackSpec = {
    className: 'person',
    from: 3,
    to: 9,
    at: (t) => [Math.min(0.05 + 0.05 * (t - 3), 0.3), 0.6],
    size: () => [0.1, 0.3],
    enteredFrom: 'left',
  };
  /** A box over the whole frame that shrinks to the object: its other side does not move. */
  const shrinks: TrackSpec = {
    ...comes,
    at: (t) => [t < 3.5 ? 0.48 : 0.7, 0.5],
    size: (t) => (t < 3.5 ? [0.95, 0.99] : [0.5, 0.5]),
  };

  it('applies to boxes that move as a whole, not to boxes that shrink or grow at the edge', () => {
    expect(count('a person enters', comes)).toBe(1);
    expect(count('a person enters', shrinks)).toBe(0);
    const turned = ({ at, size }: TrackSpec) => ({ at: (t: number) => at(12 - t), size: (t: number) => size!(12 - t) });
    const goes: TrackSpec = { className: 'person', from: 3, to: 9, ...turned(comes), leftTo: 'left' };
    expect(count('a person leaves', goes)).toBe(1);
    expect(count('a person leaves', { ...goes, ...turned(shrinks) })).toBe(0);
    expect(answerPrompt('a person', video(shrinks)).events[0]!.label).toBe('person in view');
  });

  it('at the start of the video is judged by the size of the object, however small', () => {
    const small = (way: number): TrackSpec => ({
      className: 'person',
      from: 0,
      to: 9,
      at: line(0, [0.01, 0.6], 2, [0.01 + way, 0.6]),
      size: () => [0.02, 0.06],
    });
    expect(count('a person enters from the left', small(0.06))).toBe(1);
    expect(count('a person enters from the left', small(0.004))).toBe(0);
  });
});

describe('coming in or leaving on a side', () => {
  const inside = (x: number): TrackSpec => ({ className: 'person', from: 3, to: 9, at: () => [x, 0.6] });

  it('may be through a door inside of the frame: a candidate', () => {
    const { events, answer } = answerPrompt('does a person come in on the right hand side', video(inside(0.8)));
    expect(events).toEqual([]);
    expect(answer).toMatch(/^Not certain: .* 1 candidate /);
    expect(answerPrompt('does a person come in on the left hand side', video(inside(0.8))).answer).toMatch(/^No: /);
    expect(answerPrompt('does a person leave on the right', video(inside(0.8))).answer).toMatch(/^Not certain: /);
  });
});

describe('moving', () => {
  it('continues over a short pause', () => {
    const pausing = (pauseS: number): TrackSpec => ({
      className: 'car',
      from: 0,
      to: 11,
      at: (t) => [t < 4 ? 0.1 + 0.08 * t : 0.42 + 0.08 * Math.max(0, t - 4 - pauseS), 0.6],
    });
    expect(count('a car moves right', pausing(1))).toBe(1);
    expect(count('a car moves right', pausing(3))).toBe(2);
  });
});

describe('passing', () => {
  const car = (x0: number, x1: number): TrackSpec => ({
    className: 'car',
    from: 2,
    to: 8,
    at: line(2, [x0, 0.6], 8, [x1, 0.6]),
  });

  it('applies to opposite directions, even if one object is first detected beside the other', () => {
    expect(count('a car passes a car', car(0.48, 0.9), car(0.5, 0.1))).toBe(1);
    expect(count('a car passes a car', car(0.5, 0.9), car(0.48, 0.1))).toBe(0);
  });

  it('does not apply to objects that move in the same direction', () => {
    expect(count('a car passes a car', car(0.48, 0.7), car(0.5, 0.69))).toBe(0);
  });
});
