import type { CalendarDay, DailyTimes } from '../../calendar-schema.ts';
import { WEEKDAYS } from '../../terms.ts';
import { type ClosedClass, words } from './closed-class.ts';

const HOUR = 3_600;
const times = (from: number, to: number): DailyTimes => ({ from: from * HOUR, to: to * HOUR });

/** Parts of a day; evening and night of "last night" are one. */
const DAY_PARTS = {
  morning: times(5, 12),
  afternoon: times(12, 18),
  evening: times(17, 24),
  night: times(18, 6),
};
type DayPart = keyof typeof DAY_PARTS;

const NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const days = (phrases: string, unit: Extract<CalendarDay, { kind: 'relative' }>['unit'], offset: number) =>
  words('NamedDays', phrases, { day: { kind: 'relative', unit, offset }, times: null });
const partOf = (phrases: string, offset: number, part: DayPart) =>
  words('NamedDays', phrases, { day: { kind: 'relative', unit: 'day', offset }, times: DAY_PARTS[part] });

/** Words for days and times of day. */
export const CALENDAR_WORDS: readonly ClosedClass[] = [
  days('today, so far today, earlier today, later today', 'day', 0),
  days('yesterday', 'day', -1),
  days('the day before yesterday', 'day', -2),
  days('this week, so far this week, earlier this week', 'week', 0),
  days('last week, the past week, in the past week, over the past week', 'week', -1),
  days('this weekend', 'weekend', 0),
  days('last weekend', 'weekend', -1),
  days('this month, so far this month, earlier this month', 'month', 0),
  days('last month', 'month', -1),
  days('this year, so far this year', 'year', 0),
  days('last year', 'year', -1),
  partOf('tonight', 0, 'night'),
  partOf('last night', -1, 'night'),
  partOf('this morning', 0, 'morning'),
  partOf('this afternoon', 0, 'afternoon'),
  partOf('this evening', 0, 'evening'),
  partOf('last evening', -1, 'evening'),
  ...NAMES.flatMap((name, at) => [
    words('WeekdayName', `${name}, this ${name}`, { day: WEEKDAYS[at] }),
    words('WeekdayName', `last ${name}, this past ${name}`, { day: WEEKDAYS[at], before: true }),
    words('WeekdayGroup', `${name}s`, { days: [WEEKDAYS[at]], many: true }),
  ]),
  words('WeekdayGroup', 'weekdays, workdays, working days, week days', { days: WEEKDAYS.slice(0, 5), many: true }),
  words('WeekdayGroup', 'weekday, workday, working day', { days: WEEKDAYS.slice(0, 5), many: false }),
  words('WeekdayGroup', 'weekends', { days: WEEKDAYS.slice(5), many: true }),
  words('WeekdayGroup', 'weekend', { days: WEEKDAYS.slice(5), many: false }),
  ...Object.entries(DAY_PARTS).map(([part, own]) => words('DayPart', part, { times: own })),
  ...MONTHS.map((month, at) => words('MonthName', month, { month: at + 1 })),
  words('ClockName', 'noon, midday', { seconds: 12 * HOUR }),
  words('ClockName', 'midnight', { seconds: 0 }),
  words('Since', 'since, ever since'),
  words('Ago', 'ago'),
  words('DayUnit', 'day, days', { unit: 'day' }),
  words('DayUnit', 'week, weeks', { unit: 'week' }),
  words('ClockUnit', 'am', { half: 'am' }),
  words('ClockUnit', 'pm', { half: 'pm' }),
  words('ClockUnit', "o'clock, oclock", { half: null }),
];
