import { sql } from 'kysely';
import type { Db } from '#platform/db/index';

/** Usage of the two windows of a subject, including this request, and the seconds until each resets. */
export type RateLimitUsage = {
  subject: string;
  minuteCount: number;
  minuteLeftS: number;
  dayCount: number;
  dayLeftS: number;
};

/** Keeps the counters within the range of their columns. */
const MOST_COUNTED = 2_000_000_000;

export interface RateLimitStore {
  /** Counts `amount` (default: 1) for each subject. Requests over the limit of the minute do not count for the day. */
  count(subjects: readonly string[], perMinute: number, amount?: number): Promise<RateLimitUsage[]>;
  /** Removes subjects without requests for a day. Returns their number. */
  purge(): Promise<number>;
}

/**
 * A window also resets if it starts in the future, because the clock of the database was set back. Compares with the
 * current time, not the start of the transaction: a request that started later may have been counted first.
 */
const over = (column: string, window: string) =>
  sql<boolean>`(r.${sql.raw(column)} + interval '${sql.raw(window)}' <= excluded.${sql.raw(column)} or r.${sql.raw(column)} > clock_timestamp())`;
const left = (column: string, window: string) =>
  sql`ceil(extract(epoch from r.${sql.raw(column)} + interval '${sql.raw(window)}' - now()))::integer`;

export function createRateLimitStore(db: Db): RateLimitStore {
  const minuteOver = over('minute_at', '1 minute');
  const dayOver = over('day_at', '1 day');
  return {
    async count(subjects, perMinute, amount = 1) {
      const add = (column: string) =>
        sql`least(r.${sql.raw(column)}::bigint + ${amount}::integer, ${sql.lit(MOST_COUNTED)})::integer`;
      // A window starts with its first request. Rows are locked in the given order, which avoids deadlocks.
      const { rows } = await sql<RateLimitUsage>`
        insert into rate_limits as r (subject, minute_at, minute_count, day_at, day_count)
        select subject, now(), ${amount}::integer, now(), ${amount}::integer from unnest(${subjects}::text[]) with ordinality as given (subject, place) order by place
        on conflict (subject) do update set
          minute_at = case when ${minuteOver} then excluded.minute_at else r.minute_at end,
          minute_count = case when ${minuteOver} then ${amount}::integer else ${add('minute_count')} end,
          day_at = case when ${dayOver} then excluded.day_at else r.day_at end,
          day_count = case when ${dayOver} then ${amount}::integer
            when not ${minuteOver} and r.minute_count >= ${perMinute}::integer then r.day_count
            else ${add('day_count')} end
        returning subject, minute_count, ${left('minute_at', '1 minute')} as minute_left_s,
          day_count, ${left('day_at', '1 day')} as day_left_s`.execute(db);
      return rows;
    },
    async purge() {
      const { numDeletedRows } = await db
        .deleteFrom('rateLimits')
        .where('dayAt', '<', sql<Date>`now() - interval '1 day'`)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
