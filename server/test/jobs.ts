import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '#platform/db/index';

/**
 * Waits until no job waits or runs on any node, so that the work of one test does not reach into the next. Jobs that
 * start later, such as the erasure of a deleted video, do not count.
 */
export async function jobsEnded({ db }: Pick<Database, 'db'>): Promise<void> {
  const due = sql`select name, state from pgboss.job
    where state < 'completed' and (state = 'active' or start_after <= now())`;
  await vi.waitFor(async () => expect((await due.execute(db)).rows).toEqual([]), { timeout: 60_000, interval: 50 });
}
