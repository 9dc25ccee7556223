import { type Selectable, sql } from 'kysely';
import type { FolderScope } from '#features/folders/index';
import { isReadable, type Principal } from '#platform/access/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { toFailureReason } from '../jobs/job-store.ts';
import type { ObjectSelection } from '../selection.ts';
import type { FailureReason } from '../types.ts';

/** A scheduled import. */
export type ImportSync = {
  id: string;
  orgId: string;
  ownerId: string;
  integrationId: string;
  folderId: string | null;
  scope: FolderScope;
  selection: ObjectSelection;
  sidecars: boolean;
  everyMinutes: number;
  nextRunAt: Date;
  /** Reason why it has stopped; null while it runs. */
  problem: FailureReason | null;
  lastJobId: string | null;
  createdAt: Date;
};

export type NewSync = Omit<ImportSync, 'nextRunAt' | 'problem' | 'lastJobId' | 'createdAt'>;

export async function insertSync(trx: Transaction, sync: NewSync): Promise<void> {
  await trx
    .insertInto('importSyncs')
    .values({ ...sync, selection: JSON.stringify(sync.selection), nextRunAt: sql<Date>`now()` })
    .execute();
}

export async function findSync(db: Queryable, id: string): Promise<ImportSync | null> {
  const row = await db.selectFrom('importSyncs').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toImportSync(row) : null;
}

/** Syncs that the caller may read. */
export async function listSyncs(db: Queryable, caller: Principal): Promise<ImportSync[]> {
  const readable = db.selectFrom('importSyncs').selectAll().where(isReadable(caller, 'importSyncs'));
  const rows = await readable.orderBy('id').execute();
  return rows.map(toImportSync);
}

/** Returns false if it did not exist. */
export async function deleteSync(trx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('importSyncs').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteSyncsOfIntegration(trx: Transaction, integrationId: string): Promise<void> {
  await trx.deleteFrom('importSyncs').where('integrationId', '=', integrationId).execute();
}

/** Makes a sync due now, and restarts it if it has stopped. */
export async function makeDue(db: Queryable, id: string): Promise<void> {
  const due = { nextRunAt: sql<Date>`now()`, problemCode: null, problemMessage: null };
  await db.updateTable('importSyncs').set(due).where('id', '=', id).execute();
}

/** Stops a sync with the reason. */
export async function markStopped(trx: Transaction, id: string, { code, message }: FailureReason) {
  const reason = { problemCode: code, problemMessage: message };
  await trx.updateTable('importSyncs').set(reason).where('id', '=', id).execute();
}

export type DueSync = ImportSync & {
  /** True if the owner was removed from the organization. */ ownerRemoved: boolean;
};

/** Claims a sync that is due and whose last run has ended. It is due again after its interval. */
export async function claimDue(trx: Transaction): Promise<DueSync | null> {
  const next = sql<string>`(
    select id from import_syncs s
    where next_run_at <= now() and problem_code is null
      and not exists (select from import_jobs j where j.id = s.last_job_id and j.status = 'importing')
    order by next_run_at limit 1 for update skip locked)`;
  const row = await trx
    .updateTable('importSyncs')
    .set({ nextRunAt: sql<Date>`now() + make_interval(mins => every_minutes)` })
    .where('id', '=', next)
    .returningAll()
    .returning(
      sql<boolean>`exists (select from users where id = import_syncs.owner_id and removed_at is not null)`.as(
        'ownerRemoved',
      ),
    )
    .executeTakeFirst();
  return row ? { ...toImportSync(row), ownerRemoved: row.ownerRemoved } : null;
}

export async function setLastJob(trx: Transaction, id: string, jobId: string | null): Promise<void> {
  await trx.updateTable('importSyncs').set({ lastJobId: jobId }).where('id', '=', id).execute();
}

const toImportSync = (row: Selectable<DB['importSyncs']>): ImportSync => ({
  ...row,
  scope: row.scope as FolderScope,
  selection: row.selection as unknown as ObjectSelection,
  problem: toFailureReason(row),
});
