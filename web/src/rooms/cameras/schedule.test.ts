import { expect, test } from 'vitest';
import { DAYS, fromHours, type ScheduleEntry, toHours } from './schedule.ts';

const work: ScheduleEntry = { days: ['mon', 'tue'], from: '06:00', to: '22:00', analyze: true };
const night: ScheduleEntry = { days: ['sat'], from: '22:00', to: '06:00', analyze: false };

test('a schedule as hours of the week, and back', () => {
  const hours = toHours([work, night]);
  expect(hours[0]!.slice(5, 7)).toEqual(['off', 'analyze']);
  expect(hours[0]!.slice(21, 23)).toEqual(['analyze', 'off']);
  expect(hours[5]![22]).toBe('record');
  expect(hours[6]!.slice(5, 7)).toEqual(['record', 'off']);
  expect(toHours(fromHours(hours))).toEqual(hours);
  expect(fromHours(hours)).toContainEqual(work);
});

test('always, and never', () => {
  expect(fromHours(toHours(null))).toBeNull();
  expect(fromHours(toHours([]))).toEqual([]);
  const whole: ScheduleEntry = { days: [...DAYS], from: '00:00', to: '00:00', analyze: false };
  expect(fromHours(toHours([whole]))).toEqual([whole]);
});
