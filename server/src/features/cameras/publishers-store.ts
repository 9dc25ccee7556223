import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { findCamera, PUBLISHER_LOST_S as LOST_S } from './store.ts';
import type { Camera } from './types.ts';

/** Digest of a new key of a camera. False if there is no such camera. */
export async function setPushKey(trx: Transaction, cameraId: string, pushKeyHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('cameras')
    .set({ pushKeyHash, changedAt: sql<Date>`now()` })
    .where('id', '=', cameraId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The camera that encoders with this key publish to. */
export async function findCameraByPushKey(db: Queryable, pushKeyHash: Buffer): Promise<Camera | null> {
  const row = await db.selectFrom('cameras').select('id').where('pushKeyHash', '=', pushKeyHash).executeTakeFirst();
  return row ? findCamera(db, row.id) : null;
}

/** True if this is the key of a camera, whose row the caller has locked. */
export async function hasPushKey(trx: Transaction, cameraId: string, pushKeyHash: Buffer): Promise<boolean> {
  return (await findCameraByPushKey(trx, pushKeyHash))?.id === cameraId;
}

/** Where and by which connection a camera is published to. */
export type Publisher = { cameraId: string; connectionId: string; node: string; remote: string };

/** Makes a connection the publisher of its camera. False if a connection to another node is, and is alive. */
export async function claimPublisher(trx: Transaction, publisher: Publisher): Promise<boolean> {
  const fields = { ...publisher, seenAt: sql<Date>`now()`, connectedAt: sql<Date>`now()` };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('cameraPublishers')
    .values(fields)
    .onConflict((on) =>
      on
        .column('cameraId')
        .doUpdateSet(fields)
        .where((or) =>
          or.or([
            or('cameraPublishers.connectionId', 'is', null),
            or('cameraPublishers.node', '=', publisher.node),
            or('cameraPublishers.seenAt', '<', sql<Date>`now() - make_interval(secs => ${LOST_S})`),
          ]),
        ),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Reports that connections are alive. Returns the cameras of those that are still the publishers. */
export async function renewPublishers(db: Queryable, connectionIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .updateTable('cameraPublishers')
    .set({ seenAt: sql<Date>`now()` })
    .where('connectionId', '=', sql<string>`any(${[...connectionIds]}::text[])`)
    .returning(['connectionId', 'cameraId'])
    .execute();
  return new Map(rows.map(({ connectionId, cameraId }) => [connectionId!, cameraId]));
}

const RELEASED = { connectionId: null, node: null, seenAt: null };

export async function releasePublisher(db: Queryable, connectionId: string): Promise<void> {
  await db.updateTable('cameraPublishers').set(RELEASED).where('connectionId', '=', connectionId).execute();
}

/** Releases the publisher of a camera. */
export async function releaseCamera(trx: Transaction, cameraId: string): Promise<void> {
  await trx.updateTable('cameraPublishers').set(RELEASED).where('cameraId', '=', cameraId).execute();
}

/** Releases all publishers of a node. */
export async function releaseNode(db: Queryable, node: string): Promise<void> {
  await db.updateTable('cameraPublishers').set(RELEASED).where('node', '=', node).execute();
}

/** Stores why an encoder was refused or disconnected. */
export async function noteRefusal(db: Queryable, cameraId: string, refusedReason: string): Promise<void> {
  const fields = { refusedAt: sql<Date>`now()`, refusedReason };
  await db
    .insertInto('cameraPublishers')
    // A camera that is deleted meanwhile has no refusals.
    .columns(['cameraId', 'refusedAt', 'refusedReason'])
    .expression((of) =>
      of
        .selectFrom('cameras')
        .select(['id', sql<Date>`now()`.as('refusedAt'), sql<string>`${refusedReason}`.as('refusedReason')])
        .where('id', '=', cameraId),
    )
    .onConflict((on) => on.column('cameraId').doUpdateSet(fields))
    .execute();
}

/** Node that a camera is published to now, as `host:port`; null: nothing is published. */
export async function findNode(db: Queryable, cameraId: string): Promise<string | null> {
  const row = await db
    .selectFrom('cameraPublishers')
    .select('node')
    .where('cameraId', '=', cameraId)
    .where('seenAt', '>', sql<Date>`now() - make_interval(secs => ${LOST_S})`)
    .executeTakeFirst();
  return row?.node ?? null;
}
