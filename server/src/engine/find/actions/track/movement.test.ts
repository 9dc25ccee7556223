import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../../answer.fixture.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../../observations.fixture.ts';
import { parkedCar, redCar, video, visitor } from '../tracks.fixture.ts';

describe('moving', () => {
  it.each([
    ['car crosses from left to right', 1],
    ['car crosses from right to left', 0],
    ['car moves right', 1],
    ['car moves left', 0],
    ['a car drives by', 1],
    ['car stops', 0],
    ['car stands still', 0],
  ])('%s: %i', (prompt, count) => {
    expect(toRows(answerPrompt(prompt, video(20, redCar)))).toHaveLength(count);
  });

  it('is relative to the scene: a parked car does not move when the camera pans', () => {
    const seconds = 12;
    const panned = observations(seconds, {
      signals: signals(seconds, (t) => (t >= 3 && t < 9 ? { globalX: -0.1 } : {})),
      objects: objects(seconds, [
        { ...parkedCar, to: seconds, at: line(3, [0.85, 0.6], 9, [0.25, 0.6]), stationary: [[0, seconds]] },
      ]),
    });
    for (const prompt of ['car moves left', 'car moves', 'car crosses'])
      expect(toRows(answerPrompt(prompt, panned))).toEqual([]);
    expect(toRows(answerPrompt('parked car', panned))).toHaveLength(1);
  });

  it('measures size by the side that the frame edge does not cut', () => {
    // It comes in on the left, already past: more of its width shows while it shrinks.
    const passing: TrackSpec = {
      className: 'car',
      from: 0,
      to: 8,
      at: (t) => [Math.min(0.05 + 0.1 * t, 0.45), 0.6],
      size: (t) => [Math.min(0.1 + 0.2 * t, 0.3), 0.4 - 0.04 * t],
    };
    expect(toRows(answerPrompt('a car moves away', video(20, passing)))).toHaveLength(1);
    expect(toRows(answerPrompt('a car comes closer', video(20, passing)))).toEqual([]);
    const driving = observations(20, { signals: signals(20, () => ({ zoom: 0.3 })), objects: objects(20, [passing]) });
    expect(toRows(answerPrompt('a car overtakes', driving))).toHaveLength(1);
    // A fixed camera cannot be overtaken.
    expect(toRows(answerPrompt('a car overtakes', video(20, passing)))).toEqual([]);
  });

  it('finds objects that come closer or move away by their size', () => {
    const coming: TrackSpec = {
      className: 'car',
      from: 2,
      to: 8,
      at: still(0.5, 0.5),
      size: (t) => [0.05 + 0.03 * (t - 2), 0.04 + 0.03 * (t - 2)],
    };
    expect(toRows(answerPrompt('a car moves towards the camera', video(12, coming)))[0]![0]).toBe(
      'car moves towards the camera',
    );
    expect(toRows(answerPrompt('a car approaches', video(12, coming)))).toHaveLength(1);
    expect(toRows(answerPrompt('a car drives away', video(12, coming)))).toEqual([]);
  });

  it('finds stopping, standing and starting of one object', () => {
    const scene = video(20, visitor);
    expect(toRows(answerPrompt('a person stops', scene))).toEqual([['person stops', 8, 14]]);
    expect(toRows(answerPrompt('a person stands still for at least 5 seconds', scene))).toEqual([
      ['person stands still for 6 s', 8, 14],
    ]);
    expect(toRows(answerPrompt('a person stands still for at least 10 seconds', scene))).toEqual([]);
    expect(toRows(answerPrompt('a person starts moving', scene))[0]!.slice(1)).toEqual([14, 16]);
    expect(toRows(answerPrompt('a person stops', video(20, parkedCar)))).toEqual([]);
  });

  it('distinguishes a person who does not move from nobody moving', () => {
    expect(toRows(answerPrompt('a person who does not move', video(20, visitor)))[0]![0]).toBe('person does not move');
    expect(toRows(answerPrompt('nobody', video(20, visitor))).map(([, start, end]) => [start, end])).toEqual([
      [0, expect.closeTo(3.8, 1)],
      [expect.closeTo(18.2, 1), expect.closeTo(19.8, 1)],
    ]);
    expect(toRows(answerPrompt('nobody enters', video(20, visitor)))).toEqual([]);
    expect(toRows(answerPrompt('no dog enters', video(20, visitor)))).toEqual([
      ['no dog enters', 0, expect.closeTo(19.8, 1)],
    ]);
  });

  it('finds loitering of ten seconds, or of the requested duration', () => {
    const seconds = 60;
    const loiterer: TrackSpec = { className: 'person', from: 5, to: 45, at: (t) => [0.5 + 0.1 * Math.sin(t), 0.6] };
    expect(toRows(answerPrompt('someone loiters', video(seconds, loiterer)))).toEqual([
      ['person stays in one place for 40 s', 5, 45],
    ]);
    expect(toRows(answerPrompt('someone loiters for more than a minute', video(seconds, loiterer)))).toEqual([]);
    expect(toRows(answerPrompt('someone loiters', video(seconds, { ...redCar, className: 'person' })))).toEqual([]);
  });
});
