import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { observations, signals } from '../observations.fixture.ts';

const between = (from: number, to: number) => (t: number) => t >= from && t < to;

describe('camera motion', () => {
  it.each([
    ['camera pans right', { globalX: -0.3 }, 'camera pans right'],
    ['camera pans left', { globalX: 0.3 }, 'camera pans left'],
    ['camera tilts up', { globalY: 0.3 }, 'camera tilts up'],
    ['camera tilts down', { globalY: -0.3 }, 'camera tilts down'],
    ['camera turns left', { globalX: 0.3 }, 'camera turns left'],
    ['camera zooms in', { zoom: 0.2 }, 'camera zooms in'],
    ['camera zooms out', { zoom: -0.2 }, 'camera zooms out'],
    ['camera moves forward', { zoom: 0.2 }, 'camera moves forward'],
    ['camera moves backward', { zoom: -0.2 }, 'camera moves backward'],
    ['camera moves', { globalX: 0.1, globalY: 0.1 }, 'camera moves'],
  ])('"%s" is found at its motion', (prompt, motion, label) => {
    const during = between(5, 8);
    const video = observations(12, { signals: signals(12, (t) => (during(t) ? motion : {})) });
    expect(toRows(answerPrompt(prompt, video))).toEqual([[label, expect.closeTo(5, 0), expect.closeTo(8, 0)]]);
    expect(toRows(answerPrompt(prompt, observations(12, { signals: signals(12) })))).toEqual([]);
  });

  it('distinguishes left from right', () => {
    const video = observations(12, { signals: signals(12, (t) => (t > 5 && t < 8 ? { globalX: 0.3 } : {})) });
    expect(toRows(answerPrompt('camera pans right', video))).toEqual([]);
    expect(toRows(answerPrompt('camera pans', video))[0]![0]).toBe('camera pans left');
  });

  it('distinguishes a zoom from a drive by parallax', () => {
    const drive = observations(12, { signals: signals(12, () => ({ zoom: 0.2, localMotion: 0.15 })) });
    expect(toRows(answerPrompt('camera zooms in', drive))).toEqual([]);
    expect(toRows(answerPrompt('camera moves forward', drive))).toHaveLength(1);
  });

  it('does not report a camera as still if its motion could not be measured', () => {
    const slow = observations(60, {
      signals: signals(60, (t) => (t < 20 || t > 40 ? { difference: 30 } : { zoom: 0.2 }), 1),
    });
    expect(toRows(answerPrompt('camera stops', slow))).toEqual([]);
  });

  it('does not mistake a large passing object for camera motion', () => {
    const wobble = (t: number) =>
      t >= 5 && t < 5.8 ? { globalY: 0.08 } : t >= 5.8 && t < 6.6 ? { globalY: -0.08 } : {};
    const video = observations(12, { signals: signals(12, wobble) });
    for (const prompt of ['camera moves', 'camera stops', 'camera starts'])
      expect(toRows(answerPrompt(prompt, video))).toEqual([]);
  });

  it('does not mistake a short jerk for a turn', () => {
    const video = observations(12, { signals: signals(12, (t) => (t > 5 && t < 5.6 ? { globalX: 0.3 } : {})) });
    expect(toRows(answerPrompt('camera turns left', video))).toEqual([]);
  });

  it('finds stops and starts, not the stillness of a fixed camera', () => {
    const video = observations(20, {
      signals: signals(20, (t) => (t < 8 || t >= 14 ? { zoom: 0.2, globalX: 0.05 } : {})),
    });
    expect(toRows(answerPrompt('the camera stops', video))).toEqual([
      ['camera stops', expect.closeTo(8, 0), expect.closeTo(14, 0)],
    ]);
    expect(toRows(answerPrompt('the camera starts', video))).toEqual(
      [['camera starts moving', expect.closeTo(14, 0), 20]].map(([a, b]) => [a, b, expect.closeTo(20, 0)]),
    );
    expect(toRows(answerPrompt('the camera stops', observations(20, { signals: signals(20) })))).toEqual([]);
  });

  it('finds braking as decreasing forward motion, and reports that its strength is unknown', () => {
    const rate = (t: number) => (t < 8 ? 0.2 : Math.max(0.01, 0.2 - 0.15 * (t - 8)));
    const video = observations(16, { signals: signals(16, (t) => ({ zoom: rate(t) })) });
    const answer = answerPrompt('hard braking', video);
    expect(answer.events).toEqual([]);
    expect(answer.candidates).toHaveLength(1);
    expect(answer.candidates[0]!.startS).toBeGreaterThan(7.5);
    expect(answer.candidates[0]!.startS).toBeLessThan(10);
    expect(answerPrompt('braking', video).events).toHaveLength(1);
    expect(answer.coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('telemetry') });
    const scenery = observations(16, { signals: signals(16, (t) => ({ zoom: t < 8 ? 0.2 : 0.08 })) });
    expect(toRows(answerPrompt('hard braking', scenery))).toEqual([]);
    expect(
      toRows(answerPrompt('hard braking', observations(16, { signals: signals(16, () => ({ zoom: 0.2 })) }))),
    ).toEqual([]);
  });

  it('does not measure quantities from frames', () => {
    const answer = answerPrompt(
      'braking harder than 3 m/s²',
      observations(16, { signals: signals(16, () => ({ zoom: 0.2 })) }),
    );
    expect(answer).toMatchObject({
      events: [],
      coverage: [{ status: 'not_looked_for', reason: expect.stringContaining('telemetry') }],
    });
  });
});
