import { type Selectable, type SqlBool, sql } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { counterUpdates } from '../jobs/job-store.ts';
import type { FailureReason, ImportRow } from '../types.ts';
import { toImportRow } from './row-store.ts';

/** A worker renews the lease of a row at this interval. */
export const RENEW_INTERVAL_MS = 5_000;
/** A lease that is not renewed expires after this time. */
const LEASE_S = 30;
/** Greatest total size of the rows in a batch of several. */
const MAX_BATCH_BYTES = 8 * 2 ** 20;

/** `worker`: index of the transfer worker in its import. `leaseHolder`: the background job that runs it. */
export type TransferLease = { jobId: string; worker: number; leaseHolder: string };

/** A leased row. `folderId` is the current folder of its video: a folder may be deleted meanwhile. */
export type ClaimedRow = ImportRow;

const anyVideoOf = (rows: readonly ImportRow[]) => sql<string>`any(${rows.map(({ videoId }) => videoId)}::text[])`;
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;
/** A literal, as in the partial index. */
const isPending = sql<boolean>`status = 'PROCESSING'`;

/** Expires the leases that an earlier run of the same background job held. */
export async function expireLeases(db: Queryable, { jobId, worker, leaseHolder }: TransferLease): Promise<void> {
  await db
    .updateTable('importRows')
    .set({ dueAt: sql<Date>`now()` })
    .where('jobId', '=', jobId)
    .where(isPending)
    .where('dueAt', '>', sql<Date>`now()`)
    .where('worker', '=', worker)
    .where('leaseHolder', '=', leaseHolder)
    .execute();
}

/**
 * Leases the row that has been due the longest, and up to `limit` in all if they are small together. Returns none if
 * no row is due, the import is not running, or another background job runs this worker. `remaining`: number of objects
 * of the import that are neither imported nor failed.
 */
export async function claimRows(
  db: Queryable,
  { jobId, worker, leaseHolder }: TransferLease,
  limit: number,
): Promise<{ rows: ClaimedRow[]; remaining: number }> {
  const { rows } = await sql<Selectable<DB['importRows']> & { remaining: number }>`
    with due as (
      select video_id, due_at, size_bytes from import_rows
      where job_id = ${jobId} and status = 'PROCESSING' and due_at <= now() and not exists (
        select from import_rows
        where job_id = ${jobId} and status = 'PROCESSING' and due_at > now()
          and worker = ${worker} and lease_holder <> ${leaseHolder})
      order by due_at limit ${sql.lit(limit)} for update skip locked
    ), batch as (
      select video_id, row_number() over (order by due_at, video_id) as position,
        sum(coalesce(size_bytes, ${MAX_BATCH_BYTES})) over (order by due_at, video_id) as bytes
      from due
    )
    update import_rows
    set worker = ${worker}, lease_holder = ${leaseHolder}, due_at = ${inSeconds(LEASE_S)}, attempts = attempts + 1
    from import_jobs
    where video_id in (select video_id from batch where position = 1 or bytes < ${MAX_BATCH_BYTES})
      and import_jobs.id = ${jobId} and import_jobs.status = 'importing'
    returning import_rows.*, coalesce(import_rows.folder_id, import_jobs.folder_id) as folder_id, objects - uploaded - failed as remaining`.execute(
    db,
  );
  return {
    rows: rows.map(toImportRow),
    remaining: rows[0]?.remaining ?? 0,
  };
}

/** True if another background job runs this worker. */
export async function isWorkerActive(db: Queryable, { jobId, worker, leaseHolder }: TransferLease): Promise<boolean> {
  const row = await db
    .selectFrom('importRows')
    .select('videoId')
    .where('jobId', '=', jobId)
    .where(isPending)
    .where('dueAt', '>', sql<Date>`now()`)
    .where('worker', '=', worker)
    .where('leaseHolder', '<>', leaseHolder)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if another worker has the row: stop its transfer. */
export async function renewLease(db: Queryable, row: ImportRow, { leaseHolder }: TransferLease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('importRows')
    .set({ dueAt: inSeconds(LEASE_S) })
    .where('videoId', '=', row.videoId)
    .where('leaseHolder', '=', leaseHolder)
    .where(isPending)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Releases rows; they are due again after `delayS`. */
export async function releaseRows(
  db: Queryable,
  rows: readonly ImportRow[],
  { leaseHolder }: TransferLease,
  { delayS, countAttempt }: { delayS: number; countAttempt: boolean },
): Promise<void> {
  if (rows.length === 0) return;
  const attempts = sql<number>`attempts - ${countAttempt ? 0 : 1}::integer`;
  await db
    .updateTable('importRows')
    .set({ worker: null, leaseHolder: null, dueAt: inSeconds(delayS), attempts })
    .where('videoId', '=', anyVideoOf(rows))
    .where('leaseHolder', '=', leaseHolder)
    .where(isPending)
    .execute();
}

export async function setRecordCreated(
  trx: Transaction,
  rows: readonly ImportRow[],
  recordCreated: boolean,
): Promise<void> {
  await trx.updateTable('importRows').set({ recordCreated }).where('videoId', '=', anyVideoOf(rows)).execute();
}

/**
 * Marks rows as imported or failed and counts them in their job. Returns false if the worker has lost the lease of one
 * of them; roll the transaction back then, as others may have been updated.
 */
export async function completeRows(
  trx: Transaction,
  rows: readonly ImportRow[],
  { jobId, leaseHolder }: TransferLease,
  problem: FailureReason | null,
): Promise<boolean> {
  const ids = rows.map(({ videoId }) => videoId);
  const versions = rows.map(({ importedVersion }) => importedVersion);
  const sizes = rows.map(({ sizeBytes }) => sizeBytes);
  const { numAffectedRows } = await sql`
    with completed as (
      update import_rows set
        imported_version = nullif(imported.version, import_rows.version),
        size_bytes = imported.size_bytes,
        status = ${problem ? 'UPLOADING_FAILED' : 'UPLOADED'},
        problem_code = ${problem?.code ?? null},
        problem_message = ${problem?.message ?? null},
        worker = null,
        lease_holder = null
      from unnest(${ids}::text[], ${versions}::text[], ${sizes}::bigint[]) as imported (id, version, size_bytes)
      where video_id = imported.id and lease_holder = ${leaseHolder} and status = 'PROCESSING'
      returning video_id)
    update import_jobs set ${counterUpdates(problem ? { failed: rows.length } : { uploaded: rows.length })}
    where id = ${jobId} and (select count(*) from completed) = ${rows.length}`.execute(trx);
  return numAffectedRows === 1n;
}

/** Seconds until the next row is due; null if no row is pending. */
export async function secondsUntilNextRow(db: Queryable, jobId: string): Promise<number | null> {
  const row = await db
    .selectFrom('importRows')
    .select(sql<number>`greatest(0, extract(epoch from due_at - now()))::float8`.as('seconds'))
    .where('jobId', '=', jobId)
    .where(isPending)
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst();
  return row?.seconds ?? null;
}

/** Fails up to `limit` pending rows and returns them. */
export async function failPendingRows(
  trx: Transaction,
  jobId: string,
  problem: FailureReason,
  limit: number,
): Promise<ImportRow[]> {
  const { rows } = await sql<Selectable<DB['importRows']>>`
    update import_rows set status = 'UPLOADING_FAILED', worker = null, lease_holder = null,
      problem_code = ${problem.code}, problem_message = ${problem.message}
    where video_id in (
      select video_id from import_rows where job_id = ${jobId} and status = 'PROCESSING'
      order by due_at limit ${limit} for update)
    returning *`.execute(trx);
  return rows.map(toImportRow);
}

/**
 * Makes failed rows due again: all of them, or those of these videos. The front view of a set stands for all of its
 * views. Returns the ids of their videos and sets.
 */
export async function retryFailedRows(
  trx: Transaction,
  jobId: string,
  videoIds: readonly string[] | null,
): Promise<{ videoId: string; setId: string | null }[]> {
  return trx
    .updateTable('importRows')
    .set({ status: 'PROCESSING', attempts: 0, dueAt: sql<Date>`now()`, problemCode: null, problemMessage: null })
    .where('jobId', '=', jobId)
    .where('status', '=', 'UPLOADING_FAILED')
    .$if(videoIds !== null, (query) =>
      query.where(sql<SqlBool>`(video_id = any(${videoIds}::text[]) or set_id = any(${videoIds}::text[]))`),
    )
    .returning(['videoId', 'setId'])
    .execute();
}

/** Fails the row of a video if it is pending. */
export async function failRowOfVideo(
  trx: Transaction,
  videoId: string,
  problem: FailureReason,
): Promise<ImportRow | null> {
  const row = await trx
    .updateTable('importRows')
    .set({ status: 'UPLOADING_FAILED', problemCode: problem.code, problemMessage: problem.message })
    .where('videoId', '=', videoId)
    .where(isPending)
    .returningAll()
    .executeTakeFirst();
  return row ? toImportRow(row) : null;
}
