import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { ImportedObject, ImportJob, Row, RowStatus, Viewer } from './types.ts';

export type NewRow = Pick<
  Row,
  'videoId' | 'position' | 'setId' | 'view' | 'key' | 'objectId' | 'knownVideoId' | 'version' | 'sizeBytes' | 'problem'
>;

/** Those with a problem have failed already, and those that are known are there. As one value, so that a page of a listing is one small statement. */
export async function insertRows(
  trx: Transaction,
  { id, syncId }: Pick<ImportJob, 'id' | 'syncId'>,
  rows: readonly NewRow[],
  begun: boolean,
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ problem, ...row }) => ({ ...row, code: problem?.code, message: problem?.message }));
  await sql`
    insert into import_rows
      (video_id, job_id, position, set_id, view, sync_id, object_key, object_id, known_video_id,
        version, size_bytes, status, begun, problem_code, problem_message)
    select "videoId", ${id}, position, "setId", view, ${syncId}, key, "objectId", "knownVideoId", version, "sizeBytes",
      case when "knownVideoId" is not null then 'UPLOADED' when code is null then 'PROCESSING' else 'UPLOADING_FAILED' end,
      ${begun}::boolean and "knownVideoId" is null, code, message
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as given (
      "videoId" text, position integer, "setId" text, view text, key text, "objectId" text, "knownVideoId" text,
      version text, "sizeBytes" bigint, code text, message text)
    `.execute(trx);
}

/** A skipped row is as far as the one that imports its object. */
const STATUS = sql<string>`
  case when known_video_id is null then status
  else coalesce((select k.status from import_rows k where k.video_id = import_rows.known_video_id), status) end`.as(
  'status',
);

/** Pages name a row by its video, which of a skipped one is that of an earlier import. */
const isShownAs = (videoId: string) => sql<boolean>`(video_id = ${videoId} or known_video_id = ${videoId})`;

const given = (objects: readonly ImportedObject[]) => sql`
  jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) as given ("objectId" text, version text, "sizeBytes" bigint)`;
/** Where the provider names no versions, the size has to do. Some write one version with quotes in one answer and without in another. */
const sameVersion = sql`(
  btrim(given.version, '"') in (btrim(r.version, '"'), btrim(r.read_version, '"'))
  or (given.version is null and r.version is null and r.size_bytes = given."sizeBytes"))`;
const seenBy = (table: 'v' | 'j', { scope, ownerId }: Viewer) => sql`
  (${sql.ref(`${table}.scope`)} = 'org' or (${sql.ref(`${table}.owner_id`)} = ${ownerId} and ${scope} = 'user'))`;
type Known = { object_id: string; video_id: string };
const byObject = ({ rows }: { rows: Known[] }) => new Map(rows.map((row) => [row.object_id, row.video_id]));

/** Of these objects those that a running import is to bring and has not begun with: their ids by object. */
export async function comingObjects(trx: Transaction, viewer: Viewer, objects: readonly ImportedObject[]) {
  return byObject(
    await sql<Known>`
      select distinct on (r.object_id) r.object_id, r.video_id
      from ${given(objects)}
      join import_rows r on r.object_id = given."objectId" and r.known_video_id is null
        and r.status = 'PROCESSING' and not r.begun and ${sameVersion}
      join import_jobs j on j.id = r.job_id and j.status = 'importing' and ${seenBy('j', viewer)}
      order by r.object_id, r.video_id`.execute(trx),
  );
}

/** Of these objects those that are videos, or on their way to be: the newest video by object. */
export async function importedVideos(trx: Transaction, viewer: Viewer, objects: readonly ImportedObject[]) {
  return byObject(
    await sql<Known>`
      select distinct on (r.object_id) r.object_id, r.video_id
      from ${given(objects)}
      join import_rows r on r.object_id = given."objectId" and r.known_video_id is null
        and r.status <> 'UPLOADING_FAILED' and ${sameVersion}
      join import_jobs j on j.id = r.job_id and (r.status = 'UPLOADED' or j.status = 'importing')
      join videos v on v.id = r.video_id and v.deleted_at is null and v.status <> 'UPLOADING_FAILED'
        and ${seenBy('v', viewer)}
      order by r.object_id, r.video_id desc`.execute(trx),
  );
}

/** One page of a job's listed rows, by position, and how many there were in all as it was read. */
export async function rowsPage(
  db: Queryable,
  jobId: string,
  from: { cursor: string } | { offset: number },
  limit: number,
): Promise<{ rows: Row[]; total: number | null }> {
  const after =
    'cursor' in from
      ? sql<number>`(select position from import_rows where ${isShownAs(from.cursor)} and job_id = ${jobId} limit 1)`
      : sql<number>`${from.offset}::integer`;
  const rows = await db
    .selectFrom('import_rows')
    .selectAll()
    .select(STATUS)
    .select(sql<number>`(select total from import_jobs where id = ${jobId})`.as('total'))
    .where('job_id', '=', jobId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
  return { rows: rows.map(rowOf), total: rows[0]?.total ?? null };
}

/** Whether this is a row that the job's pages show. */
export async function isListed(db: Queryable, jobId: string, videoId: string): Promise<boolean> {
  const row = await db
    .selectFrom('import_rows')
    .select('video_id')
    .where(isShownAs(videoId))
    .where('job_id', '=', jobId)
    .where('position', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The views of these sets, the front one first. */
export async function views(db: Queryable, setIds: readonly string[]): Promise<Row[]> {
  const rows = await db
    .selectFrom('import_rows')
    .selectAll()
    .select(STATUS)
    .where('set_id', '=', sql<string>`any(${setIds}::text[])`)
    .orderBy('video_id')
    .execute();
  return rows.map(rowOf);
}

/** Those of the rows' videos that are not erased, nor will be before the transaction ends. */
export async function heldVideos(trx: Transaction, rows: readonly Row[]): Promise<Set<string>> {
  const ids = rows.map(shownId);
  const found = await trx
    .selectFrom('videos')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .forKeyShare()
    .execute();
  return new Set(found.map(({ id }) => id));
}

/** Of these objects those that an earlier run of the sync brought or tried, as they were then; the latest of each. */
export async function seen(db: Queryable, syncId: string, keys: readonly string[]) {
  return db
    .selectFrom('import_rows')
    .distinctOn('object_key')
    .select(['object_key as key', 'version', 'read_version as readVersion', 'size_bytes as sizeBytes'])
    .where('sync_id', '=', syncId)
    .where('object_key', '=', sql<string>`any(${keys}::text[])`)
    .orderBy('object_key')
    .orderBy('video_id', 'desc')
    .execute();
}

/** The video that a row is about. */
export const shownId = ({ videoId, knownVideoId }: Pick<Row, 'videoId' | 'knownVideoId'>) => knownVideoId ?? videoId;

type RawRow = {
  video_id: string;
  job_id: string;
  position: number | null;
  set_id: string | null;
  view: string | null;
  object_key: string;
  object_id: string;
  known_video_id: string | null;
  version: string | null;
  read_version: string | null;
  size_bytes: number | null;
  status: string;
  begun: boolean;
  attempts: number;
  problem_code: string | null;
  problem_message: string | null;
};

export const rowOf = (row: RawRow): Row => ({
  videoId: row.video_id,
  jobId: row.job_id,
  position: row.position,
  setId: row.set_id,
  view: row.view,
  key: row.object_key,
  objectId: row.object_id,
  knownVideoId: row.known_video_id,
  version: row.version,
  readVersion: row.read_version,
  sizeBytes: row.size_bytes,
  status: row.status as RowStatus,
  begun: row.begun,
  attempts: row.attempts,
  problem: row.problem_code === null ? null : { code: row.problem_code, message: row.problem_message ?? '' },
});
