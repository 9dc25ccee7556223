import { describe, expect, it } from 'vitest';
import { ask, told } from '../ask.fixture.ts';
import { observations, signals } from './observations.fixture.ts';

const between = (from: number, to: number) => (t: number) => t >= from && t < to;

describe('motion of the camera', () => {
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
  ])('"%s" is found where the picture moves so', (prompt, motion, label) => {
    const during = between(5, 8);
    const video = observations(12, { signals: signals(12, (t) => (during(t) ? motion : {})) });
    expect(told(ask(prompt, video))).toEqual([[label, expect.closeTo(5, 0), expect.closeTo(8, 0)]]);
    expect(told(ask(prompt, observations(12, { signals: signals(12) })))).toEqual([]);
  });

  it('tells left from right', () => {
    const video = observations(12, { signals: signals(12, (t) => (t > 5 && t < 8 ? { globalX: 0.3 } : {})) });
    expect(told(ask('camera pans right', video))).toEqual([]);
    expect(told(ask('camera pans', video))[0]![0]).toBe('camera pans left');
  });

  it('does not take a short jerk for a turn', () => {
    const video = observations(12, { signals: signals(12, (t) => (t > 5 && t < 5.6 ? { globalX: 0.3 } : {})) });
    expect(told(ask('camera turns left', video))).toEqual([]);
  });

  it('finds stops and starts, not the stillness of a fixed camera', () => {
    const video = observations(20, {
      signals: signals(20, (t) => (t < 8 || t >= 14 ? { zoom: 0.2, globalX: 0.05 } : {})),
    });
    expect(told(ask('the camera stops', video))).toEqual([
      ['camera stops', expect.closeTo(8, 0), expect.closeTo(14, 0)],
    ]);
    expect(told(ask('the camera starts', video))).toEqual(
      [['camera starts moving', expect.closeTo(14, 0), 20]].map(([a, b]) => [a, b, expect.closeTo(20, 0)]),
    );
    expect(told(ask('the camera stops', observations(20, { signals: signals(20) })))).toEqual([]);
  });

  it('sees braking as forward motion that slows down, and says that its strength is not known', () => {
    const rate = (t: number) => (t < 8 ? 0.2 : Math.max(0.05, 0.2 - 0.15 * (t - 8)));
    const video = observations(16, { signals: signals(16, (t) => ({ zoom: rate(t) })) });
    const answer = ask('hard braking', video);
    expect(answer.findings).toHaveLength(1);
    expect(answer.findings[0]!.startS).toBeGreaterThan(7.5);
    expect(answer.findings[0]!.startS).toBeLessThan(9);
    expect(answer.coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('telemetry') });
    expect(told(ask('hard braking', observations(16, { signals: signals(16, () => ({ zoom: 0.2 })) })))).toEqual([]);
  });

  it('does not measure quantities from the picture', () => {
    const answer = ask('braking harder than 3 m/s²', observations(16, { signals: signals(16, () => ({ zoom: 0.2 })) }));
    expect(answer).toMatchObject({
      findings: [],
      coverage: [{ status: 'not_looked_for', reason: expect.stringContaining('telemetry') }],
    });
  });
});
