import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { observations, signals, sound } from '../observations.fixture.ts';

const ROOM = -40;

describe('sound', () => {
  it('finds silence, aligned to frames', () => {
    const video = observations(20, { signals: signals(20), sound: sound(20, (t) => (t >= 6 && t < 10 ? -80 : ROOM)) });
    expect(toRows(answerPrompt('silence', video))).toEqual([['silence', 6, 10]]);
    expect(toRows(answerPrompt('sound', video))).toEqual(
      [
        ['sound', 0, 6],
        ['sound', 10, 20],
      ].map(([a, b, c]) => [a, b, expect.closeTo(Number(c), 0)]),
    );
  });

  it('does not mistake pauses for silence', () => {
    const video = observations(20, { sound: sound(20, (t) => (t % 2 < 0.5 ? -80 : ROOM)) });
    expect(toRows(answerPrompt('silence', video))).toEqual([]);
  });

  it('finds loud intervals', () => {
    const video = observations(20, { signals: signals(20), sound: sound(20, (t) => (t >= 6 && t < 8 ? -10 : ROOM)) });
    expect(toRows(answerPrompt('loud noise', video))).toEqual([['loud sound', 6, 8]]);
  });

  it('finds a bang but not a slow rise, and reports that its cause is unknown', () => {
    const bang = observations(20, {
      signals: signals(20),
      sound: sound(
        20,
        (t) => (t >= 6 && t < 6.1 ? -8 : ROOM),
        (t) => (t >= 6 && t < 6.1 ? -1 : -30),
      ),
    });
    const answer = answerPrompt('gunshot', bang);
    expect(toRows(answer)).toEqual([]);
    expect(toRows({ ...answer, events: answer.candidates })).toEqual([['bang', 6, expect.closeTo(6.1, 0)]]);
    expect(toRows(answerPrompt('a bang', bang))).toEqual([['bang', 6, expect.closeTo(6.1, 0)]]);
    expect(answer.coverage[0]).toMatchObject({
      status: 'partly',
      reason: expect.stringContaining('looked for as any bang'),
    });
    const silent = observations(20, { signals: signals(20), sound: sound(20, () => ROOM) });
    expect(answerPrompt('is there a gunshot?', silent).answer).toMatch(/^Not certain/);
    const mute = observations(20, { signals: signals(20), sound: sound(20, () => -80) });
    expect(answerPrompt('is there a gunshot?', mute).answer).toMatch(/^No:/);
    const swell = observations(20, { signals: signals(20), sound: sound(20, (t) => Math.min(-8, ROOM + t * 2)) });
    expect(toRows(answerPrompt('bang', swell))).toEqual([]);
  });

  it('does not mistake starting music for a bang', () => {
    const music = observations(20, {
      signals: signals(20),
      sound: sound(
        20,
        (t) => (t < 5 ? -70 : -12),
        (t) => (t < 5 ? -60 : -3),
      ),
    });
    expect(toRows(answerPrompt('bang', music))).toEqual([]);
  });

  it('reports a missing audio track, and missing observations', () => {
    expect(answerPrompt('silence', observations(5, { signals: signals(5) })).coverage[0]!.reason).toBe(
      'the video has no audio track',
    );
    expect(answerPrompt('silence', observations(5, { hasAudio: true })).coverage[0]!.reason).toContain('not processed');
  });
});
