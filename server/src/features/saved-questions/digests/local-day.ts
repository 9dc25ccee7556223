/** Local date as `YYYY-MM-DD` and time of day as `HH:MM`. */
export type LocalTime = { day: string; time: string };

const HOUR_MS = 3_600_000;

export function toLocalTime(instant: Date, timeZone: string): LocalTime {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(instant);
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
