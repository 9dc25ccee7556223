import { expect, test } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import type { Texts } from '../../observe/observations.ts';
import { createTextTracker } from '../../observe/text/text-tracker.ts';
import { observations, signals } from '../observations.fixture.ts';
import { readBurnedInClock } from './burned-in-clock.ts';

/** A text at one place, one reading a second. */
function textsOf(readings: readonly string[]): Texts {
  const tracker = createTextTracker();
  for (const [at, text] of readings.entries())
    tracker.addFrame([{ text, score: 0.95, box: { x: 0.2, y: 0.9, width: 0.3, height: 0.04 } }], at, at);
  const times = Float64Array.from(readings, (_, at) => at);
  return { model: 'm 0', minHeight: 20, timeS: times, pts: times, ...tracker.finish() };
}
const two = (value: number) => String(value).padStart(2, '0');
const clockFrom = (startS: number, before = '', paceS = 1) =>
  Array.from({ length: 8 }, (_, at) => {
    const s = startS + at * paceS;
    return `${before}${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  });
const NOON_S = 12 * 3600 + 59 * 60 + 57;

test.each([
  ['a time of day', clockFrom(NOON_S), '12:59:57'],
  ['with a date', clockFrom(NOON_S, '2024-05-01 '), '2024-05-01 12:59:57'],
  ['with a date without a space', clockFrom(NOON_S, 'CAM 1 01/05/2024'), '01/05/2024 12:59:57'],
  ['with one misread second', clockFrom(NOON_S).with(7, '12:00:09'), '12:59:57'],
  ['that stands', clockFrom(NOON_S, '', 0), null],
  ['that is faster than the video', clockFrom(NOON_S, '', 10), null],
  ['that counts the video', clockFrom(0), null],
  ['that is no clock', ['Frame 10', 'Frame 11', 'Frame 12', 'Frame 13'], null],
])('a clock %s', (_, readings, expected) => {
  expect(readBurnedInClock(textsOf(readings))?.reading ?? null).toBe(expected);
});

test('the clock answers when the video was recorded, if the file does not', () => {
  const file = { createdAt: null, camera: null, codec: 'h264', container: 'mp4', sizeBytes: 1, audio: null } as never;
  const video = { ...observations(8, { signals: signals(8) }), file };
  const read = { ...video, text: textsOf(clockFrom(NOON_S, '2024-05-01 ')) };
  expect(answerPrompt('when was this recorded?', read).answer).toBe(
    'The clock in the picture shows 2024-05-01 12:59:57, at 0:00.0 of the video.',
  );
  expect(answerPrompt('when was this recorded?', video).answer).toContain('recognized once text was read');
});
