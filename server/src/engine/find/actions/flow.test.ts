import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { line, objects, observations, signals, type TrackSpec } from '../observations.fixture.ts';
import { video } from './tracks.fixture.ts';

/** A car that drives at a height of the frame, to the right or left. */
const car = (from: number, lane: number, isLeft = false): TrackSpec => ({
  className: 'car',
  from,
  to: from + 4,
  at: isLeft ? line(from, [0.95, lane], from + 4, [0.05, lane]) : line(from, [0.05, lane], from + 4, [0.95, lane]),
});
const oneWay = [car(0, 0.4), car(3, 0.6), car(6, 0.4), car(9, 0.6)];
const twoWay = [car(0, 0.3), car(5, 0.3), car(10, 0.3), car(0, 0.7, true), car(5, 0.7, true), car(10, 0.7, true)];

const ask = (prompt: string, ...tracks: TrackSpec[]) => {
  const { answer, events, candidates } = answerPrompt(prompt, video(20, ...tracks));
  return [answer!.split(/[:,.(]/)[0]!.trim(), events.length, candidates.length];
};

describe('against the direction of most others', () => {
  it.each([
    ['is a car driving the other way', oneWay, ['No', 0, 0]],
    ['is a car driving the other way', [...oneWay, car(12, 0.5, true)], ['Yes', 1, 0]],
    // Which way is allowed is not known.
    ['does a car drive the wrong way', [...oneWay, car(12, 0.5, true)], ['Not certain', 0, 1]],
    ['does a car drive the wrong way', twoWay, ['No', 0, 0]],
    ['does a car drive the wrong way', [...twoWay, car(15, 0.7)], ['Not certain', 0, 1]],
    ['does a car drive the wrong way', oneWay.slice(0, 2), ['Not known for "car drive the wrong way"', 0, 0]],
    // People are not compared with cars.
    ['does somebody walk in the opposite direction', oneWay, ['No', 0, 0]],
  ])('%s (%#)', (prompt, tracks, expected) => {
    expect(ask(prompt, ...tracks)).toEqual(expected);
  });

  it('is not compared while the camera drives', () => {
    const drive = observations(20, {
      signals: signals(20, () => ({ advance: 0.1, localMotion: 0.2 })),
      objects: objects(20, oneWay),
    });
    expect(answerPrompt('is a car driving the other way', drive).answer).toMatch(/^Not known.*fixed cameras only/);
  });

  it('states what was compared', () => {
    const { interpretation, coverage, events } = answerPrompt(
      'is a car driving the other way',
      video(20, ...oneWay, car(12, 0.5, true)),
    );
    expect(interpretation).toMatch(/a car that moves in the opposite direction to most others/);
    expect(coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('most others') });
    expect(events[0]!.explanation).toMatch(/against 4 of 4 others/);
  });
});
