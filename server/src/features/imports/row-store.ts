import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { ImportJob, Row, RowStatus } from './types.ts';

export type NewRow = Pick<Row, 'videoId' | 'position' | 'setId' | 'view' | 'key' | 'version' | 'sizeBytes' | 'problem'>;

/** Those with a problem have failed already. As one value, so that a page of a listing is one small statement. */
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
      (video_id, job_id, position, set_id, view, sync_id, object_key, version, size_bytes, status, begun, problem_code, problem_message)
    select "videoId", ${id}, position, "setId", view, ${syncId}, key, version, "sizeBytes",
      case when code is null then 'PROCESSING' else 'UPLOADING_FAILED' end, ${begun}::boolean, code, message
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as given (
      "videoId" text, position integer, "setId" text, view text, key text, version text, "sizeBytes" bigint, code text, message text)
    `.execute(trx);
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
      ? sql<number>`(select position from import_rows where video_id = ${from.cursor} and job_id = ${jobId})`
      : sql<number>`${from.offset}::integer`;
  const rows = await db
    .selectFrom('import_rows')
    .selectAll()
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
    .where('video_id', '=', videoId)
    .where('job_id', '=', jobId)
    .where('position', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The views of these sets, the front one first. */
export async function views(db: Queryable, setIds: readonly string[]): Promise<Row[]> {
  const rows = await db
    .selectFrom('import_rows')
    .selectAll()
    .where('set_id', '=', sql<string>`any(${setIds}::text[])`)
    .orderBy('video_id')
    .execute();
  return rows.map(rowOf);
}

/** Those of the rows' videos that are not erased, nor will be before the transaction ends. */
export async function heldVideos(trx: Transaction, rows: readonly Row[]): Promise<Set<string>> {
  const ids = rows.map(({ videoId }) => videoId);
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

type RawRow = {
  video_id: string;
  job_id: string;
  position: number | null;
  set_id: string | null;
  view: string | null;
  object_key: string;
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
  version: row.version,
  readVersion: row.read_version,
  sizeBytes: row.size_bytes,
  status: row.status as RowStatus,
  begun: row.begun,
  attempts: row.attempts,
  problem: row.problem_code === null ? null : { code: row.problem_code, message: row.problem_message ?? '' },
});
