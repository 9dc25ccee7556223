const DAY_MS = 86_400_000;

/** Start of a day in the time zone of the browser, `days` later; undefined without a valid date. */
export function startOfDay(date: string | undefined, days = 0): string | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(`${date}T00:00`);
  return Number.isNaN(time) ? undefined : new Date(time + days * DAY_MS).toISOString();
}
