import { describe, expect, it } from 'vitest';
import { ask, told } from '../ask.fixture.ts';
import { observations, signals, sound } from './observations.fixture.ts';

const ROOM = -40;

describe('sound', () => {
  it('finds silence, on frames', () => {
    const video = observations(20, { signals: signals(20), sound: sound(20, (t) => (t >= 6 && t < 10 ? -80 : ROOM)) });
    expect(told(ask('silence', video))).toEqual([['silence', 6, 10]]);
    expect(told(ask('sound', video))).toEqual(
      [
        ['sound', 0, 6],
        ['sound', 10, 20],
      ].map(([a, b, c]) => [a, b, expect.closeTo(Number(c), 0)]),
    );
  });

  it('does not take pauses for silence', () => {
    const video = observations(20, { sound: sound(20, (t) => (t % 2 < 0.5 ? -80 : ROOM)) });
    expect(told(ask('silence', video))).toEqual([]);
  });

  it('finds loud stretches', () => {
    const video = observations(20, { signals: signals(20), sound: sound(20, (t) => (t >= 6 && t < 8 ? -10 : ROOM)) });
    expect(told(ask('loud noise', video))).toEqual([['loud sound', 6, 8]]);
  });

  it('finds a bang, not a loud stretch that comes slowly, and says that its cause is not known', () => {
    const bang = observations(20, {
      signals: signals(20),
      sound: sound(
        20,
        (t) => (t >= 6 && t < 6.1 ? -8 : ROOM),
        (t) => (t >= 6 && t < 6.1 ? -1 : -30),
      ),
    });
    const answer = ask('gunshot', bang);
    expect(told(answer)).toEqual([['bang', 6, expect.closeTo(6.1, 0)]]);
    expect(answer.coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('what made it') });
    const swell = observations(20, { signals: signals(20), sound: sound(20, (t) => Math.min(-8, ROOM + t * 2)) });
    expect(told(ask('bang', swell))).toEqual([]);
  });

  it('does not take music that begins for a bang', () => {
    const music = observations(20, {
      signals: signals(20),
      sound: sound(
        20,
        (t) => (t < 5 ? -70 : -12),
        (t) => (t < 5 ? -60 : -3),
      ),
    });
    expect(told(ask('bang', music))).toEqual([]);
  });

  it('says when there is no sound track, and when it was not observed', () => {
    expect(ask('silence', observations(5, { signals: signals(5) })).coverage[0]!.reason).toBe(
      'the video has no sound track',
    );
    expect(ask('silence', observations(5, { hasAudio: true })).coverage[0]!.reason).toContain('not observed');
  });
});
