import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { REMOVED_COLUMNS, type RemovedVideo } from '../store.ts';

export type DeletedVideoRow = {
  id: string;
  orgId: string;
  folderId: string | null;
  eraseAfter: Date;
  restorable: boolean;
};

/** Only uploaded videos have a period in which they can be restored. */
const deletionColumns = (graceS: number) => ({
  deletedAt: sql<Date>`now()`,
  eraseAfter: sql<Date>`now() + make_interval(secs => case when status = 'UPLOADED' then ${graceS}::float8 else 0 end)`,
});
const DELETED_COLUMNS = [
  'id',
  'orgId',
  'folderId',
  'eraseAfter',
  sql<boolean>`erase_after > deleted_at`.as('restorable'),
] as const;

/** True for a video past the retention period of its folder. */
const IS_EXPIRED = sql<boolean>`exists (
  select from folders
  where folders.id = videos.folder_id and videos.created_at < now() - make_interval(days => folders.retention_days))`;

/** Marks a video as deleted. Undefined if it is deleted already or, with `expired`, within its retention period. */
export async function markDeleted(
  db: Queryable,
  id: string,
  { graceS, expired = false }: { graceS: number; expired?: boolean },
): Promise<DeletedVideoRow | undefined> {
  const row = await db
    .updateTable('videos')
    .set(deletionColumns(graceS))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .$if(expired, (query) => query.where(IS_EXPIRED))
    .returning(DELETED_COLUMNS)
    .executeTakeFirst();
  return row as DeletedVideoRow | undefined;
}

/** Marks all videos of a folder as deleted. Returns their ids. */
export async function markFolderDeleted(trx: Transaction, folderId: string, graceS: number): Promise<string[]> {
  const rows = await trx
    .updateTable('videos')
    .set(deletionColumns(graceS))
    .where('folderId', '=', folderId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes all videos from a folder, deleted ones included. */
export async function clearFolder(trx: Transaction, folderId: string): Promise<void> {
  await trx.updateTable('videos').set({ folderId: null }).where('folderId', '=', folderId).execute();
}

/**
 * Undoes the deletion, and removes the video from a folder whose retention period is over. Returns its folder;
 * undefined if the restore period is over.
 */
export async function unmarkDeleted(trx: Transaction, id: string): Promise<{ folderId: string | null } | undefined> {
  return trx
    .updateTable('videos')
    .set({
      deletedAt: null,
      eraseAfter: null,
      folderId: sql<string | null>`case when ${IS_EXPIRED} then null else folder_id end`,
    })
    .where('id', '=', id)
    .where('eraseAfter', '>', sql<Date>`now()`)
    .returning('folderId')
    .executeTakeFirst();
}

/** Locks and returns a deleted video. */
export async function lockDeleted(trx: Transaction, id: string): Promise<DeletedVideoRow | undefined> {
  const row = await trx
    .selectFrom('videos')
    .select(DELETED_COLUMNS)
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  return row as DeletedVideoRow | undefined;
}

/** True if the video exists or can be restored, so that its files must stay. */
export async function isRetained(db: Queryable, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('id', '=', id)
    .where((or) => or.or([or('deletedAt', 'is', null), or('eraseAfter', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Ids of videos past their retention period: the oldest of each folder, at most `limit` each. */
export async function findExpired(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select oldest.id from folders cross join lateral (
      select id, created_at from videos
      where folder_id = folders.id and deleted_at is null order by id limit ${limit}
    ) oldest
    where retention_days is not null and oldest.created_at < now() - make_interval(days => retention_days)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Removes the record of a deleted video after its restore period. Undefined if there is none. */
export async function deleteErased(trx: Transaction, id: string): Promise<RemovedVideo | undefined> {
  return trx
    .deleteFrom('videos')
    .where('id', '=', id)
    .where('eraseAfter', '<=', sql<Date>`now()`)
    .returning(REMOVED_COLUMNS)
    .executeTakeFirst();
}

/** Ids of videos whose erasure is overdue by more than `seconds`. */
export async function findOverdueErasures(db: Queryable, seconds: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('deletedAt', 'is not', null)
    .where('eraseAfter', '<', secondsAgo(seconds))
    .orderBy('eraseAfter')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;
