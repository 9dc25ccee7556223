const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Local time of an instant in a zone, as inputs of a date and a time have it: `2026-11-27T08:00:10`. */
export function toZonedTime(iso: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = new Map(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
  const [year, month, day] = ['year', 'month', 'day'].map((type) => parts.get(type as Intl.DateTimeFormatPartTypes));
  return `${year}-${month}-${day}T${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}`;
}

/** The instant of a local time in a zone, ISO 8601, UTC. Of two, when clocks are set back, the first. */
export function fromZonedTime(local: string, timeZone: string): string {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (instant: number) =>
    Date.parse(`${toZonedTime(new Date(instant).toISOString(), timeZone)}Z`) - Math.floor(instant / 1_000) * 1_000;
  const before = offsetAt(asUtc - DAY_MS);
  const first = asUtc - before;
  const other = asUtc - offsetAt(first);
  const isOther = other !== first && Math.abs(offsetAt(other) - (asUtc - other)) < MINUTE_MS;
  return new Date(isOther ? other : first).toISOString();
}

/** Names of all time zones that the browser knows. */
export const TIME_ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
