import { type Selectable, sql } from 'kysely';
import { isVisibleAlike } from '#platform/access/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { toFailureReason } from '../jobs/job-store.ts';
import type {
  ImportJob,
  ImportRow,
  ImportRowStatus,
  ImportVisibility,
  ObjectVersion,
  RecordingContent,
} from '../types.ts';

export type NewImportRow = Pick<
  ImportRow,
  | 'videoId'
  | 'position'
  | 'setId'
  | 'view'
  | 'name'
  | 'folderId'
  | 'key'
  | 'content'
  | 'objectId'
  | 'existingVideoId'
  | 'version'
  | 'sizeBytes'
  | 'problem'
>;

/**
 * Inserts rows: failed if they have a problem, uploaded if their video exists, else pending. One JSON parameter keeps
 * the statement of a whole page small.
 */
export async function insertRows(
  trx: Transaction,
  { id, syncId }: Pick<ImportJob, 'id' | 'syncId'>,
  rows: readonly NewImportRow[],
  recordsCreated: boolean,
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ problem, ...row }) => ({ ...row, code: problem?.code, message: problem?.message }));
  await sql`
    insert into import_rows
      (video_id, job_id, position, set_id, view, name, folder_id, sync_id, object_key, content, object_id, existing_video_id,
        version, size_bytes, status, record_created, problem_code, problem_message)
    select "videoId", ${id}, position, "setId", view, name, "folderId", ${syncId}, key, content, "objectId", "existingVideoId",
      version, "sizeBytes",
      case
        when "existingVideoId" is not null then 'UPLOADED'
        when code is null then 'PROCESSING'
        else 'UPLOADING_FAILED'
      end,
      ${recordsCreated}::boolean and "existingVideoId" is null, code, message
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as given (
      "videoId" text, position integer, "setId" text, view text, name text, "folderId" text, key text, content jsonb, "objectId" text, "existingVideoId" text,
      version text, "sizeBytes" bigint, code text, message text)
    `.execute(trx);
}

/** A skipped row has the status of the row that imports its object. */
const STATUS = sql<string>`
  case when existing_video_id is null then status
  else coalesce((select r.status from import_rows r where r.video_id = import_rows.existing_video_id), status) end`.as(
  'status',
);

/** Pages identify a row by its video; for a skipped row, by the existing video. */
const hasShownVideoId = (videoId: string) => sql<boolean>`(video_id = ${videoId} or existing_video_id = ${videoId})`;

const fromObjects = (objects: readonly ObjectVersion[]) => sql`
  jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) as object ("objectId" text, version text, "sizeBytes" bigint)`;
/** Compares sizes if the provider states no versions. Some servers quote a version only in some of their responses. */
const hasSameVersion = sql`(
  btrim(object.version, '"') in (btrim(r.version, '"'), btrim(r.imported_version, '"'))
  or (object.version is null and r.version is null and r.size_bytes = object."sizeBytes"))`;

type ExistingVideo = { objectId: string; videoId: string };
const toMap = ({ rows }: { rows: ExistingVideo[] }) => new Map(rows.map((row) => [row.objectId, row.videoId]));

/** Video ids, by object id, of those objects that a running import has listed but not started. */
export async function findPendingObjects(
  trx: Transaction,
  visibility: ImportVisibility,
  objects: readonly ObjectVersion[],
): Promise<Map<string, string>> {
  return toMap(
    await sql<ExistingVideo>`
      select distinct on (r.object_id) r.object_id, r.video_id
      from ${fromObjects(objects)}
      join import_rows r on r.object_id = object."objectId" and r.existing_video_id is null
        and r.status = 'PROCESSING' and not r.record_created and ${hasSameVersion}
      join import_jobs j on j.id = r.job_id and j.status = 'importing' and ${isVisibleAlike(visibility, 'j')}
      order by r.object_id, r.video_id`.execute(trx),
  );
}

/** Newest video ids, by object id, of those objects that are imported or being imported. */
export async function findImportedVideos(
  trx: Transaction,
  visibility: ImportVisibility,
  objects: readonly ObjectVersion[],
): Promise<Map<string, string>> {
  return toMap(
    await sql<ExistingVideo>`
      select distinct on (r.object_id) r.object_id, r.video_id
      from ${fromObjects(objects)}
      join import_rows r on r.object_id = object."objectId" and r.existing_video_id is null
        and r.status <> 'UPLOADING_FAILED' and ${hasSameVersion}
      join import_jobs j on j.id = r.job_id and (r.status = 'UPLOADED' or j.status = 'importing')
      join videos v on v.id = r.video_id and v.deleted_at is null and v.status <> 'UPLOADING_FAILED'
        and ${isVisibleAlike(visibility, 'v')}
      order by r.object_id, r.video_id desc`.execute(trx),
  );
}

/** A page of a job's rows, by position, and the total at the time of reading. */
export async function listRows(
  db: Queryable,
  jobId: string,
  from: { cursor: string } | { offset: number },
  limit: number,
): Promise<{ rows: ImportRow[]; total: number | null }> {
  const after =
    'cursor' in from
      ? sql<number>`(select position from import_rows where ${hasShownVideoId(from.cursor)} and job_id = ${jobId} limit 1)`
      : sql<number>`${from.offset}::integer`;
  const rows = await db
    .selectFrom('importRows')
    .selectAll()
    .select(STATUS)
    .select(sql<number>`(select total from import_jobs where id = ${jobId})`.as('total'))
    .where('jobId', '=', jobId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
  return { rows: rows.map(toImportRow), total: rows[0]?.total ?? null };
}

/** Ids of all records of a job; for a skipped row, that of the existing record. */
export async function listRecordIds(db: Queryable, jobId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('importRows')
    .select(['videoId', 'existingVideoId'])
    .where('jobId', '=', jobId)
    .where('status', '=', 'UPLOADED')
    .execute();
  return rows.map(toShownVideoId);
}

/** True if the pages of the job show a row with this video. */
export async function hasRow(db: Queryable, jobId: string, videoId: string): Promise<boolean> {
  const row = await db
    .selectFrom('importRows')
    .select('videoId')
    .where(hasShownVideoId(videoId))
    .where('jobId', '=', jobId)
    .where('position', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Views of these sets, the front view of each first. */
export async function listViews(db: Queryable, setIds: readonly string[]): Promise<ImportRow[]> {
  const rows = await db
    .selectFrom('importRows')
    .selectAll()
    .select(STATUS)
    .where('setId', '=', sql<string>`any(${setIds}::text[])`)
    .orderBy('videoId')
    .execute();
  return rows.map(toImportRow);
}

/** Ids of the rows' videos that exist. Keeps them from being erased until the transaction ends. */
export async function lockExistingVideos(trx: Transaction, rows: readonly ImportRow[]): Promise<Set<string>> {
  const ids = rows.map(toShownVideoId);
  const found = await trx
    .selectFrom('videos')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .forKeyShare()
    .execute();
  return new Set(found.map(({ id }) => id));
}

/** Latest row of each of these keys in earlier runs of the sync. */
export async function findRowsOfSync(db: Queryable, syncId: string, keys: readonly string[]) {
  return db
    .selectFrom('importRows')
    .distinctOn('objectKey')
    .select(['objectKey as key', 'version', 'importedVersion', 'sizeBytes'])
    .where('syncId', '=', syncId)
    .where('objectKey', '=', sql<string>`any(${keys}::text[])`)
    .orderBy('objectKey')
    .orderBy('videoId', 'desc')
    .execute();
}

/** Video of a row in the API; for a skipped row, the existing one. */
export const toShownVideoId = ({ videoId, existingVideoId }: Pick<ImportRow, 'videoId' | 'existingVideoId'>) =>
  existingVideoId ?? videoId;

export const toImportRow = (row: Selectable<DB['importRows']>): ImportRow => ({
  ...row,
  key: row.objectKey,
  content: row.content as RecordingContent | null,
  status: row.status as ImportRowStatus,
  problem: toFailureReason(row),
});
