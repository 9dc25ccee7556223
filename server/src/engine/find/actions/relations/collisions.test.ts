import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../../answer.fixture.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../../observations.fixture.ts';

const SIZE = (): [number, number] => [0.15, 0.15];
const FPS = 10;

/** A car that drives to the right along the middle, and does not stop. */
const passing: TrackSpec = { className: 'car', from: 0, to: 8, at: line(0, [0.1, 0.6], 8, [0.9, 0.6]), size: SIZE };
/** It stops at once in the middle, after four seconds. */
const crashing: TrackSpec = { ...passing, at: line(0, [0.1, 0.6], 4, [0.5, 0.6]) };
/** A truck in its way. */
const standing = (x: number, y = 0.6): TrackSpec => ({
  className: 'truck',
  from: 0,
  to: 8,
  at: still(x, y),
  size: SIZE,
  stationary: [[0, 8]],
});
const cyclist: TrackSpec = { className: 'bicycle', from: 0, to: 8, at: still(0.6, 0.6), size: SIZE };

const street = (fps: number, ...tracks: TrackSpec[]) =>
  observations(8, { signals: signals(8), objects: objects(8, tracks, fps) });
const ask = (prompt: string, ...tracks: TrackSpec[]) => {
  const { answer, events, candidates } = answerPrompt(prompt, street(FPS, ...tracks));
  expect(events).toEqual([]);
  return [answer!.split(/[:,.(]/)[0]!.trim(), candidates.map(({ label }) => label)];
};

describe('collisions of objects', () => {
  it.each([
    ['any accident?', [crashing, standing(0.64)], ['Not certain', ['car is in a collision']]],
    ['did the car hit a truck', [crashing, standing(0.64)], ['Not certain', ['car is in a collision with a truck']]],
    // It stops without having met anything.
    ['any accident?', [crashing, standing(0.9)], ['No', []]],
    // It passes in front of what stands farther back.
    ['any accident?', [passing, standing(0.5, 0.5)], ['No', []]],
    // It passes in front, at the same depth as the detector sees it, and does not slow down.
    ['did anybody crash', [passing, standing(0.5)], ['No', []]],
    ['any accident?', [passing], ['No', []]],
    // Few trucks and buses are found.
    ['did a truck collide with a bus', [crashing, cyclist], ['Not certain', []]],
  ])('%s (%#)', (prompt, tracks, expected) => {
    expect(ask(prompt, ...tracks)).toEqual(expected);
  });

  it('are not looked for where frames are too far apart or the detector is too weak', () => {
    expect(answerPrompt('any accident?', street(1, crashing, standing(0.64))).answer).toMatch(/^Not known.*apart/);
    const dark = observations(8, { signals: signals(8, () => ({ luma: 20 })), objects: objects(8, [passing], FPS) });
    expect(answerPrompt('any accident?', dark).answer).toMatch(/^Not certain/);
  });

  it('states what was looked for', () => {
    const { interpretation, coverage } = answerPrompt('any accident?', street(FPS, passing));
    expect(interpretation).toBe('Understood as: a vehicle or bicycle that is in a collision; whether it happens.');
    expect(coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('two boxes that meet') });
  });
});

/** A drive: the scene comes closer, until the vehicle stops within some time. */
const drive = (stopS: number | null, joltAt: number | null = null) =>
  observations(12, {
    signals: signals(12, (t) => {
      const rate = stopS === null ? 0.1 : 0.1 * Math.max(0, Math.min(1, 1 - (t - 6) / stopS));
      const isJolt = joltAt !== null && Math.abs(t - joltAt) < 0.03;
      return { advance: rate, localMotion: 0.2, difference: 5, ...(isJolt ? { globalY: 0.9 } : {}) };
    }),
    objects: objects(12, [{ ...passing, to: 12, at: still(0.5, 0.5) }], FPS),
  });

describe('collisions of the recording vehicle', () => {
  it.each([
    ['did we hit anything', drive(null), /^No: .*a light touch is not found/, 0],
    ['did we crash', drive(4), /^No/, 0],
    ['did we crash', drive(0.2), /^Not certain/, 1],
    ['did i hit a car', drive(null, 6), /^Not certain/, 1],
  ])('%s (%#)', (prompt, footage, answer, candidates) => {
    const found = answerPrompt(prompt, footage);
    expect(found.answer).toMatch(answer);
    expect([found.events.length, found.candidates.length]).toEqual([0, candidates]);
  });

  it('are named apart from those of other vehicles, which may not be known', () => {
    const { answer } = answerPrompt('any accident?', { ...drive(null), objects: null });
    expect(answer).toMatch(
      /^No \("recording vehicle jolts [^"]*"\): .* Not known for "a vehicle or bicycle that is in a collision": /,
    );
  });

  it('are accidents in a drive, as those of other vehicles are', () => {
    const { interpretation, answer } = answerPrompt('any accident?', drive(null));
    expect(interpretation).toMatch(/recording vehicle jolts or stops at once, as in a collision; a vehicle or bicycle/);
    expect(answer).toMatch(/^No .*No /);
  });
});
