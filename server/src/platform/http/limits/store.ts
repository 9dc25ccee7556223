import { sql } from 'kysely';
import type { Db } from '#platform/db/index';

/** What one subject (a key, an address) has used of its two windows, this request included, and the seconds until each starts anew. */
export type Usage = { subject: string; minuteCount: number; minuteLeftS: number; dayCount: number; dayLeftS: number };

/** Counters stay below what their columns hold. */
const MOST_COUNTED = 2_000_000_000;

export interface LimitStore {
  /** Counts `amount` (default: 1, a request) for each subject. What its minute refuses does not count for its day. */
  count(subjects: readonly string[], perMinute: number, amount?: number): Promise<Usage[]>;
  /** Removes the counts of subjects that were quiet for a day; returns how many. */
  purge(): Promise<number>;
}

/**
 * A window that begins in the future is over too: the database's clock was set back. By that clock as it is now, and not when this request began: one that began later
 * may have been counted first.
 */
const over = (column: string, window: string) =>
  sql<boolean>`(r.${sql.raw(column)} + interval '${sql.raw(window)}' <= excluded.${sql.raw(column)} or r.${sql.raw(column)} > clock_timestamp())`;
const left = (column: string, window: string) =>
  sql`ceil(extract(epoch from r.${sql.raw(column)} + interval '${sql.raw(window)}' - now()))::integer`;

export function createLimitStore(db: Db): LimitStore {
  const minuteOver = over('minute_at', '1 minute');
  const dayOver = over('day_at', '1 day');
  return {
    async count(subjects, perMinute, amount = 1) {
      const add = (column: string) =>
        sql`least(r.${sql.raw(column)}::bigint + ${amount}::integer, ${sql.lit(MOST_COUNTED)})::integer`;
      // A window starts with its first request. Rows are always locked in the order given, so that two requests never wait for each other.
      const { rows } = await sql<Usage>`
        insert into rate_limits as r (subject, minute_at, minute_count, day_at, day_count)
        select subject, now(), ${amount}::integer, now(), ${amount}::integer from unnest(${subjects}::text[]) with ordinality as given (subject, place) order by place
        on conflict (subject) do update set
          minute_at = case when ${minuteOver} then excluded.minute_at else r.minute_at end,
          minute_count = case when ${minuteOver} then ${amount}::integer else ${add('minute_count')} end,
          day_at = case when ${dayOver} then excluded.day_at else r.day_at end,
          day_count = case when ${dayOver} then ${amount}::integer
            when not ${minuteOver} and r.minute_count >= ${perMinute}::integer then r.day_count
            else ${add('day_count')} end
        returning subject, minute_count as "minuteCount", ${left('minute_at', '1 minute')} as "minuteLeftS",
          day_count as "dayCount", ${left('day_at', '1 day')} as "dayLeftS"`.execute(db);
      return rows;
    },
    async purge() {
      const { numDeletedRows } = await db
        .deleteFrom('rate_limits')
        .where('day_at', '<', sql<Date>`now() - interval '1 day'`)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
