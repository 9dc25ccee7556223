import { expect, test } from 'vitest';
import { isTimeZone, toInstant, toLocalTime } from './local-time.ts';

test.each([
  ['2026-01-15T08:00:00', 'Europe/Berlin', '2026-01-15T07:00:00.000Z'],
  ['2026-07-15T08:00:00.5', 'Europe/Berlin', '2026-07-15T06:00:00.500Z'],
  ['2026-01-15T08:00:00', 'UTC', '2026-01-15T08:00:00.000Z'],
  ['2026-01-15T08:00:00', '+05:30', '2026-01-15T02:30:00.000Z'],
  ['2026-01-15T08:00:00', 'Pacific/Kiritimati', '2026-01-14T18:00:00.000Z'],
  // Clocks are set back from 3:00 to 2:00: the first 2:30.
  ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  // Clocks are set forward from 2:00 to 3:00: 2:30 does not exist.
  ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('%s in %s', (local, zone, instant) => {
  expect(toInstant(local, zone).toISOString()).toBe(instant);
});

test('the hours of a year are read back', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
    for (let hour = 0; hour < 24 * 365; hour += 5) {
      const instant = new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000);
      const { day, time } = toLocalTime(instant, zone);
      const back = toLocalTime(toInstant(`${day}T${time}:00`, zone), zone);
      expect(back, `${zone} ${instant.toISOString()}`).toEqual({ day, time });
    }
  }
});

test('names and offsets of zones are known, others not', () => {
  expect(['Europe/Berlin', 'UTC', '+01:00', '-03:30'].map(isTimeZone)).toEqual([true, true, true, true]);
  expect(['Mars/Base', '', '25:00', '+25:00', '+0100', '+01'].map(isTimeZone)).toEqual(Array(6).fill(false));
});
