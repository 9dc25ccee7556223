import { type Selectable, sql } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { EncryptedSecret } from '#platform/secrets/index';
import type { MessageType, StoredWebhook, WebhookEvent, WebhookFormat, WebhookSettings } from './types.ts';

export const toWebhook = (row: Selectable<DB['webhookEndpoints']>): StoredWebhook => ({
  ...row,
  format: row.format as WebhookFormat,
  eventTypes: row.eventTypes as WebhookEvent[],
  disabledReason: row.disabledReason as StoredWebhook['disabledReason'],
  encryptedSecret: row.encryptedSecret as EncryptedSecret,
  encryptedPreviousSecret: row.encryptedPreviousSecret as EncryptedSecret | null,
});

export async function findWebhook(db: Queryable, id: string): Promise<StoredWebhook | null> {
  const row = await db.selectFrom('webhookEndpoints').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toWebhook(row) : null;
}

/** Oldest first. */
export async function listWebhooks(db: Queryable, orgId: string): Promise<StoredWebhook[]> {
  const rows = await db.selectFrom('webhookEndpoints').selectAll().where('orgId', '=', orgId).orderBy('id').execute();
  return rows.map(toWebhook);
}

/** Counts the webhooks of an organization among these ids. */
export async function countWebhooks(db: Queryable, orgId: string, ids: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('webhookEndpoints')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('orgId', '=', orgId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Those of these webhooks of an organization that are enabled. */
export async function listEnabled(trx: Transaction, orgId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('webhookEndpoints')
    .select('id')
    .where('orgId', '=', orgId)
    .where('enabled', '=', true)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Enabled endpoints that want messages of any of these types. */
export async function listSubscribers(
  trx: Transaction,
  orgId: string,
  types: readonly MessageType[],
): Promise<Pick<StoredWebhook, 'id' | 'eventTypes' | 'folderId'>[]> {
  const rows = await trx
    .selectFrom('webhookEndpoints')
    .select(['id', 'eventTypes', 'folderId'])
    .where('orgId', '=', orgId)
    .where('enabled', '=', true)
    .where('savedQuestionsOnly', '=', false)
    .where(sql<boolean>`(event_types = '{}' or event_types && ${[...types]}::text[])`)
    .execute();
  return rows.map((row) => ({ ...row, eventTypes: row.eventTypes as WebhookEvent[] }));
}

/** Inserts a webhook unless the organization has `limit` of them. Returns false then. */
export async function insertWebhook(
  trx: Transaction,
  webhook: WebhookSettings &
    Pick<StoredWebhook, 'id' | 'orgId' | 'createdBy' | 'orgTopic' | 'knownRecipient'> & {
      encryptedSecret: EncryptedSecret;
    },
  limit: number,
): Promise<boolean> {
  // Serializes concurrent requests of an organization.
  await trx.selectFrom('organizations').select('id').where('id', '=', webhook.orgId).forUpdate().execute();
  const { count } = await trx
    .selectFrom('webhookEndpoints')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('orgId', '=', webhook.orgId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= limit) return false;
  const values = { ...webhook, encryptedSecret: JSON.stringify(webhook.encryptedSecret) };
  await trx.insertInto('webhookEndpoints').values(values).execute();
  return true;
}

/** Changes settings. One that is enabled again starts without earlier failures. False if it does not exist. */
export async function updateWebhook(
  trx: Transaction,
  id: string,
  { enabled, ...changes }: Partial<WebhookSettings & Pick<StoredWebhook, 'orgTopic' | 'knownRecipient'>>,
): Promise<boolean> {
  const state = enabled === undefined ? {} : { enabled, disabledReason: null, failingSince: null, pausedUntil: null };
  const { numUpdatedRows } = await trx
    .updateTable('webhookEndpoints')
    .set({ id, ...changes, ...state })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteWebhook(trx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('webhookEndpoints').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Makes the present secret the previous one, valid until a time, and sets a new one. */
export async function rotateSecret(
  trx: Transaction,
  id: string,
  secret: EncryptedSecret,
  previousSecretUntil: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhookEndpoints')
    .set({
      encryptedPreviousSecret: sql`encrypted_secret`,
      previousSecretUntil,
      encryptedSecret: JSON.stringify(secret),
    })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records a failed attempt; later requests wait for `pauseS`. Returns the time of the first one since a success. */
export async function markFailing(trx: Transaction, id: string, pauseS: number): Promise<Date | null> {
  const row = await trx
    .updateTable('webhookEndpoints')
    .set({
      failingSince: sql<Date>`coalesce(failing_since, now())`,
      pausedUntil: pauseS > 0 ? sql<Date>`now() + make_interval(secs => ${pauseS})` : null,
    })
    .where('id', '=', id)
    .returning('failingSince')
    .executeTakeFirst();
  return row?.failingSince ?? null;
}

/** Records a successful attempt. Writes only after a failed one. */
export async function markWorking(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('webhookEndpoints')
    .set({ failingSince: null, pausedUntil: null })
    .where('id', '=', id)
    .where('failingSince', 'is not', null)
    .execute();
}

/** Disables an endpoint. False if it is already disabled. */
export async function disable(trx: Transaction, id: string, disabledReason: 'failing' | 'removed'): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhookEndpoints')
    .set({ enabled: false, disabledReason })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const SECRETS = ['encryptedSecret', 'encryptedPreviousSecret'] as const;
type StoredSecret = { id: string; column: (typeof SECRETS)[number]; secret: EncryptedSecret };

/** All secrets of all webhooks. Organizations have few of them. */
export async function listSecrets(db: Queryable): Promise<StoredSecret[]> {
  const rows = await db
    .selectFrom('webhookEndpoints')
    .select(['id', ...SECRETS])
    .orderBy('id')
    .execute();
  return rows.flatMap((row) =>
    SECRETS.flatMap((column) =>
      row[column] ? [{ id: row.id, column, secret: row[column] as unknown as EncryptedSecret }] : [],
    ),
  );
}

/** Replaces a secret that has not changed meanwhile. Returns false if it has. */
export async function replaceSecret(
  db: Queryable,
  { id, column, secret }: StoredSecret,
  fresh: EncryptedSecret,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhookEndpoints')
    .set({ [column]: JSON.stringify(fresh) })
    .where('id', '=', id)
    .where(column, '=', JSON.stringify(secret))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
