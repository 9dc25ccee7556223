import { type Selectable, sql } from 'kysely';
import type { StoredScope } from '#features/folders/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { Probe } from '#platform/media/index';
import type { UserMetadata, Video, VideoState } from './types.ts';

export type Row = Selectable<DB['videos']> & { folder_name: string | null };

/** What is left to do for a video whose record was removed. */
export type Gone = {
  orgId: string;
  scope: string;
  folderId: string | null;
  status: string;
  reservedBytes: number;
  sha256: string | null;
};
export const GONE = [
  'org_id as orgId',
  'scope',
  'folder_id as folderId',
  'status',
  'reserved_bytes as reservedBytes',
  'sha256',
] as const;

/** What files and sources say, as JSON: half a character would be none to the database. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));

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

/** Whether those of the videos that are still known, deleted or not, lie in the folder, and any is. */
export async function allIn(db: Queryable, folderId: string, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ all: boolean | null }>`
    select bool_and(folder_id is not distinct from ${folderId}) as all from videos
    where id = any(${ids}::text[])`.execute(db);
  return rows[0]?.all === true;
}

export async function sourceUris(db: Queryable, ids: readonly string[]) {
  return db
    .selectFrom('videos')
    .select(['id', 'source_uri as uri'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('deleted_at', 'is', null)
    .execute();
}

/** From here on locks can be given back without ending the transaction. */
export const mark = async (trx: Transaction): Promise<void> => void (await sql`savepoint mark`.execute(trx));
/** Gives back the locks that were taken since `mark`. */
export const back = async (trx: Transaction): Promise<void> =>
  void (await sql`rollback to savepoint mark`.execute(trx));

/** How its arrival stands, of a deleted one too; undefined when there is no such video. */
export async function findStatus(db: Queryable, id: string): Promise<string | undefined> {
  return (await db.selectFrom('videos').select('status').where('id', '=', id).executeTakeFirst())?.status;
}

/** The folder that a video lies in, deleted or not; undefined when there is no such video. */
export async function folderIdOf(db: Queryable, id: string): Promise<string | null | undefined> {
  return (await db.selectFrom('videos').select('folder_id').where('id', '=', id).executeTakeFirst())?.folder_id;
}

/** The video, deleted or not. Locks its row. */
export async function lock(trx: Transaction, id: string): Promise<Video | undefined> {
  const row = await trx.selectFrom('videos').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row && videoOf({ ...row, folder_name: null });
}

/** Returns the organisation; undefined when there is no such video, or it is deleted. */
export async function setSidecar(
  trx: Transaction,
  id: string,
  summary: object,
): Promise<{ orgId: string } | undefined> {
  return trx
    .updateTable('videos')
    .set({ metadata: sql`metadata || ${jsonOf({ sidecar: summary })}::jsonb` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('org_id as orgId')
    .executeTakeFirst();
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
      ...(metadata === undefined ? {} : { metadata: jsonOf(metadata) }),
      ...(userMetadata === undefined ? {} : { user_metadata: JSON.stringify(userMetadata) }),
      ...(tags === undefined ? {} : { tags }),
    })
    .where('id', '=', id)
    .execute();
}

export function videoOf(row: Row): Video {
  return {
    id: row.id,
    orgId: row.org_id,
    ownerId: row.owner_id,
    scope: row.scope as StoredScope,
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
