import type { Selectable } from 'kysely';
import type { DB, Queryable } from '#platform/db/index';
import type { EncryptedSecret } from '#platform/secrets/index';
import type { ProviderType } from './providers/index.ts';
import type { Integration, IntegrationSettings } from './types.ts';

/** An integration with its encrypted credentials; null for roles. */
export type StoredIntegration = Integration & { encryptedCredentials: EncryptedSecret | null };
export type NewIntegration = Pick<Integration, 'id' | 'orgId' | 'createdBy' | 'type'> & IntegrationSettings;

const selectIntegrations = (db: Queryable) =>
  db
    .selectFrom('integrations')
    .innerJoin('users', 'users.id', 'integrations.createdBy')
    .selectAll('integrations')
    .select('users.name as createdByName');

const toIntegration = (row: Selectable<DB['integrations']> & { createdByName: string }): StoredIntegration => ({
  ...row,
  scope: row.scope as Integration['scope'],
  type: row.type as ProviderType,
  addressing: row.addressing as Integration['addressing'],
  encryptedCredentials: row.encryptedCredentials as EncryptedSecret | null,
});

export async function findIntegration(db: Queryable, id: string): Promise<StoredIntegration | null> {
  const row = await selectIntegrations(db).where('integrations.id', '=', id).executeTakeFirst();
  return row ? toIntegration(row) : null;
}

/** Oldest first. */
export async function listIntegrations(db: Queryable, orgId: string): Promise<StoredIntegration[]> {
  const rows = await selectIntegrations(db)
    .where('integrations.orgId', '=', orgId)
    .orderBy('integrations.id')
    .execute();
  return rows.map(toIntegration);
}

/** Number of organizations, at most two. */
export async function countOrganizations(db: Queryable): Promise<number> {
  return (await db.selectFrom('organizations').select('id').limit(2).execute()).length;
}

/** Integrations for a bucket, most recently used first. */
export async function listByBucket(
  db: Queryable,
  orgId: string,
  types: readonly ProviderType[],
  bucket: string,
): Promise<StoredIntegration[]> {
  const rows = await selectIntegrations(db)
    .where('integrations.orgId', '=', orgId)
    .where('type', 'in', types)
    .where('bucket', '=', bucket)
    .orderBy('lastUsedAt', (order) => order.desc().nullsLast())
    .orderBy('integrations.id')
    .execute();
  return rows.map(toIntegration);
}

export async function insertIntegration(
  db: Queryable,
  integration: NewIntegration,
  credentials: EncryptedSecret | null,
): Promise<void> {
  await db
    .insertInto('integrations')
    .values({ ...integration, encryptedCredentials: credentials && JSON.stringify(credentials) })
    .execute();
}

export async function updateIntegration(
  db: Queryable,
  id: string,
  settings: IntegrationSettings,
  credentials: EncryptedSecret | null,
): Promise<void> {
  await db
    .updateTable('integrations')
    .set({ ...settings, encryptedCredentials: credentials && JSON.stringify(credentials) })
    .where('id', '=', id)
    .execute();
}

/** Keeps an integration as it is until the transaction ends. Others can hold it too. False if it does not exist. */
export async function holdIntegration(db: Queryable, id: string): Promise<boolean> {
  const row = await db.selectFrom('integrations').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
  return row !== undefined;
}

/** Locks an integration, so that no import starts to use it until the transaction ends. False if it does not exist. */
export async function lockIntegration(db: Queryable, id: string): Promise<boolean> {
  const row = await db.selectFrom('integrations').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  return row !== undefined;
}

export async function deleteIntegration(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('integrations').where('id', '=', id).execute();
}

export async function setLastUsed(db: Queryable, id: string, usedAt: Date): Promise<void> {
  await db.updateTable('integrations').set({ lastUsedAt: usedAt }).where('id', '=', id).execute();
}

/** A page of integrations with credentials, by id, after the id `after`. */
export async function listCredentials(
  db: Queryable,
  after: string,
  limit: number,
): Promise<{ id: string; credentials: EncryptedSecret }[]> {
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'encryptedCredentials'])
    .where('id', '>', after)
    .where('encryptedCredentials', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, encryptedCredentials }) => ({ id, credentials: encryptedCredentials as EncryptedSecret }));
}

/** Replaces credentials that have not changed meanwhile. Returns false if they have. */
export async function replaceCredentials(
  db: Queryable,
  id: string,
  before: EncryptedSecret,
  credentials: EncryptedSecret,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('integrations')
    .set({ encryptedCredentials: JSON.stringify(credentials) })
    .where('id', '=', id)
    .where('encryptedCredentials', '=', JSON.stringify(before))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
