import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { GONE, type Gone } from './store.ts';

export type Hidden = { id: string; orgId: string; folderId: string | null; eraseAfter: Date; restorable: boolean };

/** Only what is there has a time in which it can be restored. */
const hideFor = (graceS: number) => ({
  deleted_at: sql<Date>`now()`,
  erase_after: sql<Date>`now() + make_interval(secs => case when status = 'UPLOADED' then ${graceS}::float8 else 0 end)`,
});
const HIDDEN = [
  'id',
  'org_id as orgId',
  'folder_id as folderId',
  'erase_after as eraseAfter',
  sql<boolean>`erase_after > deleted_at`.as('restorable'),
] as const;

/** Its folder keeps it no longer. */
const UNKEPT = sql<boolean>`exists (
  select from folders
  where folders.id = videos.folder_id and videos.created_at < now() - make_interval(days => folders.retention_days))`;

/** Marks it deleted. Undefined when it was already, or never was; with `expired` also when its folder keeps it still. */
export async function hide(
  db: Queryable,
  id: string,
  { graceS, expired = false }: { graceS: number; expired?: boolean },
): Promise<Hidden | undefined> {
  const row = await db
    .updateTable('videos')
    .set(hideFor(graceS))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(expired, (query) => query.where(UNKEPT))
    .returning(HIDDEN)
    .executeTakeFirst();
  return row as Hidden | undefined;
}

/** Marks all of a folder deleted. Returns them. */
export async function hideAll(trx: Transaction, folderId: string, graceS: number): Promise<string[]> {
  const rows = await trx
    .updateTable('videos')
    .set(hideFor(graceS))
    .where('folder_id', '=', folderId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes all out of a folder, those that are deleted too. */
export async function emptyFolder(trx: Transaction, folderId: string): Promise<void> {
  await trx.updateTable('videos').set({ folder_id: null }).where('folder_id', '=', folderId).execute();
}

/**
 * Takes back that it was marked deleted, and takes it out of a folder that would delete it again. Returns the folder that it lies in then;
 * undefined when its time is over.
 */
export async function show(trx: Transaction, id: string): Promise<{ folderId: string | null } | undefined> {
  return trx
    .updateTable('videos')
    .set({
      ...{ deleted_at: null, erase_after: null },
      folder_id: sql<string | null>`case when ${UNKEPT} then null else folder_id end`,
    })
    .where('id', '=', id)
    .where('erase_after', '>', sql<Date>`now()`)
    .returning('folder_id as folderId')
    .executeTakeFirst();
}

/** A video marked deleted, its row locked. */
export async function hidden(trx: Transaction, id: string): Promise<Hidden | undefined> {
  const row = await trx
    .selectFrom('videos')
    .select(HIDDEN)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  return row as Hidden | undefined;
}

/** Whether there is such a video, or can be again: nothing of it may be removed. */
export async function isKept(db: Queryable, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('id', '=', id)
    .where((or) => or.or([or('deleted_at', 'is', null), or('erase_after', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Videos that their folder keeps no longer: of each such folder the oldest, at most `limit`. */
export async function expired(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select oldest.id from folders cross join lateral (
      select id, created_at from videos
      where folder_id = folders.id and deleted_at is null order by id limit ${limit}
    ) oldest
    where retention_days is not null and oldest.created_at < now() - make_interval(days => retention_days)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Removes the record of a deleted video whose time is over. Undefined when there is none. */
export async function erase(trx: Transaction, id: string): Promise<Gone | undefined> {
  return trx
    .deleteFrom('videos')
    .where('id', '=', id)
    .where('erase_after', '<=', sql<Date>`now()`)
    .returning(GONE)
    .executeTakeFirst();
}

/** Videos that should have been erased more than `seconds` ago and whose record is still there. */
export async function unerased(db: Queryable, seconds: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('erase_after', '<', agoS(seconds))
    .orderBy('erase_after')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const agoS = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;
