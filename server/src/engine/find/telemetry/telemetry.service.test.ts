import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { footage, hasFootage } from '#test/footage';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import type { Observations } from '../../observe/observations.ts';
import { createTelemetry, type TelemetrySample } from '../../observe/telemetry/samples.ts';
import { observations, signals } from '../observations.fixture.ts';

const read = (source: string, samples: TelemetrySample[]) => ({
  telemetry: createTelemetry(source, samples),
  reason: null,
});

/** A video with blank frames and measurements at `hertz`. */
function measured(
  seconds: number,
  sample: (t: number) => Omit<TelemetrySample, 'timeS'>,
  hertz = 10,
  fps = 25,
): Observations {
  const samples = Array.from({ length: seconds * hertz }, (_, i) => ({ timeS: i / hertz, ...sample(i / hertz) }));
  return observations(seconds, {
    signals: signals(seconds, () => ({}), fps),
    telemetry: read('test', samples),
  });
}

/** 20 m/s, braking by `rate` from 10 s to a stop, starting again at 60 s. */
const drive = (rate: number) => (t: number) => ({
  speedMps: t < 60 ? Math.max(0, 20 - rate * Math.max(0, t - 10)) : Math.min(20, 2 * (t - 60)),
});

const spansOf = (prompt: string, video: Observations) =>
  answerPrompt(prompt, video).events.map(({ startS, endS }) => [Math.round(startS), Math.round(endS)]);

describe('quantities', () => {
  it.each([
    ['faster than 80 km/h', 60, (t: number) => ({ speedMps: t > 20 && t < 30 ? 25 : 20 }), 20, 30],
    ['slower than 20 mph', 60, (t: number) => ({ speedMps: t > 20 && t < 30 ? 8 : 20 }), 20, 30],
    ['braking harder than 3 m/s²', 90, drive(5), 10, 14],
    ['acceleration over 1.5 m/s²', 90, drive(5), 60, 70],
    [
      'turning faster than 20 degrees per second',
      30,
      (t: number) => ({ yawRateDps: t > 10 && t < 13 ? -30 : 2 }),
      10,
      13,
    ],
    [
      'lateral acceleration above 0.4 g',
      30,
      (t: number) => ({ speedMps: 10, yawRateDps: t > 10 && t < 13 ? 30 : 2 }),
      10,
      13,
    ],
  ])('"%s" is found where it was measured', (prompt, seconds, sample, from, to) => {
    const answer = answerPrompt(prompt, measured(seconds, sample));
    expect(answer.events).toHaveLength(1);
    const { startS, endS, evidence, explanation } = answer.events[0]!;
    expect(Math.abs(startS - from)).toBeLessThan(0.6);
    expect(Math.abs(endS - to)).toBeLessThan(0.6);
    expect(evidence.signals[0]).toMatchObject({ value: expect.any(Number), unit: expect.any(String) });
    expect(explanation).toMatch(/at (most|least) \(threshold/);
    expect(answer.coverage[0]!.by).toEqual(['telemetry (test)']);
  });

  it('is exact to the frame between samples a second apart', () => {
    const [finding] = answerPrompt(
      'faster than 10 m/s',
      measured(30, (t) => ({ speedMps: t }), 1),
    ).events;
    expect(finding!.startS).toBeCloseTo(10, 1);
  });

  it.each([
    ['faster than 36 km/h', 'speed above 36 km/h'],
    ['faster than 20 mph', 'speed above 20 mph'],
    ['faster than 10 m/s', 'speed above 10 m/s'],
  ])('"%s" is labeled in its own unit', (prompt, label) => {
    const sample = (t: number) => ({ speedMps: t });
    expect(answerPrompt(prompt, measured(30, sample, 1)).events.map((event) => event.label)).toEqual([label]);
  });

  it('braking of 2 is not braking harder than 3', () => {
    expect(answerPrompt('braking harder than 3 m/s²', measured(90, drive(2))).events).toEqual([]);
  });

  it('finds nothing across a gap', () => {
    const video = measured(60, (t) => (t < 20 || t > 40 ? { speedMps: 30 } : {}));
    expect(spansOf('faster than 80 km/h', video)).toEqual([
      [0, 20],
      [40, 60],
    ]);
    expect(toRows(answerPrompt('slower than 20 km/h', video))).toEqual([]);
    expect(
      answerPrompt(
        'slower than 20 km/h',
        measured(60, (t) => (t < 20 ? { speedMps: 30 } : {})),
      ).coverage[0],
    ).toMatchObject({
      status: 'partly',
      reason: expect.stringContaining('telemetry covers 3'),
    });
  });

  it('reports the reason if there is no telemetry', () => {
    const video = {
      ...observations(9, { signals: signals(9) }),
      telemetry: { telemetry: null, reason: 'the file that came beside the video cannot be used: it is empty' },
    };
    expect(answerPrompt('faster than 80 km/h', video).coverage[0]).toMatchObject({
      status: 'not_looked_for',
      by: [],
      reason: expect.stringContaining('it is empty, and speed cannot'),
    });
    const still = measured(9, () => ({ altitudeM: 5 }));
    expect(answerPrompt('faster than 80 km/h', still).coverage[0]).toMatchObject({
      status: 'not_looked_for',
      reason: expect.stringContaining('does not contain speed'),
    });
  });

  it('finds peaks between frames far apart', () => {
    const jerk = (t: number) => ({ accelerationMps2: t > 20 && t < 21 ? -5 : 0 });
    expect(answerPrompt('braking harder than 3 m/s²', measured(60, jerk, 10, 0.2)).events).toHaveLength(1);
  });
});

describe('vehicle motion', () => {
  const spans = (prompt: string, video: Observations) =>
    answerPrompt(prompt, video).events.map(({ label, startS, endS }) => [label, Math.round(startS), Math.round(endS)]);

  it.each([
    ['hard braking', 5, [['camera brakes hard', 10, 14]]],
    ['hard braking', 2, []],
    ['the camera slows down', 2, [['camera slows down', 10, 20]]],
    ['the camera stops', 5, [['camera stops', 14, 60]]],
    ['the camera starts', 5, [['camera starts moving', 60, 90]]],
    ['ego vehicle stopped for over 30 seconds', 5, [['camera is still', 14, 60]]],
    ['ego vehicle stopped for over 60 seconds', 5, []],
  ] as const)('"%s" at %d m/s²', (prompt, rate, expected) => {
    expect(spans(prompt, measured(90, drive(rate)))).toEqual(expected);
  });

  it('finds turns by angle, and sharp turns by rate', () => {
    const turn = (rate: number, seconds: number) =>
      measured(30, (t) => ({ yawRateDps: t >= 10 && t < 10 + seconds ? rate : 0.5 }));
    expect(spans('left turn', turn(15, 6))).toEqual([['camera turns left', 10, 16]]);
    expect(spans('sharp left turn', turn(15, 6))).toEqual([]);
    expect(spans('sharp left turn', turn(35, 3))).toEqual([['camera turns sharply left', 10, 13]]);
    expect(spans('right turn', turn(35, 3))).toEqual([]);
    expect(spans('right turn', turn(-15, 6))).toEqual([['camera turns right', 10, 16]]);
    // A change of lane.
    expect(spans('left turn', turn(10, 2))).toEqual([]);
  });

  it('uses the frames for pans, and for everything that was not measured', () => {
    const picture = signals(12, (t) => (t > 5 && t < 8 ? { globalX: 0.3 } : {}));
    const video = (sample: Omit<TelemetrySample, 'timeS'>) =>
      observations(12, {
        signals: picture,
        telemetry: read('test', [
          { timeS: 0, ...sample },
          { timeS: 11, ...sample },
        ]),
      });
    expect(answerPrompt('camera pans left', video({ speedMps: 0 })).coverage[0]!.by).toEqual([
      'signals (motion of the whole frame)',
    ]);
    expect(answerPrompt('camera turns left', video({ altitudeM: 3 })).coverage[0]!.by).toEqual([
      'signals (motion of the whole frame)',
    ]);
  });
});

describe.runIf(hasFootage)('a minute of a real drive (comma2k19, car bus)', () => {
  const column = (name: string) => {
    const bytes = readFileSync(footage(`telemetry/comma2k19_seg40/${name}.npy`));
    const start = 10 + bytes.readUInt16LE(8);
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length));
  };
  const drive = () => {
    const [times, speeds] = [column('CAN_speed_t'), column('CAN_speed_value')];
    const samples = Array.from(times, (time, i) => ({ timeS: time - times[0]!, speedMps: speeds[i]! }));
    return observations(60, { signals: signals(60), telemetry: read('car', samples) });
  };

  it('finds braking at the labels, but no hard braking and no stop', () => {
    const slow = answerPrompt('the camera slows down', drive()).events;
    expect(slow.some(({ startS, endS }) => startS < 58.4 && endS > 59.4)).toBe(true);
    for (const prompt of ['hard braking', 'braking harder than 3 m/s²', 'the camera stops', 'faster than 90 km/h'])
      expect(toRows(answerPrompt(prompt, drive()))).toEqual([]);
    const gained = answerPrompt('acceleration over 1 m/s²', drive()).events.filter(({ endS }) => endS < 10);
    expect(gained.reduce((sum, { startS, endS }) => sum + endS - startS, 0)).toBeGreaterThan(5);
  });
});
