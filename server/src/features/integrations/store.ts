import type { Queryable } from '#platform/db/index';
import type { Sealed } from '#platform/secrets/index';
import type { ProviderType } from './providers/index.ts';

export type IntegrationRow = NonNullable<Awaited<ReturnType<typeof find>>>;

const shown = (db: Queryable) =>
  db
    .selectFrom('integrations')
    .innerJoin('users', 'users.id', 'integrations.created_by')
    .selectAll('integrations')
    .select('users.name as creator');

export async function find(db: Queryable, id: string) {
  return shown(db).where('integrations.id', '=', id).executeTakeFirst();
}

export async function ofOrg(db: Queryable, orgId: string) {
  return shown(db).where('integrations.org_id', '=', orgId).orderBy('integrations.id').execute();
}

/** Those of one bucket, the one that was used last first. */
export async function ofBucket(db: Queryable, orgId: string, types: readonly ProviderType[], bucket: string) {
  return shown(db)
    .where('integrations.org_id', '=', orgId)
    .where('type', 'in', types)
    .where('bucket', '=', bucket)
    .orderBy('last_used_at', (order) => order.desc().nullsLast())
    .orderBy('integrations.id')
    .execute();
}

export type NewRow = {
  id: string;
  org_id: string;
  created_by: string;
  type: ProviderType;
} & RowChanges;

export type RowChanges = {
  scope: 'user' | 'org';
  name: string;
  bucket: string;
  prefix: string | null;
  region: string | null;
  endpoint_url: string | null;
  addressing: 'path' | 'virtual' | null;
  role_arn: string | null;
  sealed: string | null;
};

export async function insert(db: Queryable, row: NewRow): Promise<void> {
  await db.insertInto('integrations').values(row).execute();
}

export async function change(db: Queryable, id: string, changes: RowChanges): Promise<void> {
  await db.updateTable('integrations').set(changes).where('id', '=', id).execute();
}

/** Locks it: nothing begins to use it until the transaction ends. */
export async function lock(db: Queryable, id: string) {
  return db.selectFrom('integrations').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function remove(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('integrations').where('id', '=', id).execute();
}

export async function touch(db: Queryable, id: string, usedAt: Date): Promise<void> {
  await db.updateTable('integrations').set({ last_used_at: usedAt }).where('id', '=', id).execute();
}

/** The next that holds a secret, by id. */
export async function sealedAfter(db: Queryable, after: string, limit: number) {
  return db
    .selectFrom('integrations')
    .select(['id', 'sealed'])
    .where('id', '>', after)
    .where('sealed', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** False when it was sealed anew meanwhile. */
export async function reseal(db: Queryable, id: string, before: Sealed, sealed: Sealed): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('integrations')
    .set({ sealed: JSON.stringify(sealed) })
    .where('id', '=', id)
    .where('sealed', '=', JSON.stringify(before))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
