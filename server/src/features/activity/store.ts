import { sql } from 'kysely';
import type { Database, Queryable } from '#platform/db/index';
import type { Change, Head } from './types.ts';

export const CHANNEL = 'sightline_activity';

/** Changes that one transaction numbers or removes. */
const BATCH_SIZE = 5_000;

/**
 * Assigns positions to the committed changes of an organization. Numbering locks the head of the stream, so that
 * readers on all nodes see the same positions, in ascending order and without gaps. A row that a transaction is
 * replacing by later progress is skipped; the commit notifies again.
 */
export async function numberChanges(database: Database, orgId: string): Promise<void> {
  while (await hasPending(database.db, orgId)) {
    const numbered = await database.transaction(async (trx) => {
      await lockHead(trx, orgId);
      const { rows } = await sql<{ numbered: number }>`
        with pending as (
          select sequence from activity where org_id = ${orgId} and id is null
          order by sequence limit ${BATCH_SIZE} for update skip locked
        ), ordered as (
          select sequence, row_number() over (order by sequence) as position from pending
        ), numbered as (
          update activity set id = head.last_id + position
          from ordered, activity_heads head
          where activity.sequence = ordered.sequence and head.org_id = ${orgId}
          returning 1
        )
        update activity_heads set last_id = last_id + (select count(*) from numbered)
        where org_id = ${orgId} returning (select count(*)::integer from numbered) as numbered`.execute(trx);
      return rows[0]!.numbered;
    });
    if (numbered < BATCH_SIZE) return;
  }
}

async function hasPending(db: Queryable, orgId: string): Promise<boolean> {
  const pending = db.selectFrom('activity').select('sequence').where('orgId', '=', orgId).where('id', 'is', null);
  return (await pending.limit(1).executeTakeFirst()) !== undefined;
}

async function lockHead(trx: Queryable, orgId: string): Promise<void> {
  await trx
    .insertInto('activityHeads')
    .values({ orgId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx.selectFrom('activityHeads').select('orgId').where('orgId', '=', orgId).forUpdate().execute();
}

export async function findHead(db: Queryable, orgId: string): Promise<Head> {
  const head = await db
    .selectFrom('activityHeads')
    .select(['lastId', 'purgedId'])
    .where('orgId', '=', orgId)
    .executeTakeFirst();
  return head ?? { lastId: 1, purgedId: 1 };
}

/** The numbered changes after a position, in order. */
export async function findChanges(db: Queryable, orgId: string, after: number, limit: number): Promise<Change[]> {
  const rows = await db
    .selectFrom('activity')
    .select(['id', 'orgId', 'resource', 'resourceId', 'change', 'ownerId', 'scope', 'folderId'])
    .select(['previousScope', 'previousFolderId', 'data', 'createdAt'])
    .where('orgId', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows as Change[];
}

/** Organizations with changes that have no position yet. */
export async function findPendingOrgs(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom('activity').select('orgId').distinct().where('id', 'is', null).execute();
  return rows.map(({ orgId }) => orgId);
}

/** Removes the changes before a time. Readers that resume before the removed ones start over. */
export async function purge(database: Database, before: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const oldest = await database.db
      .selectFrom('activity')
      .select('orgId')
      .where('createdAt', '<', before)
      .orderBy('createdAt')
      .limit(1)
      .executeTakeFirst();
    if (!oldest) return removed;
    removed += await database.transaction(async (trx) => {
      await lockHead(trx, oldest.orgId);
      // Changes without a position were never sent: the stream skips one position, and readers at its end start over.
      const { rows } = await sql<{ removed: number }>`
        with removed as (
          delete from activity where sequence in (
            select sequence from activity where org_id = ${oldest.orgId} and created_at < ${before}
            order by created_at limit ${BATCH_SIZE}
          ) returning id
        ), counts as (
          select count(*)::integer as removed, max(id) as max_id, bool_or(id is null)::integer as unsent from removed
        )
        update activity_heads
        set last_id = last_id + unsent, purged_id = greatest(purged_id, max_id, (last_id + 1) * unsent)
        from counts where org_id = ${oldest.orgId} returning removed`.execute(trx);
      return rows[0]!.removed;
    });
  }
}
