import { describe, expect, test } from 'vitest';
import { modeAt, nextChange, type ScheduleEntry, WEEKDAYS } from './schedule.ts';

const BERLIN = 'Europe/Berlin';
const work: ScheduleEntry = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '06:00', to: '22:00', analyze: true };
const night: ScheduleEntry = { days: ['sat'], from: '22:00', to: '06:00', analyze: false };
const always: ScheduleEntry = { days: [...WEEKDAYS], from: '00:00', to: '00:00', analyze: false };
const at = (time: string) => new Date(time);

describe('a schedule', () => {
  // 27 November 2026 is a Friday; Berlin is an hour ahead of UTC.
  test.each([
    ['2026-11-27T04:59:00Z', 'off'],
    ['2026-11-27T05:00:00Z', 'analyze'],
    ['2026-11-27T20:59:59Z', 'analyze'],
    ['2026-11-27T21:00:00Z', 'off'],
    ['2026-11-28T12:00:00Z', 'off'],
    ['2026-11-28T21:00:00Z', 'record'],
    ['2026-11-29T04:59:00Z', 'record'],
    ['2026-11-29T05:00:00Z', 'off'],
  ])('says at %s: %s', (time, mode) => {
    expect(modeAt([work, night], BERLIN, at(time))).toBe(mode);
  });

  test('analyzes where an entry that does overlaps one that does not', () => {
    expect(modeAt([always, work], BERLIN, at('2026-11-27T12:00:00Z'))).toBe('analyze');
    expect(modeAt([always, work], BERLIN, at('2026-11-29T12:00:00Z'))).toBe('record');
  });

  test('without entries is never on, and none is always on', () => {
    expect(modeAt([], BERLIN, at('2026-11-27T12:00:00Z'))).toBe('off');
    expect(modeAt(null, BERLIN, at('2026-11-27T12:00:00Z'))).toBe('analyze');
  });

  test.each([
    ['2026-11-27T12:00:00Z', '2026-11-27T21:00:00.000Z'],
    ['2026-11-27T21:00:00Z', '2026-11-28T21:00:00.000Z'],
    ['2026-11-28T22:00:00Z', '2026-11-29T05:00:00.000Z'],
    ['2026-11-29T05:00:00Z', '2026-11-30T05:00:00.000Z'],
  ])('changes after %s at %s', (time, next) => {
    expect(nextChange([work, night], BERLIN, at(time))?.toISOString()).toBe(next);
  });

  test('that never changes has no next change', () => {
    expect(nextChange(null, BERLIN, at('2026-11-27T12:00:00Z'))).toBeNull();
    expect(nextChange([always], BERLIN, at('2026-11-27T12:00:00Z'))).toBeNull();
  });

  test('follows daylight saving time', () => {
    // Clocks are set forward at 2:00 on 28 March 2027.
    expect(nextChange([work], BERLIN, at('2027-03-27T12:00:00Z'))?.toISOString()).toBe('2027-03-29T04:00:00.000Z');
  });
});
