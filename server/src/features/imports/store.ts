import { sql } from 'kysely';
import type { FolderScope } from '#features/folders/index';
import type { ProviderName } from '#features/integrations/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Selection } from './selection.ts';
import type { ImportJob, JobStatus } from './types.ts';

export type NewJob = Pick<
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
>;

export async function insertJob(db: Queryable, job: NewJob): Promise<void> {
  await db
    .insertInto('import_jobs')
    .values({
      id: job.id,
      org_id: job.orgId,
      owner_id: job.ownerId,
      scope: job.scope,
      folder_id: job.folderId,
      integration_id: job.integrationId,
      sync_id: job.syncId,
      provider: job.provider,
      bucket: job.bucket,
      endpoint: job.endpoint,
      force: job.force,
      public: job.public,
      selection: job.selection && JSON.stringify(job.selection),
      sidecars: job.sidecars,
      multi_view: job.multiView,
      status: 'importing',
    })
    .execute();
}

const jobs = (db: Queryable) =>
  db
    .selectFrom('import_jobs')
    .leftJoin('folders', 'folders.id', 'import_jobs.folder_id')
    .selectAll('import_jobs')
    .select('folders.name as folder_name');

export async function findJob(db: Queryable, id: string): Promise<ImportJob | null> {
  const row = await jobs(db).where('import_jobs.id', '=', id).executeTakeFirst();
  return row ? jobOf(row) : null;
}

/** Newest first, after the job `after`. */
export async function jobsPage(
  db: Queryable,
  at: { orgId: string; userId: string; whole: boolean; after: string | null; limit: number },
): Promise<ImportJob[]> {
  let page = jobs(db)
    .where('import_jobs.org_id', '=', at.orgId)
    .orderBy('import_jobs.created_at', 'desc')
    .orderBy('import_jobs.id', 'desc')
    .limit(at.limit);
  if (at.after) {
    const place = sql`(select j.created_at, j.id from import_jobs j where j.id = ${at.after})`;
    page = page.where(sql<boolean>`(import_jobs.created_at, import_jobs.id) < ${place}`);
  }
  if (!at.whole) {
    page = page.where((or) => or.or([or('import_jobs.scope', '=', 'org'), or('import_jobs.owner_id', '=', at.userId)]));
  }
  return (await page.execute()).map(jobOf);
}

/** `skipped` are counted in `uploaded` as well: they are in the library. */
type Counts = { total?: number; objects?: number; uploaded?: number; skipped?: number; failed?: number };

/** What a job's row becomes by so many more of each; it ends with its last object. */
export function counted(more: Counts) {
  const plus = (name: keyof Counts) => sql`${sql.ref(name)} + ${more[name] ?? 0}::integer`;
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

/** Counts, and ends a job all of which has ended. Call last: it holds the job's row until the transaction ends. */
export async function count(trx: Transaction, id: string, more: Counts): Promise<void> {
  await sql`update import_jobs set ${counted(more)} where id = ${id}`.execute(trx);
}

/** Moves the listing on. Returns how many rows there are; null when another worker did. `cursor` null: all is listed. */
export async function advance(
  trx: Transaction,
  { id, listCursor }: Pick<ImportJob, 'id' | 'listCursor'>,
  cursor: string | null,
): Promise<number | null> {
  const row = await trx
    .updateTable('import_jobs')
    .set({ list_cursor: cursor, listed: cursor === null, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'importing')
    .where('listed', '=', false)
    .where('list_cursor', 'is not distinct from', listCursor)
    .returning('total')
    .executeTakeFirst();
  return row?.total ?? null;
}

/** The listing cannot go on: what is listed so far is all there will be. */
export async function endListing(trx: Transaction, id: string, problem: { code: string; message: string }) {
  await trx
    .updateTable('import_jobs')
    .set({ listed: true, problem_code: problem.code, problem_message: problem.message })
    .where('id', '=', id)
    .where('listed', '=', false)
    .execute();
}

/** The listing goes on where it ended. */
export async function resumeListing(trx: Transaction, id: string): Promise<void> {
  await trx.updateTable('import_jobs').set({ listed: false }).where('id', '=', id).execute();
}

export async function lockJob(trx: Transaction, id: string): Promise<JobStatus | null> {
  const row = await trx.selectFrom('import_jobs').select('status').where('id', '=', id).forUpdate().executeTakeFirst();
  return (row?.status as JobStatus | undefined) ?? null;
}

export async function setStatus(trx: Transaction, id: string, status: JobStatus): Promise<void> {
  const completed_at = status === 'importing' ? null : sql<Date>`now()`;
  await trx
    .updateTable('import_jobs')
    .set({ status, completed_at, problem_code: null, problem_message: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function removeJob(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('import_jobs').where('id', '=', id).execute();
}

/** The last run of a sync. */
export async function lastOfSync(db: Queryable, orgId: string, syncId: string): Promise<string | null> {
  const row = await db
    .selectFrom('import_jobs')
    .select('id')
    .where('org_id', '=', orgId)
    .where('sync_id', '=', syncId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Whether an import with the integration is running. */
export async function runningWith(db: Queryable, integrationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('import_jobs')
    .select('id')
    .where('integration_id', '=', integrationId)
    .where('status', '=', 'importing')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Running imports of which nothing was heard for a while. */
export async function quietJobs(
  db: Queryable,
  forS: number,
  limit: number,
): Promise<{ id: string; orgId: string; listed: boolean }[]> {
  return db
    .selectFrom('import_jobs')
    .select(['id', 'org_id as orgId', 'listed'])
    .where('status', '=', sql.lit('importing'))
    .where('updated_at', '<', sql<Date>`now() - make_interval(secs => ${forS})`)
    .limit(limit)
    .execute();
}

export async function touchJob(db: Queryable, id: string): Promise<void> {
  await db.updateTable('import_jobs').set({ updated_at: sql`now()` }).where('id', '=', id).execute();
}

type JobRow = NonNullable<Awaited<ReturnType<ReturnType<typeof jobs>['executeTakeFirst']>>>;

function jobOf(row: JobRow): ImportJob {
  return {
    id: row.id,
    orgId: row.org_id,
    ownerId: row.owner_id,
    scope: row.scope as FolderScope,
    folderId: row.folder_id,
    folderName: row.folder_name,
    integrationId: row.integration_id,
    syncId: row.sync_id,
    provider: row.provider as ProviderName,
    bucket: row.bucket,
    endpoint: row.endpoint,
    force: row.force,
    public: row.public,
    selection: row.selection as Selection | null,
    sidecars: row.sidecars,
    multiView: row.multi_view,
    status: row.status as JobStatus,
    listed: row.listed,
    listCursor: row.list_cursor,
    total: row.total,
    objects: row.objects,
    uploaded: row.uploaded,
    skipped: row.skipped,
    failed: row.failed,
    problem: row.problem_code === null ? null : { code: row.problem_code, message: row.problem_message ?? '' },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
  };
}
