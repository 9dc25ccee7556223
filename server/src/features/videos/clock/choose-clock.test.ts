import { describe, expect, test } from 'vitest';
import { chooseClock } from './choose-clock.ts';
import { recordedTime } from './recorded-time.ts';
import type { ClockReading, ClockSettings } from './types.ts';

const at = (source: ClockReading['source'], time: string, offsetMin: number | null): ClockReading => ({
  source,
  time: `2026-11-27T${time}.000`,
  offsetMin,
});
const file = (time: string): ClockReading => ({ ...at('container', time, 0), isDoubtful: true });
const choose = (readings: ClockReading[], settings: Partial<ClockSettings> | null = null) => {
  const chosen = chooseClock({
    readings,
    settings: settings && { recordedAt: null, timeZone: null, shiftS: 0, ...settings },
  });
  return chosen && { ...chosen, recordedAt: chosen.recordedAt.toISOString().slice(11, 19) };
};

test('nothing is guessed without a source', () => {
  expect(choose([])).toBeNull();
  expect(choose([], { timeZone: 'Europe/Berlin', shiftS: 10 })).toBeNull();
});

test.each<[string, ClockReading[], string, string]>([
  [
    'a livestream over all',
    [at('name', '07:00:00', 0), at('live', '08:00:00', 0), file('06:00:00')],
    'live',
    '08:00:00',
  ],
  ['a log over the file', [file('06:00:00'), at('log', '08:00:00', 0)], 'log', '08:00:00'],
  [
    'a name with a zone over a file that may be wrong',
    [file('06:00:00'), at('name', '08:00:00', 60)],
    'name',
    '07:00:00',
  ],
  [
    'a file with a zone over a name',
    [at('container', '08:00:00', 60), at('name', '03:00:00', 0)],
    'container',
    '07:00:00',
  ],
])('chooses %s', (_, readings, source, time) => {
  expect(choose(readings)).toMatchObject({ source, recordedAt: time, isZoneKnown: true });
  expect(choose(readings.toReversed())).toMatchObject({ source, recordedAt: time });
});

describe('a time without a zone', () => {
  test('is assumed to be UTC', () => {
    expect(choose([at('name', '08:00:00', null)])).toMatchObject({
      recordedAt: '08:00:00',
      isZoneKnown: false,
      timeZone: null,
    });
  });

  test('is read in the zone that a person set', () => {
    const chosen = choose([at('name', '08:00:00', null)], { timeZone: 'Europe/Berlin' });
    expect(chosen).toMatchObject({ recordedAt: '07:00:00', isZoneKnown: true, timeZone: 'Europe/Berlin' });
  });

  test('has the zone by which it differs from the UTC of the file', () => {
    const chosen = choose([file('08:00:04'), at('name', '09:00:00', null)]);
    expect(chosen).toMatchObject({ source: 'name', recordedAt: '08:00:00', timeZone: '+01:00', conflicts: [] });
    const behind = choose([file('08:00:04'), at('name', '02:30:00', null)]);
    expect(behind).toMatchObject({ recordedAt: '08:00:00', timeZone: '-05:30' });
  });

  test('stays open where both are equal: the camera may write local time into the file', () => {
    expect(choose([file('08:00:00'), at('name', '08:00:02', null)])).toMatchObject({
      source: 'container',
      isZoneKnown: false,
      timeZone: null,
      conflicts: [],
    });
  });
});

test('sources that differ by more than a minute are conflicts', () => {
  const chosen = choose([at('live', '08:00:00', 0), at('name', '08:00:40', 0), at('container', '08:20:00', 60)]);
  expect(chosen?.conflicts.map(({ source }) => source)).toEqual(['container']);
  expect(choose([file('08:00:00'), at('name', '09:07:00', null)])?.conflicts).toHaveLength(1);
});

test('a person is right, and shifts what a wrong clock says', () => {
  const readings = [at('live', '08:00:00', 0)];
  const set = choose(readings, { recordedAt: '2026-11-27T05:00:00.000Z', shiftS: 100 });
  expect(set).toMatchObject({ source: 'person', recordedAt: '05:00:00', isZoneKnown: true });
  expect(set?.conflicts).toHaveLength(1);
  expect(choose(readings, { shiftS: -90 })).toMatchObject({ source: 'live', recordedAt: '07:58:30', conflicts: [] });
});

test('seconds after a lost connection are later by the gap', () => {
  const jumps = [
    { atS: 10, seconds: 60 },
    { atS: 20, seconds: 5 },
  ];
  const video = { recordedAt: new Date('2026-11-27T08:00:00Z'), clock: { readings: [], settings: null, jumps } };
  const times = [9, 10, 25].map((s) => recordedTime(video, s)!.toISOString().slice(11, 19));
  expect(times).toEqual(['08:00:09', '08:01:10', '08:01:30']);
  expect(recordedTime({ ...video, recordedAt: null }, 5)).toBeNull();
});

describe('a clock that drifts', () => {
  test('is corrected by two points of the video', () => {
    const points = [
      { atS: 10, recordedAt: '2026-11-27T08:00:10.000Z' },
      { atS: 110, recordedAt: '2026-11-27T08:01:51.000Z' },
    ] as const;
    const chosen = choose([at('name', '06:00:00', 0)], { points });
    expect(chosen).toMatchObject({ source: 'person', recordedAt: '07:59:59', rate: 1.01 });
    const clock = { readings: [], settings: null, rate: 1.01 };
    const start = new Date(Date.parse(points[0].recordedAt) - 10_100);
    expect(recordedTime({ recordedAt: start, clock }, 110)!.toISOString()).toBe(points[1].recordedAt);
  });

  test('is corrected by two comparisons, for all videos of a camera', () => {
    // It loses a second in a hundred, from midnight on.
    const comparisons = [
      { shownAt: '2026-11-27T00:00:00.000Z', recordedAt: '2026-11-27T00:00:00.000Z' },
      { shownAt: '2026-11-28T00:00:00.000Z', recordedAt: '2026-11-28T00:14:24.000Z' },
    ] as const;
    const chosen = choose([at('name', '10:00:00', 0)], { comparisons, shiftS: 500 });
    expect(chosen).toMatchObject({ source: 'name', recordedAt: '10:06:00', rate: 1.01 });
  });

  test('has the rate that a file beside the video states', () => {
    const lapse: ClockReading = { ...at('sidecar', '08:00:00', null), rate: 30 };
    expect(choose([lapse], { timeZone: 'Europe/Berlin' })).toMatchObject({ recordedAt: '07:00:00', rate: 30 });
  });
});

describe('a file that states local time as UTC', () => {
  test('is read in the zone that a person set', () => {
    const settings = { timeZone: 'Europe/Berlin', isHeaderLocal: true };
    expect(choose([file('08:00:00')], settings)).toMatchObject({ recordedAt: '07:00:00', isZoneKnown: true });
    expect(choose([file('08:00:00')], { timeZone: 'Europe/Berlin' })).toMatchObject({ recordedAt: '08:00:00' });
  });

  test('gives the zone of an exact time that has none', () => {
    const chosen = choose([at('gps', '07:00:00', 0), file('08:00:05')]);
    expect(chosen).toMatchObject({ source: 'gps', recordedAt: '07:00:00', timeZone: '+01:00', conflicts: [] });
  });
});

test('an hour without minutes contradicts nothing within it', () => {
  const hour: ClockReading = { ...at('rule', '08:00:00', null), withinS: 3_600 };
  const zone = { timeZone: 'UTC' };
  expect(choose([at('container', '08:40:00', 60), hour], { timeZone: '+01:00' })?.conflicts).toEqual([]);
  expect(choose([at('live', '09:30:00', 0), hour], zone)?.conflicts.map(({ source }) => source)).toEqual(['rule']);
  expect(choose([hour], zone)).toMatchObject({ source: 'rule', recordedAt: '08:00:00' });
});
