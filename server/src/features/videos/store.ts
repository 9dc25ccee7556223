import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { FolderScope } from '#features/folders/index';
import type { DB, Queryable } from '#platform/db/index';
import type { Probe } from '#platform/media/index';
import type { NewVideo, Video, VideoState } from './types.ts';

type Row = Selectable<DB['videos']> & { folder_name: string | null };
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

/** A page is cut from at most two indexes, each read backwards from the cursor: its cost does not grow with the library. */
export async function page(
  db: Queryable,
  { orgId, userId, whole, scope, folderId, before, limit }: PageRequest,
): Promise<Video[]> {
  let cut = db
    .selectFrom('videos')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit);
  if (folderId !== null) cut = cut.where('folder_id', '=', folderId);
  if (before !== null) cut = cut.where('id', '<', before);
  const shared = cut.where('scope', '=', 'org');
  let personal = cut.where('scope', '=', 'user');
  if (!whole) personal = personal.where('owner_id', '=', userId);
  const both = db
    .selectFrom(shared.as('shared'))
    .selectAll()
    .unionAll(db.selectFrom(personal.as('personal')).selectAll());
  const chosen = scope === 'org' ? shared : scope === 'user' ? personal : whole ? cut : both;
  const rows = await db
    .selectFrom(chosen.as('page'))
    .leftJoin('folders', 'folders.id', 'page.folder_id')
    .selectAll('page')
    .select('folders.name as folder_name')
    .orderBy('page.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(videoOf);
}

type PageRequest = {
  orgId: string;
  userId: string;
  /** Whether personal videos of others are seen too. */
  whole: boolean;
  scope: FolderScope | null;
  folderId: string | null;
  before: string | null;
  limit: number;
};

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

export async function change(
  db: Queryable,
  id: string,
  { name, scope, folderId, metadata }: Partial<Pick<Video, 'name' | 'scope' | 'folderId' | 'metadata'>>,
): Promise<void> {
  await db
    .updateTable('videos')
    .set({
      id,
      ...(name === undefined ? {} : { name }),
      ...(scope === undefined ? {} : { scope }),
      ...(folderId === undefined ? {} : { folder_id: folderId }),
      ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
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

/** Marks it deleted. Undefined when it was already, or never was. */
export async function hide(db: Queryable, id: string): Promise<{ orgId: string; folderId: string | null } | undefined> {
  return db
    .updateTable('videos')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(['org_id as orgId', 'folder_id as folderId'])
    .executeTakeFirst();
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

/** Removes the record of a deleted video. */
export async function erase(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('videos').where('id', '=', id).where('deleted_at', 'is not', null).execute();
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

/** Videos deleted more than `seconds` ago whose record is still there. */
export async function unerased(db: Queryable, seconds: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('deleted_at', '<', agoS(seconds))
    .orderBy('deleted_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const agoS = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;

function videoOf(row: Row): Video {
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
    createdAt: row.created_at,
  };
}
