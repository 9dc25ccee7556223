import { expect, test } from 'vitest';
import { readPictureClock } from './picture-clock.ts';

/** Texts of a clock that is read every two seconds, from 0.3 s on. */
const shown = (toText: (second: number) => string, count = 6) =>
  Array.from({ length: count }, (_, i) => {
    const startS = 0.3 + i * 2;
    return { startS, endS: startS, text: toText(Math.floor(startS + 0.5)) };
  });
const two = (n: number) => String(n).padStart(2, '0');
/** Seconds by which a reading differs from the clock of these tests, which shows its first second for half a second. */
const errorOf = (clock: { time: string } | null) =>
  Math.abs(Date.parse(`${clock!.time}Z`) - Date.parse('2026-11-27T08:59:50.500Z')) / 1_000;

test.each<[string, (second: number) => string]>([
  ['year first', (s) => `2026-11-27 08:59:5${s}`],
  ['slashes and a name', (s) => `Camera 01 2026/11/27 08:59:5${s}`],
  ['day first', (s) => `27.11.2026 08:59:5${s}`],
  ['month first, as no month is the 27th', (s) => `11/27/2026 08:59:5${s} AM`],
  ['spaces that were read', (s) => `2026 -11 -27 08: 59: 5${s}`],
])('%s', (_, toText) => {
  expect(errorOf(readPictureClock(shown(toText, 5)))).toBeLessThan(0.6);
});

test('is read across an hour, in the afternoon, and beside a date that is a text of its own', () => {
  const date = { startS: 0, endS: 12, text: '27.11.2026' };
  const times = shown((s) => {
    const at = 58 + s;
    return `${at < 60 ? '01:59' : '02:00'}:${two(at % 60)} PM`;
  });
  expect(readPictureClock([date, ...times])!.time).toMatch(/^2026-11-27T13:59:58/);
});

test('texts that were read wrongly are left out', () => {
  const texts = shown((s) => `2026-11-27 08:59:5${s}`, 5);
  texts[2] = { ...texts[2]!, text: '2026-11-27 03:59:54' };
  expect(errorOf(readPictureClock(texts))).toBeLessThan(0.6);
});

test.each([
  ['a clock that stands', shown(() => '2026-11-27 08:00:10')],
  ['a time lapse', shown((s) => `2026-11-27 08:${two(s)}:00`)],
  ['two texts', shown((s) => `2026-11-27 08:59:5${s}`, 2)],
  ['a date that may be two', shown((s) => `07/11/2026 08:59:5${s}`, 5)],
  ['no date', shown((s) => `08:59:5${s}`, 5)],
  [
    'two dates',
    [...shown((s) => `08:59:5${s}`, 5), ...['1.11.2026', '2.11.2026'].map((text) => ({ startS: 0, endS: 9, text }))],
  ],
  ['no texts', []],
])('%s says nothing', (_, texts) => {
  expect(readPictureClock(texts)).toBeNull();
});
