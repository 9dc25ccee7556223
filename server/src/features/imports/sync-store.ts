import { sql } from 'kysely';
import type { FolderScope } from '#features/folders/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Selection } from './selection.ts';

/** An import that is repeated, and brings each time what is new. */
export type Sync = {
  id: string;
  orgId: string;
  ownerId: string;
  integrationId: string;
  folderId: string | null;
  scope: FolderScope;
  selection: Selection;
  sidecars: boolean;
  everyMinutes: number;
  nextAt: Date;
  /** Why it has stopped; null while it goes on. */
  problem: { code: string; message: string } | null;
  lastJobId: string | null;
  createdAt: Date;
};

export type NewSync = Omit<Sync, 'nextAt' | 'problem' | 'lastJobId' | 'createdAt'>;

export async function insert(trx: Transaction, sync: NewSync): Promise<void> {
  await trx
    .insertInto('import_syncs')
    .values({
      id: sync.id,
      org_id: sync.orgId,
      owner_id: sync.ownerId,
      integration_id: sync.integrationId,
      folder_id: sync.folderId,
      scope: sync.scope,
      selection: JSON.stringify(sync.selection),
      sidecars: sync.sidecars,
      every_minutes: sync.everyMinutes,
      next_at: sql<Date>`now()`,
    })
    .execute();
}

export async function find(db: Queryable, id: string): Promise<Sync | null> {
  const row = await db.selectFrom('import_syncs').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? syncOf(row) : null;
}

export async function ofOrg(db: Queryable, orgId: string): Promise<Sync[]> {
  const rows = await db.selectFrom('import_syncs').selectAll().where('org_id', '=', orgId).orderBy('id').execute();
  return rows.map(syncOf);
}

/** False when it is gone already. */
export async function remove(trx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('import_syncs').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function removeWith(trx: Transaction, integrationId: string): Promise<void> {
  await trx.deleteFrom('import_syncs').where('integration_id', '=', integrationId).execute();
}

/** Makes it due now, and lets it go on where it had stopped. */
export async function hasten(db: Queryable, id: string): Promise<void> {
  const due = { next_at: sql<Date>`now()`, problem_code: null, problem_message: null };
  await db.updateTable('import_syncs').set(due).where('id', '=', id).execute();
}

/** It is not due any more. */
export async function stop(trx: Transaction, id: string, { code, message }: NonNullable<Sync['problem']>) {
  const why = { problem_code: code, problem_message: message };
  await trx.updateTable('import_syncs').set(why).where('id', '=', id).execute();
}

export type DueSync = Sync & { /** Whether its owner was removed. */ ownerLeft: boolean };

/** One that is due and whose last run has ended; it is due again after its interval. */
export async function takeDue(trx: Transaction): Promise<DueSync | null> {
  const next = sql<string>`(
    select id from import_syncs s
    where next_at <= now() and problem_code is null
      and not exists (select from import_jobs j where j.id = s.last_job_id and j.status = 'importing')
    order by next_at limit 1 for update skip locked)`;
  const row = await trx
    .updateTable('import_syncs')
    .set({ next_at: sql<Date>`now() + make_interval(mins => every_minutes)` })
    .where('id', '=', next)
    .returningAll()
    .returning(
      sql<boolean>`exists (select from users where id = import_syncs.owner_id and removed_at is not null)`.as('left'),
    )
    .executeTakeFirst();
  return row ? { ...syncOf(row), ownerLeft: row.left } : null;
}

export async function setLastJob(trx: Transaction, id: string, jobId: string | null): Promise<void> {
  await trx.updateTable('import_syncs').set({ last_job_id: jobId }).where('id', '=', id).execute();
}

type Row = {
  id: string;
  org_id: string;
  owner_id: string;
  integration_id: string;
  folder_id: string | null;
  scope: string;
  selection: unknown;
  sidecars: boolean;
  every_minutes: number;
  next_at: Date;
  problem_code: string | null;
  problem_message: string | null;
  last_job_id: string | null;
  created_at: Date;
};

const syncOf = (row: Row): Sync => ({
  id: row.id,
  orgId: row.org_id,
  ownerId: row.owner_id,
  integrationId: row.integration_id,
  folderId: row.folder_id,
  scope: row.scope as FolderScope,
  selection: row.selection as Selection,
  sidecars: row.sidecars,
  everyMinutes: row.every_minutes,
  nextAt: row.next_at,
  problem: row.problem_code === null ? null : { code: row.problem_code, message: row.problem_message ?? '' },
  lastJobId: row.last_job_id,
  createdAt: row.created_at,
});
