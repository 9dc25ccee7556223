import { offsetMs } from '#platform/local-time';
import { type Calendar, type CalendarDay, type PlanClock, WEEKDAYS, type Weekday } from '../plan/index.ts';
import { dateOf, dayOf, daysOf, limitsOf } from './days.ts';

const NAMES: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const SOURCES: Partial<Record<string, string>> = {
  person: 'set by a person',
  live: 'livestream',
  gps: 'GPS',
  log: 'recording log',
  sidecar: 'file beside the video',
  container: 'file header',
  rule: 'path of the file',
  name: 'file name',
  picture: 'clock in the picture',
};

/** Name of a source of the time of recording. */
export const sourceText = (source: string): string => SOURCES[source] ?? source;

/**
 * "Between 08:00 and 08:15 on Tuesday 24 November 2026 (Europe/Berlin)": a part of the calendar. Without a clock, its
 * days are named as in the prompt.
 */
export function calendarText({ from, to, times, weekdays }: Calendar, clock?: PlanClock): string {
  const parts = [
    times ? timesText(times) : '',
    weekdays.length > 0 ? weekdaysText(weekdays) : '',
    clock ? datesText({ from, to }, clock) : termsText({ from, to }),
  ].filter((part) => part !== '');
  return `${parts.join(' ')}${clock ? ` (${clock.time_zone ?? 'local time of each video'})` : ''}`;
}

/** "08:00", "08:00:20". */
const timeText = (seconds: number): string =>
  [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, ...(seconds % 60 ? [seconds % 60] : [])]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

function timesText({ from, to }: NonNullable<Calendar['times']>): string {
  if (to === 86_400) return `after ${timeText(from)}`;
  return from === 0 ? `before ${timeText(to)}` : `between ${timeText(from)} and ${timeText(to)}`;
}

function weekdaysText(weekdays: readonly Weekday[]): string {
  const days = WEEKDAYS.filter((day) => weekdays.includes(day));
  if (days.join() === WEEKDAYS.slice(0, 5).join()) return 'on weekdays';
  if (days.join() === WEEKDAYS.slice(5).join()) return 'on weekends';
  const names = days.map((day) => `${NAMES[day]}s`);
  return `on ${names.length < 2 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`}`;
}

type Limits = Pick<Calendar, 'from' | 'to'>;

/** The dates of limits, by the moment of asking. */
function datesText(limits: Limits, clock: PlanClock): string {
  if (!limits.from && !limits.to) return '';
  const today = dayOf(localTexts(clock.requested_at, clock.time_zone ?? 'UTC').day);
  const { from, to } = limitsOf(limits, today);
  const at = (timeS: number | null) => (timeS === null ? '' : `${timeText(timeS)} on `);
  if (from && to && from.timeS === null && to.timeS === null && from.day === to.day) return `on ${dayText(from.day)}`;
  const [start, end] = [from && `${at(from.timeS)}${dayText(from.day)}`, to && `${at(to.timeS)}${dayText(to.day)}`];
  if (start && end) return `from ${start} to ${end}`;
  return start ? `since ${start}` : `until ${end}`;
}

const dayText = (day: number): string => dateText(new Date(`${dateOf(day)}T12:00:00Z`));
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const dateText = (date: Date): string => FORMAT.format(date).replace(',', '');

const RELATIVE: Record<string, readonly [string, string]> = {
  day: ['today', 'yesterday'],
  week: ['this week', 'last week'],
  weekend: ['this weekend', 'last weekend'],
  month: ['this month', 'last month'],
  year: ['this year', 'last year'],
};

/** The days of limits as they are named. */
function termsText({ from, to }: Limits): string {
  const point = ({ day, time }: NonNullable<Limits['from']>) =>
    `${time === null || time % 86_400 === 0 ? '' : `${timeText(time)} on `}${termText(day)}`;
  if (from && to && JSON.stringify(from) === JSON.stringify(to))
    return `${from.day.kind === 'relative' ? '' : 'on '}${point(from)}`;
  if (from && to) return `from ${point(from)} to ${point(to)}`;
  if (from) return `${from.time === 86_400 ? 'after' : 'since'} ${point(from)}`;
  return to ? `${to.time === 0 ? 'before' : 'until'} ${point(to)}` : '';
}

function termText(day: CalendarDay): string {
  if (day.kind === 'weekday') return `${day.before ? 'last ' : ''}${NAMES[day.day]}`;
  if (day.kind === 'relative') return RELATIVE[day.unit]![-day.offset] ?? `${-day.offset} ${day.unit}s ago`;
  const [date] = daysOf({ ...day, year: day.year ?? 2000 }, 0);
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    ...(day.year === null ? {} : { year: 'numeric' }),
  }).format(new Date(`${dateOf(date)}T12:00:00Z`));
}

function localTexts(instant: string, timeZone: string): { day: string; time: string } {
  const ms = Date.parse(instant);
  const local = new Date(ms + offsetMs(ms, timeZone)).toISOString();
  return { day: local.slice(0, 10), time: local.slice(11, 19) };
}

/** "08:03:12 on Friday 27 November 2026 (Europe/Berlin)"; without a zone in UTC. */
export function instantText(instant: Date, timeZone: string | null): string {
  const { day, time } = localTexts(instant.toISOString(), timeZone ?? 'UTC');
  return `${time} on ${dayText(dayOf(day))} (${timeZone ?? 'UTC'})`;
}

/** "The video covers 08:00:00 to 08:00:30 on Friday 27 November 2026 (file name, Europe/Berlin)". */
export function coveredText({ recorded_from, recorded_until, time_zone, source }: PlanClock): string {
  const [from, to] = [recorded_from!, recorded_until!].map((instant) => localTexts(instant, time_zone ?? 'UTC')) as [
    ReturnType<typeof localTexts>,
    ReturnType<typeof localTexts>,
  ];
  const [first, last] = [dayText(dayOf(from.day)), dayText(dayOf(to.day))];
  const times =
    first === last ? `${from.time} to ${to.time} on ${first}` : `${from.time} on ${first} to ${to.time} on ${last}`;
  return `it covers ${times} (${sourceText(source ?? '')}, ${time_zone})`;
}
