import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { FolderScope } from '#features/folders/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { Probe } from '#platform/media/index';
import type { NewVideo, UserMetadata, Video, VideoState } from './types.ts';

export type Row = Selectable<DB['videos']> & { folder_name: string | null };
type On = ExpressionBuilder<DB, 'videos'>;

const arriving = (where: On) =>
  where.and([where('status', '=', 'PREPARE_IN_PROGRESS'), where('deleted_at', 'is', null)]);

export async function insert(db: Queryable, video: NewVideo & { storageKey: string }): Promise<void> {
  await db
    .insertInto('videos')
    .values({
      id: video.id,
      org_id: video.orgId,
      owner_id: video.ownerId,
      scope: video.scope,
      folder_id: video.folderId,
      name: video.name,
      source: video.source,
      source_uri: video.sourceUri,
      status: 'PREPARE_IN_PROGRESS',
      storage_key: video.storageKey,
      metadata: JSON.stringify(video.metadata),
      touched_at: video.heartbeat ? sql<Date>`now()` : null,
    })
    .execute();
}

/** Those of the videos that are there, in any order. */
export async function byIds(db: Queryable, ids: readonly string[]): Promise<Video[]> {
  const rows = await db
    .selectFrom('videos')
    .leftJoin('folders', 'folders.id', 'videos.folder_id')
    .selectAll('videos')
    .select('folders.name as folder_name')
    .where('videos.id', '=', sql<string>`any(${[...new Set(ids)]}::text[])`)
    .where('videos.deleted_at', 'is', null)
    .execute();
  return rows.map(videoOf);
}

export async function sourceUris(db: Queryable, ids: readonly string[]) {
  return db
    .selectFrom('videos')
    .select(['id', 'source_uri as uri'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Returns the folder it lay in before; undefined when the video is not on its way. Locks the row. */
export async function lockArriving(db: Queryable, id: string): Promise<{ folderId: string | null } | undefined> {
  return db
    .selectFrom('videos')
    .select('folder_id as folderId')
    .where('id', '=', id)
    .where(arriving)
    .forUpdate()
    .executeTakeFirst();
}

/** From here on locks can be given back without ending the transaction. */
export const mark = async (trx: Transaction): Promise<void> => void (await sql`savepoint mark`.execute(trx));
/** Gives back the locks that were taken since `mark`. */
export const back = async (trx: Transaction): Promise<void> =>
  void (await sql`rollback to savepoint mark`.execute(trx));

/** The folder that a video lies in, deleted or not; undefined when there is no such video. */
export async function folderIdOf(db: Queryable, id: string): Promise<string | null | undefined> {
  return (await db.selectFrom('videos').select('folder_id').where('id', '=', id).executeTakeFirst())?.folder_id;
}

/** The video, deleted or not. Locks its row. */
export async function lock(trx: Transaction, id: string): Promise<Video | undefined> {
  const row = await trx.selectFrom('videos').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row && videoOf({ ...row, folder_name: null });
}

export async function change(
  db: Queryable,
  id: string,
  {
    name,
    scope,
    folderId,
    metadata,
    userMetadata,
    tags,
  }: Partial<Pick<Video, 'name' | 'scope' | 'folderId' | 'metadata' | 'userMetadata' | 'tags'>>,
): Promise<void> {
  await db
    .updateTable('videos')
    .set({
      id,
      ...(name === undefined ? {} : { name }),
      ...(scope === undefined ? {} : { scope }),
      ...(folderId === undefined ? {} : { folder_id: folderId }),
      ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
      ...(userMetadata === undefined ? {} : { user_metadata: JSON.stringify(userMetadata) }),
      ...(tags === undefined ? {} : { tags }),
    })
    .where('id', '=', id)
    .execute();
}

export async function touch(db: Queryable, id: string): Promise<boolean> {
  const result = await db
    .updateTable('videos')
    .set({ touched_at: sql`now()` })
    .where('id', '=', id)
    .where(arriving)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

type Outcome =
  | { status: 'UPLOADED'; probe: Probe; sizeBytes: number; sha256: string }
  | { status: 'UPLOADING_FAILED'; code: string; message: string };

/** Ends the arrival. Returns the organisation; undefined when the video is not on its way, or not as silent as is asked for. */
export async function settle(
  db: Queryable,
  id: string,
  outcome: Outcome,
  silentS?: number,
): Promise<{ orgId: string } | undefined> {
  const set =
    outcome.status === 'UPLOADED'
      ? {
          size_bytes: outcome.sizeBytes,
          sha256: outcome.sha256,
          duration_s: outcome.probe.durationS,
          width: outcome.probe.video.width,
          height: outcome.probe.video.height,
          frame_rate: outcome.probe.video.frameRate,
          probe: JSON.stringify(outcome.probe),
        }
      : { problem_code: outcome.code, problem_message: outcome.message };
  return db
    .updateTable('videos')
    .set({ status: outcome.status, touched_at: null, ...set })
    .where('id', '=', id)
    .where(arriving)
    .$if(silentS !== undefined, (query) => query.where('touched_at', '<', agoS(silentS!)))
    .returning('org_id as orgId')
    .executeTakeFirst();
}

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
    .$if(expired, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('folders')
            .select('folders.id')
            .whereRef('folders.id', '=', 'videos.folder_id')
            .where(sql<boolean>`videos.created_at < now() - make_interval(days => folders.retention_days)`),
        ),
      ),
    )
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

/** Takes back that it was marked deleted, unless its time is over. False when it is. */
export async function show(trx: Transaction, id: string): Promise<boolean> {
  const result = await trx
    .updateTable('videos')
    .set({ deleted_at: null, erase_after: null })
    .where('id', '=', id)
    .where('erase_after', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
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

/** Whether the time in which it could be restored is over; it never comes back then. */
export async function isDue(db: Queryable, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('id', '=', id)
    .where('erase_after', '<=', sql<Date>`now()`)
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

/** Removes the record of a video that is not stored. Undefined when it is, or is deleted. */
export async function removeUnstored(db: Queryable, id: string): Promise<{ folderId: string | null } | undefined> {
  return db
    .deleteFrom('videos')
    .where('id', '=', id)
    .where('status', '<>', 'UPLOADED')
    .where('deleted_at', 'is', null)
    .returning('folder_id as folderId')
    .executeTakeFirst();
}

/** Removes the record of a deleted video whose time is over. */
export async function erase(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('videos').where('id', '=', id).where('erase_after', '<=', sql<Date>`now()`).execute();
}

/** Videos whose connection has not been heard of for `silentS` seconds. */
export async function silent(db: Queryable, silentS: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where(arriving)
    .where('touched_at', '<', agoS(silentS))
    .orderBy('touched_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
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

export function videoOf(row: Row): Video {
  return {
    id: row.id,
    orgId: row.org_id,
    ownerId: row.owner_id,
    scope: row.scope as FolderScope,
    folderId: row.folder_id,
    folderName: row.folder_name,
    name: row.name,
    source: row.source,
    sourceUri: row.source_uri,
    status: row.status as VideoState,
    problem: row.problem_code === null ? null : { code: row.problem_code, message: row.problem_message ?? '' },
    storageKey: row.storage_key,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    durationS: row.duration_s,
    width: row.width,
    height: row.height,
    frameRate: row.frame_rate,
    probe: row.probe as Probe | null,
    metadata: row.metadata as Record<string, unknown>,
    userMetadata: row.user_metadata as UserMetadata,
    tags: row.tags,
    createdAt: row.created_at,
    eraseAfter: row.erase_after,
  };
}
