import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { rowOf } from './row-store.ts';
import { counted } from './store.ts';
import type { Row } from './types.ts';

/** Whoever holds a row says so this often, and has it that long without saying anything. */
export const RENEW_MS = 5_000;
const LEASE_S = 30;

/** Who takes rows: the lane, and the job that works it; a job that is taken up again by another worker is the same one. */
export type Holder = { jobId: string; lane: number; worker: string };

/** A row in the hands of a worker, and the folder that its import goes to by now: a folder may be deleted meanwhile. */
export type Taken = Row & { folderId: string | null };

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

/** The row that has waited longest; null when none can be taken, the import does not run, or another worker has the lane. */
export async function take(db: Queryable, { jobId, lane, worker }: Holder): Promise<Taken | null> {
  const next = sql<string>`(
    select video_id from import_rows
    where job_id = ${jobId} and status = 'PROCESSING' and due_at <= now() and not exists (
      select from import_rows
      where job_id = ${jobId} and status = 'PROCESSING' and due_at > now() and lane = ${lane} and holder <> ${worker})
    order by due_at limit 1 for update skip locked)`;
  const row = await db
    .updateTable('import_rows')
    .from('import_jobs')
    .set({ lane, holder: worker, due_at: inS(LEASE_S), attempts: sql`attempts + 1` })
    .where('import_rows.video_id', '=', next)
    .where('import_jobs.id', '=', jobId)
    .where('import_jobs.status', '=', 'importing')
    .returningAll('import_rows')
    .returning('import_jobs.folder_id')
    .executeTakeFirst();
  return row ? { ...rowOf(row), folderId: row.folder_id } : null;
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

/** Gives a row back, to be taken again after a while; `attempts` as it should count then. */
export async function giveBack(
  db: Queryable,
  row: Row,
  { worker }: Holder,
  { afterS, attempts }: { afterS: number; attempts: number },
): Promise<void> {
  await db
    .updateTable('import_rows')
    .set({ lane: null, holder: null, due_at: inS(afterS), attempts })
    .where('video_id', '=', row.videoId)
    .where('holder', '=', worker)
    .where(waiting)
    .execute();
}

/** Notes whether the record is in the library. */
export async function setBegun(trx: Transaction, videoId: string, begun: boolean): Promise<void> {
  await trx.updateTable('import_rows').set({ begun }).where('video_id', '=', videoId).execute();
}

/** Ends a row and counts it, in its job as `count` does. False when it is the worker's no more, or has ended already. */
export async function settle(
  trx: Transaction,
  { videoId }: Row,
  { worker }: Holder,
  problem: { code: string; message: string } | null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with ended as (
      update import_rows set
        status = ${problem ? 'UPLOADING_FAILED' : 'UPLOADED'},
        problem_code = ${problem?.code ?? null},
        problem_message = ${problem?.message ?? null},
        lane = null,
        holder = null
      where video_id = ${videoId} and holder = ${worker} and status = 'PROCESSING'
      returning job_id)
    update import_jobs set ${counted(problem ? { failed: 1 } : { uploaded: 1 })}
    where id = (select job_id from ended)`.execute(trx);
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
