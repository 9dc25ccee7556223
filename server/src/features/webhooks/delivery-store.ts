import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import { toWebhook } from './store.ts';
import type { AttemptResult, Delivery, DeliveryStatus, Message, MessageType, StoredWebhook } from './types.ts';

export type NewMessage = Pick<Message, 'type' | 'subject' | 'data'> & { webhookIds: readonly string[] };

/** Stores messages and their deliveries. Returns the ids of the deliveries, in order. */
export async function insertMessages(
  trx: Transaction,
  orgId: string,
  messages: readonly NewMessage[],
): Promise<string[]> {
  const rows = messages.map(({ webhookIds, data, ...message }) => ({
    message: { ...message, id: newId(), orgId, data: JSON.stringify(data) },
    webhookIds,
  }));
  const deliveries = rows.flatMap(({ message, webhookIds }) =>
    webhookIds.map((endpointId) => ({ id: newId(), endpointId, messageId: message.id })),
  );
  if (deliveries.length === 0) return [];
  const values = rows.map(({ message }) => message);
  await trx.insertInto('webhookMessages').values(values).execute();
  await trx.insertInto('webhookDeliveries').values(deliveries).execute();
  return deliveries.map(({ id }) => id);
}

/** Stores another delivery of a message. Returns its id. */
export async function insertDelivery(trx: Transaction, endpointId: string, messageId: string): Promise<string> {
  const id = newId();
  await trx.insertInto('webhookDeliveries').values({ id, endpointId, messageId }).execute();
  return id;
}

const selectDeliveries = (db: Queryable) =>
  db
    .selectFrom('webhookDeliveries as delivery')
    .innerJoin('webhookMessages as message', 'message.id', 'delivery.messageId')
    .selectAll('delivery')
    .select(['message.type', 'message.subject', 'message.sequence', 'message.data'])
    .select('message.createdAt as messageCreatedAt');

type Row = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number];

const toDelivery = ({ endpointId, sequence: _, data: __, messageCreatedAt: ___, ...row }: Row): Delivery => ({
  ...row,
  webhookId: endpointId,
  type: row.type as MessageType,
  status: row.status as DeliveryStatus,
});

const toMessage = ({ messageId: id, type, subject, sequence, data, messageCreatedAt: createdAt }: Row): Message => ({
  id,
  subject,
  createdAt,
  sequence: Number(sequence),
  type: type as MessageType,
  data: JSON.parse(data),
});

export async function findDelivery(
  db: Queryable,
  webhookId: string,
  id: string,
): Promise<{ delivery: Delivery; message: Message } | null> {
  const row = await selectDeliveries(db)
    .where('delivery.id', '=', id)
    .where('delivery.endpointId', '=', webhookId)
    .executeTakeFirst();
  return row ? { delivery: toDelivery(row), message: toMessage(row) } : null;
}

/** A delivery that is not over, with all that an attempt needs. */
export async function findPending(
  db: Queryable,
  id: string,
): Promise<{ delivery: Delivery; message: Message; endpoint: StoredWebhook } | null> {
  const row = await selectDeliveries(db)
    .where('delivery.id', '=', id)
    .where('delivery.status', '=', 'pending')
    .executeTakeFirst();
  if (!row) return null;
  const endpoint = await db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('id', '=', row.endpointId)
    .executeTakeFirst();
  return endpoint ? { delivery: toDelivery(row), message: toMessage(row), endpoint: toWebhook(endpoint) } : null;
}

/** Deliveries to an endpoint, newest first, before the id `before` (null: from the newest). */
export async function listDeliveries(
  db: Queryable,
  webhookId: string,
  { status, before, limit }: { status: DeliveryStatus | null; before: string | null; limit: number },
): Promise<Delivery[]> {
  const rows = await selectDeliveries(db)
    .where('delivery.endpointId', '=', webhookId)
    .$if(status !== null, (query) => query.where('delivery.status', '=', status!))
    .$if(before !== null, (query) => query.where('delivery.id', '<', before!))
    .orderBy('delivery.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toDelivery);
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

/**
 * Stores the result of an attempt. `delayS`: seconds until the next one; null ends the delivery. False if another
 * worker has stored the result of this attempt.
 */
export async function saveAttempt(
  trx: Transaction,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
  { ok, ...result }: AttemptResult,
  delayS: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhookDeliveries')
    .set({
      ...result,
      attempts: attempts + 1,
      lastAttemptAt: sql<Date>`now()`,
      status: ok ? 'delivered' : delayS === null ? 'failed' : 'pending',
      nextAttemptAt: delayS === null ? null : inSeconds(delayS),
    })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Moves the next attempt by some seconds. False if the delivery is over. */
export async function postpone(
  trx: Transaction,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
  delayS: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhookDeliveries')
    .set({ nextAttemptAt: inSeconds(delayS) })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a pending delivery without another attempt. */
export async function fail(db: Queryable, id: string, problem: { code: string; message: string }): Promise<void> {
  await db
    .updateTable('webhookDeliveries')
    .set({ status: 'failed', nextAttemptAt: null, problemCode: problem.code, problemMessage: problem.message })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Deletes messages that were created before a time, with their deliveries. Returns the number of messages. */
export async function deleteOld(db: Queryable, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('webhookMessages').where('createdAt', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}
