import { expect, test } from 'vitest';
import { fromZonedTime, toZonedTime } from './zoned-time.ts';

test.each([
  ['2026-01-15T08:00:10', 'Europe/Berlin', '2026-01-15T07:00:10.000Z'],
  ['2026-07-15T08:00:10', 'Europe/Berlin', '2026-07-15T06:00:10.000Z'],
  ['2026-01-15T08:00:10', '+05:30', '2026-01-15T02:30:10.000Z'],
  // Clocks are set back from 3:00 to 2:00, and forward from 2:00 to 3:00.
  ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:30:00', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
  ['2026-03-29T03:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('%s in %s', (local, zone, instant) => {
  expect(fromZonedTime(local, zone)).toBe(instant);
  expect(toZonedTime(instant, zone)).toBe(local);
});
