import { type Calendar, type CalendarDay, WEEKDAYS } from '../plan/index.ts';

/** A date as the number of days since 1970-01-01. */
export type DayNumber = number;
type Days = readonly [first: DayNumber, last: DayNumber];

const DAY_MS = 86_400_000;
const DAY_S = 86_400;

export const dayOf = (date: string): DayNumber => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
/** `YYYY-MM-DD`. */
export const dateOf = (day: DayNumber): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
const numberOf = (year: number, month: number, day: number): DayNumber => {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime() / DAY_MS;
};

/** Monday is 0. */
const weekdayOf = (day: DayNumber): number => (((day + 3) % 7) + 7) % 7;
export const weekdayName = (day: DayNumber) => WEEKDAYS[weekdayOf(day)]!;

/** The days that a term names, if it is requested on a day. */
export function daysOf(term: CalendarDay, today: DayNumber): Days {
  switch (term.kind) {
    case 'weekday': {
      const last = term.before ? today - 1 : today;
      const day = last - ((weekdayOf(last) - WEEKDAYS.indexOf(term.day) + 7) % 7);
      return [day, day];
    }
    case 'date':
      return lastDate(term, today);
    case 'relative':
      return relativeDays(term, today);
  }
}

function relativeDays({ unit, offset }: Extract<CalendarDay, { kind: 'relative' }>, today: DayNumber): Days {
  const date = new Date(today * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const monday = today - weekdayOf(today) + 7 * offset;
  switch (unit) {
    case 'day':
      return [today + offset, today + offset];
    case 'week':
      return [monday, monday + 6];
    case 'weekend':
      return [monday + 5, monday + 6];
    case 'month':
      return [numberOf(year, month + offset, 1), numberOf(year, month + offset + 1, 1) - 1];
    case 'year':
      return [numberOf(year + offset, 0, 1), numberOf(year + offset + 1, 0, 1) - 1];
  }
}

/** Most years between two 29 February. */
const LEAP_YEARS = 8;

/** A date; without a year, the last one up to a day. One that its year does not have is the day after it. */
function lastDate({ year, month, day }: Extract<CalendarDay, { kind: 'date' }>, today: DayNumber): Days {
  const own = (of: number) => numberOf(of, month - 1, day);
  if (year !== null) return [own(year), own(year)];
  const thisYear = new Date(today * DAY_MS).getUTCFullYear();
  for (let of = thisYear; of >= thisYear - LEAP_YEARS; of--) {
    const found = own(of);
    if (found <= today && new Date(found * DAY_MS).getUTCMonth() === month - 1) return [found, found];
  }
  return [own(thisYear), own(thisYear)];
}

/** Limits of a part of the calendar. `timeS`: from this second of the day on, or up to it; null: all of the day. */
export type DayLimits = {
  from: { day: DayNumber; timeS: number | null } | null;
  to: { day: DayNumber; timeS: number | null } | null;
};

/** The limits of a part of the calendar, if it is requested on a day. */
export function limitsOf({ from, to }: Pick<Calendar, 'from' | 'to'>, today: DayNumber): DayLimits {
  // "Before last week" ends where that starts.
  const last = to && daysOf(to.day, today)[to.time === 0 ? 0 : 1];
  const end = last === null ? null : to!.time === 0 ? { day: last - 1, timeS: null } : { day: last, timeS: to!.time };
  // "From Friday to Monday": the Friday before that Monday.
  const isOpen = from !== null && from.day.kind !== 'relative' && last !== null;
  const [first, final] = from ? daysOf(from.day, isOpen ? Math.min(last, today) : today) : [null, null];
  const start =
    first === null ? null : from!.time === DAY_S ? { day: final! + 1, timeS: null } : { day: first, timeS: from!.time };
  return { from: start, to: end };
}
