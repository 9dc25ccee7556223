import { type RawBuilder, sql } from 'kysely';
import { type CalendarFilter, WEEKDAYS } from './calendar.ts';

type Sql = RawBuilder<unknown>;

const DAY_S = 86_400;

/** A video as a whole, in seconds from its first frame. */
export const WHOLE = { startS: sql`0`, endS: sql`coalesce(videos.duration_s, 0)` };

/** Conditions on a video as a whole, for a row `videos`. */
export const videoConditions = (filter: CalendarFilter): RawBuilder<boolean>[] => calendarConditions(filter, WHOLE);

/** Conditions on a part of a video, in seconds from its first frame, for a row `videos`. */
export function calendarConditions(
  { recordedAfter, recordedBefore, timeOfDay, weekday, timeZone }: CalendarFilter,
  { startS, endS }: { startS: Sql; endS: Sql },
): RawBuilder<boolean>[] {
  const instant = (seconds: Sql) => sql`recorded_time(videos.recorded_at, videos.clock, ${seconds})`;
  const local = (seconds: Sql) => sql`local_time(${instant(seconds)}, ${timeZone ?? sql`videos.time_zone`})`;
  return [
    // The columns have an index; the exact instants are compared in what it finds.
    ...(recordedAfter
      ? [sql<boolean>`videos.recorded_until >= ${recordedAfter} and ${instant(endS)} >= ${recordedAfter}`]
      : []),
    ...(recordedBefore
      ? [sql<boolean>`videos.recorded_at < ${recordedBefore} and ${instant(startS)} < ${recordedBefore}`]
      : []),
    ...(timeOfDay ? [isInDay(timeOfDay, local(startS), sql`${endS} - ${startS}`)] : []),
    ...(weekday ? [isOnDay(weekday, local(startS), local(endS))] : []),
  ];
}

/** True if two intervals on the circle of a day share a part: one of them starts in the other. */
function isInDay(interval: string, start: Sql, lengthS: Sql): RawBuilder<boolean> {
  const [from, to] = interval.split('-').map((time) => secondsOf(time));
  const span = (to! - from! + DAY_S) % DAY_S || DAY_S;
  const after = sql`mod((extract(epoch from ${start}::time) - ${sql.lit(from!)} + ${sql.lit(DAY_S)})::numeric, ${sql.lit(DAY_S)})`;
  return sql<boolean>`(${after} < ${sql.lit(span)} or ${sql.lit(DAY_S)} - ${after} < (${lengthS})::numeric)`;
}

function secondsOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 3_600 + minutes! * 60;
}

function isOnDay(weekday: string, start: Sql, end: Sql): RawBuilder<boolean> {
  const days = weekday.split(',').map((day) => WEEKDAYS.indexOf(day as (typeof WEEKDAYS)[number]) + 1);
  // A week has all days.
  return sql<boolean>`exists (
    select from generate_series(date_trunc('day', ${start}), least(${end}, ${start} + interval '6 days'), interval '1 day') as day
    where extract(isodow from day) = any(${days}::integer[]))`;
}
