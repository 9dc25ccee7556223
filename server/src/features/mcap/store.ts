import { type Selectable, sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import {
  type ChannelRoles,
  type ChannelVideo,
  type IngestStatus,
  type McapIngest,
  NO_ROLES,
  type Survey,
} from './types.ts';

type Problem = { code: string; message: string };
type StoredProblem = { problemCode: string | null; problemMessage: string | null };

type NewIngest = Pick<
  McapIngest,
  | 'id'
  | 'orgId'
  | 'ownerId'
  | 'scope'
  | 'folderId'
  | 'importId'
  | 'objectKey'
  | 'objectId'
  | 'objectVersion'
  | 'filename'
  | 'sourceUri'
  | 'sizeBytes'
  | 'reservedBytes'
  | 'sha256'
  | 'chunkSizeS'
  | 'status'
> &
  Partial<Pick<McapIngest, 'episodes'>>;

export async function insert(trx: Transaction, ingests: readonly NewIngest[]): Promise<void> {
  await trx
    .insertInto('mcapIngests')
    .values(
      ingests.map(({ chunkSizeS, episodes = null, ...ingest }) => ({
        ...ingest,
        partS: chunkSizeS,
        episodes: episodes && JSON.stringify(episodes),
      })),
    )
    .execute();
}

export async function find(db: Queryable, id: string): Promise<McapIngest | null> {
  const row = await db.selectFrom('mcapIngests').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toIngest(row) : null;
}

export type ListedIngest = Pick<
  McapIngest,
  'status' | 'filename' | 'sourceUri' | 'sizeBytes' | 'folderId' | 'scope' | 'createdAt' | 'completedAt'
> & { mcapIngestId: string; error: string | null; errorCode: string | null };

/** Ingests that the caller may read, newest first, before the id `before` (null: from the newest). */
export async function listReadable(
  db: Queryable,
  { caller, before, limit }: { caller: Caller; before: string | null; limit: number },
): Promise<ListedIngest[]> {
  const rows = await db
    .selectFrom('mcapIngests')
    .select(['id as mcapIngestId', 'problemMessage as error', 'problemCode as errorCode'])
    .select(['status', 'filename', 'sourceUri', 'sizeBytes', 'folderId', 'scope', 'createdAt', 'completedAt'])
    .where(isReadable(caller, 'mcapIngests'))
    .$if(caller.folderId !== undefined, (query) => query.where('folderId', '=', caller.folderId!))
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows as ListedIngest[];
}

/** Returns an ingest and locks its row. */
export async function lock(trx: Transaction, id: string): Promise<McapIngest | null> {
  const row = await trx.selectFrom('mcapIngests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row ? toIngest(row) : null;
}

type UploadedFile = { storageKey: string; sizeBytes: number; sha256: string };

/** Marks an ingest in the state `from` as uploaded. Returns null if it is in another state. */
export async function markUploaded(
  db: Queryable,
  id: string,
  from: IngestStatus,
  file: UploadedFile,
): Promise<{ orgId: string } | null> {
  const row = await db
    .updateTable('mcapIngests')
    .set({ status: 'uploaded', storageKey: file.storageKey, sizeBytes: file.sizeBytes, sha256: file.sha256 })
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('orgId')
    .executeTakeFirst();
  return row ?? null;
}

export async function setStatus(trx: Transaction, id: string, status: IngestStatus): Promise<void> {
  await trx.updateTable('mcapIngests').set({ status }).where('id', '=', id).execute();
}

export async function setRoles(trx: Transaction, id: string, roles: ChannelRoles): Promise<void> {
  await trx
    .updateTable('mcapIngests')
    .set({ roles: JSON.stringify(roles) })
    .where('id', '=', id)
    .execute();
}

/** Removes roles that do not fit the recording, and stores the reason. */
export async function rejectRoles(trx: Transaction, id: string, { code, message }: Problem): Promise<void> {
  await trx
    .updateTable('mcapIngests')
    .set({ roles: JSON.stringify(NO_ROLES), problemCode: code, problemMessage: message })
    .where('id', '=', id)
    .execute();
}

/** Clears a problem of roles after valid ones were set. */
export async function clearRolesProblem(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('mcapIngests')
    .set({
      problemCode: null,
      problemMessage: null,
      status: sql<string>`case status when 'partial' then 'completed' else status end`,
    })
    .where('id', '=', id)
    .where('problemCode', 'in', ['mcap_channel_unknown', 'mcap_role_invalid', 'mcap_role_repeated'])
    .execute();
}

export async function setSurvey(db: Queryable, id: string, survey: Survey): Promise<void> {
  await db
    .updateTable('mcapIngests')
    .set({ survey: JSON.stringify(survey) })
    .where('id', '=', id)
    .execute();
}

/** Stores the number of bytes that are reserved for the file. */
export async function setReserved(trx: Transaction, id: string, bytes: number): Promise<void> {
  await trx.updateTable('mcapIngests').set({ reservedBytes: bytes }).where('id', '=', id).execute();
}

/** Ends an ingest in one of the states `from`. Returns it as it was before, or null if it is in another state. */
export async function end(
  trx: Transaction,
  id: string,
  from: readonly IngestStatus[],
  status: 'completed' | 'partial' | 'failed',
  problem: Problem | null,
): Promise<McapIngest | null> {
  const before = await lock(trx, id);
  if (!before || !from.includes(before.status)) return null;
  await trx
    .updateTable('mcapIngests')
    .set({
      status,
      problemCode: problem?.code ?? null,
      problemMessage: problem?.message ?? null,
      storageKey: null,
      reservedBytes: 0,
      completedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
  return before;
}

/** Counts those of these ingests that are transferred or processed, and those that failed. */
export async function countProcessing(
  db: Queryable,
  ids: readonly string[],
): Promise<{ pending: number; failed: number }> {
  const counts = await db
    .selectFrom('mcapIngests')
    .select(
      sql<number>`(count(*) filter (where status not in ('completed', 'partial', 'failed')))::integer`.as('pending'),
    )
    .select(sql<number>`(count(*) filter (where status = 'failed'))::integer`.as('failed'))
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .executeTakeFirstOrThrow();
  return counts;
}

/** Deletes a failed ingest, so that it can be created again with the same id. */
export async function removeFailed(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('mcapIngests').where('id', '=', id).where('status', '=', 'failed').execute();
}

/** Lists ingests older than `hours` that were not uploaded or not processed. */
export async function listExpired(db: Queryable, hours: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mcapIngests')
    .select('id')
    .where('status', 'in', ['created', 'uploaded'])
    .where('createdAt', '<', sql<Date>`now() - make_interval(hours => ${hours})`)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** True if the video is in the library. */
const IN_LIBRARY = sql<boolean>`exists (select from videos where videos.id = mcap_films.video_id and deleted_at is null)`;

export async function listVideos(db: Queryable, ingestId: string): Promise<ChannelVideo[]> {
  const rows = await db
    .selectFrom('mcapFilms')
    .selectAll()
    .select(
      sql<string>`case when status = 'completed' and not ${IN_LIBRARY} then 'deleted' else status end`.as('status'),
    )
    .where('ingestId', '=', ingestId)
    .orderBy('part')
    .orderBy('channel')
    .execute();
  return rows.map(toChannelVideo);
}

/** Stores the video of a channel, replacing an earlier state. */
export async function upsertVideo(db: Queryable, ingestId: string, video: ChannelVideo): Promise<void> {
  const values = {
    videoId: video.videoId,
    status: video.status,
    problemCode: video.problem?.code ?? null,
    problemMessage: video.problem?.message ?? null,
    film: video.facts && JSON.stringify(video.facts),
  };
  await db
    .insertInto('mcapFilms')
    .values({ ingestId, channel: video.channel, part: video.part, ...values })
    .onConflict((on) => on.columns(['ingestId', 'channel', 'part']).doUpdateSet(values))
    .execute();
}

/** Returns the ids of the completed videos in the library by ingest. */
export async function listVideoIds(db: Queryable, ingestIds: readonly string[]): Promise<Map<string, string[]>> {
  if (ingestIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('mcapFilms')
    .select(['ingestId', 'videoId'])
    .where('ingestId', 'in', ingestIds)
    .where('status', '=', 'completed')
    .where(IN_LIBRARY)
    .orderBy('part')
    .orderBy('channel')
    .execute();
  const byIngest = Map.groupBy(rows, ({ ingestId }) => ingestId);
  return new Map([...byIngest].map(([id, videos]) => [id, videos.flatMap(({ videoId }) => videoId ?? [])]));
}

const toProblem = ({ problemCode: code, problemMessage: message }: StoredProblem): Problem | null =>
  code === null ? null : { code, message: message ?? '' };

export const toIngest = (row: Selectable<DB['mcapIngests']>): McapIngest => ({
  ...row,
  scope: row.scope as McapIngest['scope'],
  chunkSizeS: row.partS,
  status: row.status as IngestStatus,
  problem: toProblem(row),
  roles: { ...NO_ROLES, ...(row.roles as Partial<ChannelRoles>) },
  survey: row.survey as Survey | null,
  episodes: row.episodes as McapIngest['episodes'],
});

const toChannelVideo = (row: Selectable<DB['mcapFilms']>): ChannelVideo => ({
  ...row,
  status: row.status as ChannelVideo['status'],
  problem: toProblem(row),
  facts: row.film as ChannelVideo['facts'],
});
