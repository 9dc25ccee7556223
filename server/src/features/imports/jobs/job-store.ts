import { type Selectable, sql } from 'kysely';
import type { FolderScope } from '#features/folders/index';
import type { ProviderName } from '#features/integrations/index';
import { isReadable, type Principal } from '#platform/access/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { ObjectSelection } from '../selection.ts';
import type { FailureReason, ImportJob, ImportJobStatus } from '../types.ts';

export type NewImportJob = Pick<
  ImportJob,
  | 'id'
  | 'orgId'
  | 'ownerId'
  | 'scope'
  | 'folderId'
  | 'integrationId'
  | 'syncId'
  | 'provider'
  | 'bucket'
  | 'endpoint'
  | 'force'
  | 'public'
  | 'selection'
  | 'sidecars'
  | 'multiView'
  | 'format'
>;

export async function insertJob(db: Queryable, { selection, ...job }: NewImportJob): Promise<void> {
  await db
    .insertInto('importJobs')
    .values({ ...job, selection: selection && JSON.stringify(selection), status: 'importing' })
    .execute();
}

const selectJobs = (db: Queryable) =>
  db
    .selectFrom('importJobs')
    .leftJoin('folders', 'folders.id', 'importJobs.folderId')
    .selectAll('importJobs')
    .select('folders.name as folderName');

export async function findJob(db: Queryable, id: string): Promise<ImportJob | null> {
  const row = await selectJobs(db).where('importJobs.id', '=', id).executeTakeFirst();
  return row ? toImportJob(row) : null;
}

/** Jobs that the caller may read, newest first, from the one after `after` on. */
export async function listJobs(
  db: Queryable,
  page: { caller: Principal; after: string | null; limit: number },
): Promise<ImportJob[]> {
  let query = selectJobs(db)
    .where(isReadable(page.caller, 'importJobs'))
    .orderBy('importJobs.createdAt', 'desc')
    .orderBy('importJobs.id', 'desc')
    .limit(page.limit);
  if (page.after) {
    const position = sql`(select j.created_at, j.id from import_jobs j where j.id = ${page.after})`;
    query = query.where(sql<boolean>`(import_jobs.created_at, import_jobs.id) < ${position}`);
  }
  return (await query.execute()).map(toImportJob);
}

/** `skipped` objects are also counted in `uploaded`. */
type JobCounters = { total?: number; objects?: number; uploaded?: number; skipped?: number; failed?: number };

/** Assignments that add to a job's counters, and end the job with its last object. */
export function counterUpdates(added: JobCounters) {
  const plus = (name: keyof JobCounters) => sql`${sql.ref(name)} + ${added[name] ?? 0}::integer`;
  const ends = sql`status = 'importing' and listed and ${plus('uploaded')} + ${plus('failed')} = ${plus('objects')}`;
  return sql`
    total = ${plus('total')},
    objects = ${plus('objects')},
    uploaded = ${plus('uploaded')},
    skipped = ${plus('skipped')},
    failed = ${plus('failed')},
    status = case
      when not (${ends}) then status
      when ${plus('failed')} = 0 and problem_code is null then 'completed'
      when ${plus('uploaded')} > 0 then 'partial'
      else 'failed'
    end,
    completed_at = case when ${ends} then now() else completed_at end,
    updated_at = now()`;
}

/** Adds to counters, and ends the job with its last object. Call it last: it locks the job. */
export async function addToCounters(trx: Transaction, id: string, added: JobCounters): Promise<void> {
  await sql`update import_jobs set ${counterUpdates(added)} where id = ${id}`.execute(trx);
}

/** The import, if it ended in this transaction. */
export async function findEndedNow(trx: Transaction, id: string): Promise<ImportJob | null> {
  const row = await selectJobs(trx)
    .where('importJobs.id', '=', id)
    .where('importJobs.completedAt', '=', sql<Date>`now()`)
    .where('importJobs.status', 'in', ['completed', 'partial', 'failed'])
    .executeTakeFirst();
  return row ? toImportJob(row) : null;
}

/**
 * Advances the listing to a cursor; null completes it. Returns the number of rows so far, or null if another worker
 * has advanced the listing already.
 */
export async function advanceListing(
  trx: Transaction,
  { id, listCursor }: Pick<ImportJob, 'id' | 'listCursor'>,
  cursor: string | null,
): Promise<number | null> {
  const row = await trx
    .updateTable('importJobs')
    .set({ listCursor: cursor, listed: cursor === null, updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'importing')
    .where('listed', '=', false)
    .where('listCursor', 'is not distinct from', listCursor)
    .returning('total')
    .executeTakeFirst();
  return row?.total ?? null;
}

/** Ends the listing early because of a problem. */
export async function endListing(trx: Transaction, id: string, problem: FailureReason) {
  await trx
    .updateTable('importJobs')
    .set({ listed: true, problemCode: problem.code, problemMessage: problem.message })
    .where('id', '=', id)
    .where('listed', '=', false)
    .execute();
}

/** Continues the listing at its cursor. */
export async function resumeListing(trx: Transaction, id: string): Promise<void> {
  await trx.updateTable('importJobs').set({ listed: false }).where('id', '=', id).execute();
}

export async function lockJob(trx: Transaction, id: string): Promise<ImportJobStatus | null> {
  const row = await trx.selectFrom('importJobs').select('status').where('id', '=', id).forUpdate().executeTakeFirst();
  return (row?.status as ImportJobStatus | undefined) ?? null;
}

export async function setStatus(trx: Transaction, id: string, status: ImportJobStatus): Promise<void> {
  const completedAt = status === 'importing' ? null : sql<Date>`now()`;
  await trx
    .updateTable('importJobs')
    .set({ status, completedAt, problemCode: null, problemMessage: null, updatedAt: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteJob(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('importJobs').where('id', '=', id).execute();
}

/** Id of the latest job of a sync. */
export async function findLatestJobOfSync(db: Queryable, orgId: string, syncId: string): Promise<string | null> {
  const row = await db
    .selectFrom('importJobs')
    .select('id')
    .where('orgId', '=', orgId)
    .where('syncId', '=', syncId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** True if an import with the integration is running. */
export async function hasRunningJob(db: Queryable, integrationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('importJobs')
    .select('id')
    .where('integrationId', '=', integrationId)
    .where('status', '=', 'importing')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Running imports without progress for `forS` seconds. */
export async function listStalledJobs(
  db: Queryable,
  forS: number,
  limit: number,
): Promise<{ id: string; orgId: string; listed: boolean }[]> {
  return db
    .selectFrom('importJobs')
    .select(['id', 'orgId', 'listed'])
    .where('status', '=', sql.lit('importing'))
    .where('updatedAt', '<', sql<Date>`now() - make_interval(secs => ${forS})`)
    .limit(limit)
    .execute();
}

export async function touchJob(db: Queryable, id: string): Promise<void> {
  await db.updateTable('importJobs').set({ updatedAt: sql`now()` }).where('id', '=', id).execute();
}

type ProblemColumns = { problemCode: string | null; problemMessage: string | null };

export const toFailureReason = ({ problemCode, problemMessage }: ProblemColumns): FailureReason | null =>
  problemCode === null ? null : { code: problemCode, message: problemMessage ?? '' };

const toImportJob = (row: Selectable<DB['importJobs']> & { folderName: string | null }): ImportJob => ({
  ...row,
  scope: row.scope as FolderScope,
  provider: row.provider as ProviderName,
  selection: row.selection as ObjectSelection | null,
  status: row.status as ImportJobStatus,
  problem: toFailureReason(row),
});
