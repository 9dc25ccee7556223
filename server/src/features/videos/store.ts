import { type Selectable, sql } from 'kysely';
import type { StoredScope } from '#features/folders/index';
import { type DB, type Queryable, type Transaction, toJson } from '#platform/db/index';
import type { Probe } from '#platform/media/index';
import type { StoredClock } from './clock/types.ts';
import type { UserMetadata, Video, VideoState } from './types.ts';

export type VideoRow = Selectable<DB['videos']> & { folderName: string | null };

/** Columns of a removed record that are needed to release its usage. */
export type RemovedVideo = {
  orgId: string;
  scope: string;
  folderId: string | null;
  status: string;
  reservedBytes: number;
  sha256: string | null;
};
export const REMOVED_COLUMNS = ['orgId', 'scope', 'folderId', 'status', 'reservedBytes', 'sha256'] as const;

/** Returns the existing videos, in any order. */
export async function findByIds(db: Queryable, ids: readonly string[]): Promise<Video[]> {
  const rows = await db
    .selectFrom('videos')
    .leftJoin('folders', 'folders.id', 'videos.folderId')
    .selectAll('videos')
    .select('folders.name as folderName')
    .where('videos.id', '=', sql<string>`any(${[...new Set(ids)]}::text[])`)
    .where('videos.deletedAt', 'is', null)
    .execute();
  return rows.map(toVideo);
}

/** True if at least one of the videos exists, deleted or not, and all that exist are in the folder. */
export async function areAllInFolder(db: Queryable, folderId: string, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ all: boolean | null }>`
    select bool_and(folder_id is not distinct from ${folderId}) as all from videos
    where id = any(${ids}::text[])`.execute(db);
  return rows[0]?.all === true;
}

/** Names of the existing videos, deleted ones included. */
export async function namesOf(db: Queryable, ids: readonly string[]) {
  return db.selectFrom('videos').select(['id', 'name']).where('id', '=', sql<string>`any(${ids}::text[])`).execute();
}

export async function sourceUris(db: Queryable, ids: readonly string[]) {
  return db
    .selectFrom('videos')
    .select(['id', 'sourceUri as uri'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('deletedAt', 'is', null)
    .execute();
}

/** Starts a section whose locks can be released without ending the transaction. */
export const setSavepoint = async (trx: Transaction): Promise<void> => void (await sql`savepoint mark`.execute(trx));
/** Releases the locks taken since `setSavepoint`. */
export const rollbackToSavepoint = async (trx: Transaction): Promise<void> =>
  void (await sql`rollback to savepoint mark`.execute(trx));

/** State of a video, deleted or not; undefined if there is none. */
export async function findStatus(db: Queryable, id: string): Promise<string | undefined> {
  return (await db.selectFrom('videos').select('status').where('id', '=', id).executeTakeFirst())?.status;
}

/** Folder of a video, deleted or not; undefined if there is no such video. */
export async function findFolderId(db: Queryable, id: string): Promise<string | null | undefined> {
  return (await db.selectFrom('videos').select('folderId').where('id', '=', id).executeTakeFirst())?.folderId;
}

/** Locks and returns the video, deleted or not. */
export async function lock(trx: Transaction, id: string): Promise<Video | undefined> {
  const row = await trx.selectFrom('videos').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row && toVideo({ ...row, folderName: null });
}

/**
 * Replaces the summary of a file beside the video; null removes it. Returns the organization; undefined if there is no
 * such video or it is deleted.
 */
export async function setSummary(
  trx: Transaction,
  id: string,
  file: 'sidecar' | 'subtitles',
  summary: object | null,
): Promise<{ orgId: string } | undefined> {
  return trx
    .updateTable('videos')
    .set({
      metadata:
        summary === null
          ? sql`metadata - ${file}::text`
          : sql`metadata || ${toJson({ [file]: summary } as Record<string, unknown>)}::jsonb`,
    })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('orgId')
    .executeTakeFirst();
}

export async function updateVideo(
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
      ...(folderId === undefined ? {} : { folderId }),
      ...(metadata === undefined ? {} : { metadata: toJson(metadata) }),
      ...(userMetadata === undefined ? {} : { userMetadata: JSON.stringify(userMetadata) }),
      ...(tags === undefined ? {} : { tags }),
    })
    .where('id', '=', id)
    .execute();
}

export function toVideo(row: VideoRow): Video {
  return {
    id: row.id,
    orgId: row.orgId,
    ownerId: row.ownerId,
    scope: row.scope as StoredScope,
    folderId: row.folderId,
    folderName: row.folderName,
    cameraId: row.cameraId,
    name: row.name,
    source: row.source,
    sourceUri: row.sourceUri,
    status: row.status as VideoState,
    problem: row.problemCode === null ? null : { code: row.problemCode, message: row.problemMessage ?? '' },
    storageKey: row.storageKey,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    durationS: row.durationS,
    width: row.width,
    height: row.height,
    frameRate: row.frameRate,
    probe: row.probe as Probe | null,
    metadata: row.metadata as Record<string, unknown>,
    userMetadata: row.userMetadata as UserMetadata,
    tags: row.tags,
    createdAt: row.createdAt,
    recordedAt: row.recordedAt,
    timeZone: row.timeZone,
    clock: row.clock as StoredClock | null,
    eraseAfter: row.eraseAfter,
    hold: row.heldAt && { since: row.heldAt, by: row.heldBy!, reason: row.holdReason! },
  };
}
