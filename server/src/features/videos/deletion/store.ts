import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { REMOVED_COLUMNS, type RemovedVideo } from '../store.ts';
import type { DeletionRule, Hold } from '../types.ts';

export type DeletedVideoRow = {
  id: string;
  orgId: string;
  folderId: string | null;
  eraseAfter: Date;
  restorable: boolean;
};

/** The user or the rule that deletes a video, and the reason. */
export type DeletionCause = { by?: string | null; rule?: DeletionRule; reason?: string | null };

/** Only uploaded videos have a period in which they can be restored. */
const deletionColumns = (graceS: number, { by = null, rule, reason = null }: DeletionCause) => ({
  deletedBy: by,
  deletionRule: rule ?? null,
  deletionReason: reason,
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

/**
 * True while a deleted video can be restored. By the clock, not by the start of the transaction, which may be earlier
 * than the erasure.
 */
const IS_RESTORABLE = sql<boolean>`erase_after > clock_timestamp()`;

/**
 * Marks a video as deleted. Undefined if it is deleted already, on hold or, with the rule `folder_retention`, within
 * the retention period of its folder.
 */
export async function markDeleted(
  db: Queryable,
  id: string,
  { graceS, ...cause }: { graceS: number } & DeletionCause,
): Promise<DeletedVideoRow | undefined> {
  const row = await db
    .updateTable('videos')
    .set(deletionColumns(graceS, cause))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .where('heldAt', 'is', null)
    .$if(cause.rule === 'folder_retention', (query) => query.where(IS_EXPIRED))
    .returning(DELETED_COLUMNS)
    .executeTakeFirst();
  return row as DeletedVideoRow | undefined;
}

/** Ends the restore period of a deleted video. Undefined if it is over, or the video is not deleted or on hold. */
export async function endRestorePeriod(
  trx: Transaction,
  id: string,
  { by = null, reason = null }: DeletionCause,
): Promise<{ id: string } | undefined> {
  return trx
    .updateTable('videos')
    .set({ eraseAfter: sql<Date>`now()`, deletedBy: by, deletionRule: null, deletionReason: reason })
    .where('id', '=', id)
    .where('heldAt', 'is', null)
    .where(IS_RESTORABLE)
    .returning('id')
    .executeTakeFirst();
}

/**
 * Puts an uploaded video on hold, or changes its hold; a deleted one is then restorable without an end. False if it is
 * erased, or not uploaded.
 */
export async function hold(trx: Transaction, id: string, { by, reason }: Omit<Hold, 'since'>): Promise<boolean> {
  const result = await trx
    .updateTable('videos')
    .set({
      heldAt: sql<Date>`now()`,
      heldBy: by,
      holdReason: reason,
      eraseAfter: sql<Date>`case when deleted_at is not null then timestamptz '9999-12-31 00:00:00+00' end`,
    })
    .where('id', '=', id)
    .where('status', '=', 'UPLOADED')
    .where((or) => or.or([or('deletedAt', 'is', null), IS_RESTORABLE]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Releases a video; a deleted one can be restored for another `graceS` seconds. Undefined if it is not on hold. */
export async function release(trx: Transaction, id: string, graceS: number): Promise<DeletedVideoRow | undefined> {
  const row = await trx
    .updateTable('videos')
    .set({
      heldAt: null,
      heldBy: null,
      holdReason: null,
      eraseAfter: sql<Date>`case when deleted_at is not null then now() + make_interval(secs => ${graceS}::float8) end`,
    })
    .where('id', '=', id)
    .where('heldAt', 'is not', null)
    .returning([...DELETED_COLUMNS])
    .executeTakeFirst();
  return row as DeletedVideoRow | undefined;
}

/** Number of videos of a folder that exist and are on hold. */
export async function countHeld(trx: Transaction, folderId: string): Promise<number> {
  const row = await trx
    .selectFrom('videos')
    .select(sql<number>`count(*)::int`.as('held'))
    .where('folderId', '=', folderId)
    .where('deletedAt', 'is', null)
    .where('heldAt', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.held;
}

/** Marks all videos of a folder as deleted; held ones stay. Returns their ids. */
export async function markFolderDeleted(trx: Transaction, folderId: string, graceS: number): Promise<string[]> {
  const rows = await trx
    .updateTable('videos')
    .set(deletionColumns(graceS, { rule: 'folder_deleted' }))
    .where('folderId', '=', folderId)
    .where('deletedAt', 'is', null)
    .where('heldAt', 'is', null)
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
      deletedBy: null,
      deletionRule: null,
      deletionReason: null,
      folderId: sql<string | null>`case when ${IS_EXPIRED} then null else folder_id end`,
    })
    .where('id', '=', id)
    .where(IS_RESTORABLE)
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

/**
 * True if the video exists or can be restored, so that its files must stay. Waits for a transaction that holds or
 * restores it; later ones fail once this returned false.
 */
export async function isRetained(db: Queryable, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select((or) => or.or([or('deletedAt', 'is', null), IS_RESTORABLE]).as('retained'))
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row?.retained === true;
}

/** Ids of videos past their retention period: the oldest of each folder, at most `limit` each. */
export async function findExpired(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select oldest.id from folders cross join lateral (
      select id, created_at from videos
      where folder_id = folders.id and deleted_at is null and held_at is null order by id limit ${limit}
    ) oldest
    where retention_days is not null and oldest.created_at < now() - make_interval(days => retention_days)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Facts about an erased video for the audit log: nothing of its content, and no name. */
export type ErasedVideo = RemovedVideo & {
  deletedBy: string | null;
  deletionRule: string | null;
  deletionReason: string | null;
  deletedAt: Date;
  createdAt: Date;
  cameraId: string | null;
  sizeBytes: number | null;
  durationS: number | null;
  recordedAt: Date | null;
  recordedUntil: Date | null;
};

/** Removes the record of a deleted video after its restore period. Undefined if there is none. */
export async function deleteErased(trx: Transaction, id: string): Promise<ErasedVideo | undefined> {
  const row = await trx
    .deleteFrom('videos')
    .where('id', '=', id)
    .where('eraseAfter', '<=', sql<Date>`now()`)
    .returning([
      ...REMOVED_COLUMNS,
      'deletedBy',
      'deletionRule',
      'deletionReason',
      'deletedAt',
      'createdAt',
      'cameraId',
      'sizeBytes',
      'durationS',
      'recordedAt',
      'recordedUntil',
    ])
    .executeTakeFirst();
  return row as ErasedVideo | undefined;
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
