import { describe, expect, it, test } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import {
  type ChannelColumn,
  createChannels,
  MAX_CHANNEL_SAMPLES,
  MAX_CHANNELS,
} from '../../observe/telemetry/channels.ts';
import { telemetry as observer } from '../../observe/telemetry/observer.ts';
import { createTelemetry } from '../../observe/telemetry/samples.ts';
import { observations, signals } from '../observations.fixture.ts';
import { findSwings } from './trends.ts';

type Values = (timeS: number) => number;

/** A recording of 60 s with channels at 10 Hz, by name; `unit` behind a colon. */
function recording(channels: Record<string, Values>, speed: Values | null = null) {
  const timeS = Array.from({ length: 600 }, (_, i) => i / 10);
  const columns = Object.entries(channels).map(([key, values]): ChannelColumn => {
    const [name = '', unit = null] = key.split(':');
    return { name, unit, timeS, values: timeS.map(values) };
  });
  const recorded = createChannels(columns);
  const measured =
    speed &&
    createTelemetry(
      'test',
      timeS.map((time) => ({ timeS: time, speedMps: speed(time) })),
    );
  return observations(60, {
    signals: signals(60),
    telemetry: { telemetry: measured, reason: null, ...(recorded && { recorded }) },
  });
}

const battery: Values = (t) => 80 - t;
const rowsOf = (prompt: string, channels: Record<string, Values>) =>
  answerPrompt(prompt, recording(channels)).events.map(({ label, startS, endS }) => [
    label,
    Math.round(startS),
    Math.round(endS),
  ]);

describe('a direction of the compass', () => {
  // From 350° on, by 20° in the minute, and the same written both ways from 0.
  const turning: Values = (t) => (350 + t / 3) % 360;
  const signed: Values = (t) => (turning(t) > 180 ? turning(t) - 360 : turning(t));

  it.each([
    [
      'average heading',
      { 'nav/heading:°': turning },
      /^359\.9\d* ° on average|^360 ° on average|^0(\.\d+)? ° on average/,
    ],
    ['average heading', { 'nav/heading:°': signed }, /^-?0(\.\d+)? ° on average/],
    ['how much did the heading increase', { 'nav/heading:°': turning }, /^Rose by 19\.\d* °, from 350 °/],
    ['does the heading fall', { 'nav/heading:°': turning }, /^No/],
    ['average joint angle', { 'arm/joint_angle:°': (t: number) => (t < 30 ? 359 : 1) }, /^18\d(\.\d+)? ° on average/],
  ])('%s of %o', (prompt, channels, answer) => {
    expect(answerPrompt(prompt, recording(channels as Record<string, Values>)).answer).toMatch(answer);
  });
});

describe('a channel', () => {
  it.each([
    ['battery below 30 %', { 'battery/level:%': battery }, [['battery/level below 30 %', 50, 60]]],
    [
      'battery below 30 %',
      { 'battery/percentage': (t: number) => battery(t) / 100 },
      [['battery/percentage below 30 %', 50, 60]],
    ],
    [
      'motor temperature above 50 °C',
      { 'motor/temp:°F': (t: number) => 32 + 1.8 * (t + 10) },
      [['motor/temp above 50 °C', 40, 60]],
    ],
    ['temperature below -10 °C', { 'temp:°C': (t: number) => 5 - t }, [['temp below -10 °C', 15, 60]]],
    [
      'when does joint 3 move',
      { 'arm/joint_3': (t: number) => Math.min(1, Math.max(0, (t - 20) / 10)) },
      [['arm/joint_3 changes', 21, 30]],
    ],
    [
      'is the oil pressure rising',
      { oil_pressure: (t: number) => (t < 30 ? 3 : 3 + (t - 30) / 10) },
      [['oil_pressure rises', 31, 59]],
    ],
    ['does the oil pressure drop', { oil_pressure: (t: number) => t }, []],
  ] as const)('%s', (prompt, channels, expected) => {
    expect(rowsOf(prompt, channels)).toEqual(expected);
  });

  it('is before and after other events', () => {
    const speed: Values = (t) => (t < 40 ? 10 : 0);
    const voltage: Values = (t) => (t < 20 ? 24 : t < 25 ? 24 - (t - 20) : 19);
    const { answer } = answerPrompt(
      'does the voltage drop before we stop',
      recording({ 'bus/voltage:V': voltage }, speed),
    );
    expect(answer).toMatch(/^Yes/);
  });

  test.each([
    ['highest battery level', /^80 % at 0:00\.0/],
    ['average battery level in the first 10 seconds', /^75 % on average/],
    ['battery level at 0:20', /^5[0-9.]+ %|^60 %|^59\.\d+ %/],
    ['battery level when we stop', /^40 % at 0:40/],
    ['how much did the battery level drop', /^Fell by 59\.9 %, from 80 % at 0:00\.0 to 20\.1 %/],
    ['is the battery level higher in the second half', /^No/],
    ['when is the battery level lowest', /^20\.1 % at 0:59\.9/],
  ])('%s', (prompt, expected) => {
    const speed: Values = (t) => (t < 40 ? 10 : 0);
    expect(answerPrompt(prompt, recording({ 'battery/level:%': battery }, speed)).answer).toMatch(expected);
  });

  it('of a vehicle is a measure of its telemetry', () => {
    const samples = Array.from({ length: 100 }, (_, i) => ({ timeS: i / 2, altitudeM: i === 40 ? 250 : 100 }));
    const video = observations(50, {
      signals: signals(50),
      telemetry: { telemetry: createTelemetry('test', samples), reason: null },
    });
    expect(answerPrompt('what is the highest altitude', video).answer).toMatch(/^250 m at 0:20/);
  });
});

describe('a name', () => {
  const reasonOf = (prompt: string, channels: Record<string, Values>) =>
    answerPrompt(prompt, recording(channels))
      .coverage.map(({ status, reason }) => `${status} ${reason}`)
      .join(' ');

  it('that no channel has is not looked for, with what there is', () => {
    expect(reasonOf('battery below 20 %', { 'motor/temp': () => 1, 'gps/alt': () => 1 })).toMatch(
      /^not_looked_for.*"battery" is not in this recording: it has motor\/temp, gps\/alt/,
    );
    expect(reasonOf('battery below 20 %', {})).toMatch(/no recorded channels/);
  });

  it('in a unit of something else is not looked for', () => {
    expect(reasonOf('battery below 20 %', { 'battery/voltage:V': () => 12 })).toMatch(
      /battery\/voltage was recorded in V, which cannot be compared with %/,
    );
  });

  it('of several channels is searched for in each, and a question asks which', () => {
    const channels = { 'motor_1/temp:°C': (t: number) => t, 'motor_2/temp:°C': (t: number) => 2 * t };
    expect(rowsOf('motor temperature above 50 °C', channels)).toEqual([
      ['motor_2/temp above 50 °C', 25, 60],
      ['motor_1/temp above 50 °C', 50, 60],
    ]);
    expect(answerPrompt('highest motor temperature', recording(channels)).answer).toMatch(
      /may be motor_1\/temp or motor_2\/temp: name one of them/,
    );
  });

  it('of many channels asks for one', () => {
    const channels = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`motor_${i}/temp`, () => 1]));
    expect(reasonOf('motor temperature above 50 °C', channels)).toMatch(/may be any of 9 channels/);
  });

  it('is part of the restatement', () => {
    const { interpretation } = answerPrompt('is the battery below 30 %', recording({ 'battery/level:%': battery }));
    expect(JSON.stringify(interpretation)).toMatch(/recorded channel battery below 30 %/);
  });
});

describe('swings', () => {
  it('of a mirrored value go the other way, at the same times', () => {
    const values = Array.from({ length: 400 }, (_, i) => Math.sin(i / 25) + 0.02 * Math.sin(i * 3));
    const swings = findSwings(values);
    const mirrored = findSwings(values.map((value) => -value));
    expect(swings.length).toBeGreaterThan(3);
    expect(mirrored.map(({ change }) => Math.sign(change))).toEqual(swings.map(({ change }) => -Math.sign(change)));
  });

  it('do not depend on the scale', () => {
    const values = Array.from({ length: 300 }, (_, i) => (i < 100 ? 0 : i < 200 ? (i - 100) / 100 : 1));
    const spans = findSwings(values).map(({ from, to }) => [from, to]);
    expect(findSwings(values.map((value) => 1000 * value + 5)).map(({ from, to }) => [from, to])).toEqual(spans);
  });

  it('alternate', () => {
    const values = Array.from({ length: 500 }, (_, i) => Math.sin(i / 13) * Math.cos(i / 47));
    const signs = findSwings(values).map(({ change }) => Math.sign(change));
    expect(signs.every((sign, i) => i === 0 || sign !== signs[i - 1])).toBe(true);
  });

  it('are none of noise, and of a constant', () => {
    expect(findSwings([1, 1, 1, 1])).toEqual([]);
    expect(findSwings(Array.from({ length: 100 }, (_, i) => (i % 2 ? 1 : -1)))).toEqual([]);
    expect(findSwings([])).toEqual([]);
  });
});

describe('numbers of a file', () => {
  const column = (name: string, values: number[]): ChannelColumn => ({ name, timeS: values.map((_, i) => i), values });

  it('are limited in number, length and name', () => {
    const many = createChannels(Array.from({ length: 10_000 }, (_, i) => column(`field_${i}`, [1, 2])))!;
    expect(many.channels).toHaveLength(MAX_CHANNELS);
    expect(many.leftOut).toBe(10_000 - MAX_CHANNELS);
    const long = createChannels([
      column(
        'a',
        Array.from({ length: MAX_CHANNEL_SAMPLES + 10 }, () => 1),
      ),
    ])!;
    expect(long.channels[0]!.timeS.length).toBeLessThanOrEqual(MAX_CHANNEL_SAMPLES);
    const [named] = createChannels([column(`\u0000\n${'x'.repeat(5_000)}`, [1])])!.channels;
    expect(named!.name).toMatch(/^x{1,120}$/);
  });

  it('are finite and ascending, and none where there are no numbers', () => {
    const values = [Number.NaN, 1, Number.POSITIVE_INFINITY, 2];
    const [channel] = createChannels([{ name: 'a', timeS: [3, 2, 1, 2.5], values }])!.channels;
    expect([...channel!.timeS]).toEqual([2, 2.5]);
    expect(createChannels([column('a', [Number.NaN]), column('', [1])])).toBeUndefined();
  });

  it('are stored and read again', () => {
    const recorded = createChannels([column('a', [1, 2, 3]), column('b (V)', [4])])!;
    const reading = { telemetry: null, reason: null, recorded };
    expect(observer.decode(observer.encode(reading) as never)).toEqual(reading);
  });
});
