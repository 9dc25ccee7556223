import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { rowOf } from './row-store.ts';
import { counted } from './store.ts';
import type { Row } from './types.ts';

/** Whoever holds a row says so this often, and has it that long without saying anything. */
export const RENEW_MS = 5_000;
const LEASE_S = 30;
/** Bytes of the rows that are taken at once: no more than one object that is no large one. */
const SMALL_BYTES = 8 * 2 ** 20;

/** Who takes rows: the lane, and the job that works it; a job that is taken up again by another worker is the same one. */
export type Holder = { jobId: string; lane: number; worker: string };

/** A row in the hands of a worker, and the folder that its import goes to by now: a folder may be deleted meanwhile. */
export type Taken = Row & { folderId: string | null };

const anyOf = (rows: readonly Row[]) => sql<string>`any(${rows.map(({ videoId }) => videoId)}::text[])`;
const inS = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;
/** As the partial index has it. */
const waiting = sql<boolean>`status = 'PROCESSING'`;

/** Rows that an earlier worker of the same job held can be taken at once. */
export async function release(db: Queryable, { jobId, lane, worker }: Holder): Promise<void> {
  await db
    .updateTable('import_rows')
    .set({ due_at: sql<Date>`now()` })
    .where('job_id', '=', jobId)
    .where(waiting)
    .where('due_at', '>', sql<Date>`now()`)
    .where('lane', '=', lane)
    .where('holder', '=', worker)
    .execute();
}

/**
 * The row that has waited longest, and of those after it up to `most` in all, as long as they are small together. None when none can be taken,
 * the import does not run, or another worker has the lane. `left`: how many of the import's objects have not ended.
 */
export async function take(
  db: Queryable,
  { jobId, lane, worker }: Holder,
  most: number,
): Promise<{ rows: Taken[]; left: number }> {
  const { rows } = await sql<Parameters<typeof rowOf>[0] & { folder_id: string | null; left: number }>`
    with next as (
      select video_id, due_at, size_bytes from import_rows
      where job_id = ${jobId} and status = 'PROCESSING' and due_at <= now() and not exists (
        select from import_rows
        where job_id = ${jobId} and status = 'PROCESSING' and due_at > now() and lane = ${lane} and holder <> ${worker})
      order by due_at limit ${sql.lit(most)} for update skip locked
    ), hand as (
      select video_id, row_number() over (order by due_at, video_id) as place,
        sum(coalesce(size_bytes, ${SMALL_BYTES})) over (order by due_at, video_id) as bytes
      from next
    )
    update import_rows set lane = ${lane}, holder = ${worker}, due_at = ${inS(LEASE_S)}, attempts = attempts + 1
    from import_jobs
    where video_id in (select video_id from hand where place = 1 or bytes < ${SMALL_BYTES})
      and import_jobs.id = ${jobId} and import_jobs.status = 'importing'
    returning import_rows.*, import_jobs.folder_id, objects - uploaded - failed as left`.execute(db);
  return { rows: rows.map((row) => ({ ...rowOf(row), folderId: row.folder_id })), left: rows[0]?.left ?? 0 };
}

/** Whether another job works the lane: one of two is enough. */
export async function isTaken(db: Queryable, { jobId, lane, worker }: Holder): Promise<boolean> {
  const row = await db
    .selectFrom('import_rows')
    .select('video_id')
    .where('job_id', '=', jobId)
    .where(waiting)
    .where('due_at', '>', sql<Date>`now()`)
    .where('lane', '=', lane)
    .where('holder', '<>', worker)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps a row. False when it is ours no more: stop. */
export async function renew(db: Queryable, row: Row, { worker }: Holder): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('import_rows')
    .set({ due_at: inS(LEASE_S) })
    .where('video_id', '=', row.videoId)
    .where('holder', '=', worker)
    .where(waiting)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives rows back, to be taken again after a while. `untried`: this time does not count. */
export async function giveBack(
  db: Queryable,
  rows: readonly Row[],
  { worker }: Holder,
  { afterS, untried }: { afterS: number; untried: boolean },
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .updateTable('import_rows')
    .set({ lane: null, holder: null, due_at: inS(afterS), attempts: sql`attempts - ${untried ? 1 : 0}::integer` })
    .where('video_id', '=', anyOf(rows))
    .where('holder', '=', worker)
    .where(waiting)
    .execute();
}

/** Notes whether the records are in the library. */
export async function setBegun(trx: Transaction, rows: readonly Row[], begun: boolean): Promise<void> {
  await trx.updateTable('import_rows').set({ begun }).where('video_id', '=', anyOf(rows)).execute();
}

/**
 * Ends rows, with what was read where they came, and counts them, in their job as `count` does. False when one is the worker's no more, or has ended
 * already: some may have ended then.
 */
export async function settle(
  trx: Transaction,
  rows: readonly Row[],
  { jobId, worker }: Holder,
  problem: { code: string; message: string } | null,
): Promise<boolean> {
  const came = [rows.map((row) => row.videoId), rows.map((row) => row.readVersion), rows.map((row) => row.sizeBytes)];
  const { numAffectedRows } = await sql`
    with ended as (
      update import_rows set
        read_version = nullif(came.read_version, version),
        size_bytes = came.size_bytes,
        status = ${problem ? 'UPLOADING_FAILED' : 'UPLOADED'},
        problem_code = ${problem?.code ?? null},
        problem_message = ${problem?.message ?? null},
        lane = null,
        holder = null
      from unnest(${came[0]}::text[], ${came[1]}::text[], ${came[2]}::bigint[]) as came (id, read_version, size_bytes)
      where video_id = came.id and holder = ${worker} and status = 'PROCESSING'
      returning video_id)
    update import_jobs set ${counted(problem ? { failed: rows.length } : { uploaded: rows.length })}
    where id = ${jobId} and (select count(*) from ended) = ${rows.length}`.execute(trx);
  return numAffectedRows === 1n;
}

/** Seconds until a row can be taken; null when none waits. */
export async function nextDue(db: Queryable, jobId: string): Promise<number | null> {
  const row = await db
    .selectFrom('import_rows')
    .select(sql<number>`greatest(0, extract(epoch from due_at - now()))::float8`.as('seconds'))
    .where('job_id', '=', jobId)
    .where(waiting)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.seconds ?? null;
}

/** Ends up to `limit` rows that have not ended. */
export async function failWaiting(
  trx: Transaction,
  jobId: string,
  problem: { code: string; message: string },
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Parameters<typeof rowOf>[0]>`
    update import_rows set status = 'UPLOADING_FAILED', lane = null, holder = null,
      problem_code = ${problem.code}, problem_message = ${problem.message}
    where video_id in (
      select video_id from import_rows where job_id = ${jobId} and status = 'PROCESSING' order by due_at limit ${limit} for update)
    returning *`.execute(trx);
  return rows.map(rowOf);
}

/** Lets every failed row be tried again. Returns how many. */
export async function reopen(trx: Transaction, jobId: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('import_rows')
    .set({ status: 'PROCESSING', attempts: 0, due_at: sql<Date>`now()`, problem_code: null, problem_message: null })
    .where('job_id', '=', jobId)
    .where('status', '=', 'UPLOADING_FAILED')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Ends the row of a video that was deleted on its way. */
export async function failDeleted(
  trx: Transaction,
  videoId: string,
  problem: { code: string; message: string },
): Promise<Row | null> {
  const row = await trx
    .updateTable('import_rows')
    .set({ status: 'UPLOADING_FAILED', problem_code: problem.code, problem_message: problem.message })
    .where('video_id', '=', videoId)
    .where(waiting)
    .returningAll()
    .executeTakeFirst();
  return row ? rowOf(row) : null;
}
