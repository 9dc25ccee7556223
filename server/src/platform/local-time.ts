import { LRUCache } from 'lru-cache';

/** Local date as `YYYY-MM-DD` and time of day as `HH:MM`. */
export type LocalTime = { day: string; time: string };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const OFFSET = /^[+-]\d\d:\d\d$/;

/** True for the IANA name of a time zone, such as `Europe/Berlin`, and for an offset such as `+01:00`. */
export function isTimeZone(timeZone: string): boolean {
  // Other forms of offsets mean something else to PostgreSQL.
  if (/^[+-]/.test(timeZone) && !OFFSET.test(timeZone)) return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone });
  } catch {
    return false;
  }
  return true;
}

/** Formats of zones; making one takes longer than to use it a hundred times. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

export function toLocalTime(instant: Date, timeZone: string): LocalTime {
  const parts = formatOf(timeZone).formatToParts(instant);
  const part = (type: string) => parts.find((each) => each.type === type)!.value;
  return { day: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
}

/** The day before a date. */
export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 24 * HOUR_MS).toISOString().slice(0, 10);

/** The first instant of a local date. Offsets of time zones are whole quarters of an hour. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const hasStarted = (instant: number) => toLocalTime(new Date(instant), timeZone).day >= day;
  // No zone is further from UTC.
  let instant = midnight - 15 * HOUR_MS;
  for (const step of [HOUR_MS, HOUR_MS / 4]) {
    while (!hasStarted(instant + step)) instant += step;
  }
  return new Date(instant + HOUR_MS / 4);
}

/** Minutes that local time is ahead of UTC at an instant. */
function offsetMinutes(instant: number, timeZone: string): number {
  const { day, time } = toLocalTime(new Date(instant), timeZone);
  return Math.round((Date.parse(`${day}T${time}:00Z`) - Math.floor(instant / MINUTE_MS) * MINUTE_MS) / MINUTE_MS);
}

/** Milliseconds that local time is ahead of UTC at an instant. */
export const offsetMs = (instant: number, timeZone: string): number => offsetMinutes(instant, timeZone) * MINUTE_MS;

/**
 * The instant of a local time, such as `2026-11-27T08:00:00.5`. Of two, when clocks are set back, the first; a time
 * that is skipped when they are set forward is read by the offset before.
 */
export function toInstant(localTime: string, timeZone: string): Date {
  const asUtc = Date.parse(`${localTime}Z`);
  const before = offsetMinutes(asUtc - 24 * HOUR_MS, timeZone);
  const guess = asUtc - before * MINUTE_MS;
  const offset = offsetMinutes(guess, timeZone);
  const other = asUtc - offset * MINUTE_MS;
  return new Date(offset !== before && offsetMinutes(other, timeZone) === offset ? other : guess);
}
