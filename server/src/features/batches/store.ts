import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';

export type BatchStatus = 'processing' | 'completed' | 'failed' | 'cancelled';

export type Batch = {
  id: string;
  orgId: string;
  ownerId: string;
  streamId: string;
  /** `org`: everyone in the organisation may read it, because all its videos are shared. */
  scope: 'user' | 'org';
  query: string;
  config: unknown;
  metadata: unknown;
  status: BatchStatus;
  total: number;
  /** Analyses that have ended, in either way. */
  completed: number;
  failed: number;
  createdAt: Date;
  completedAt: Date | null;
};

const BATCH = [
  'id',
  'org_id as orgId',
  'owner_id as ownerId',
  'stream_id as streamId',
  'scope',
  'query',
  'config',
  'metadata',
  'status',
  'total',
  'completed',
  'failed',
  'created_at as createdAt',
  'completed_at as completedAt',
] as const;

type NewBatch = Pick<Batch, 'id' | 'orgId' | 'ownerId' | 'streamId' | 'scope' | 'query' | 'total'> & {
  config: object;
  /** The client's own name for it; null when it gave none. */
  clientId: string | null;
};

export async function insertBatch(trx: Transaction, batch: NewBatch): Promise<void> {
  await trx
    .insertInto('batches')
    .values({
      id: batch.id,
      org_id: batch.orgId,
      owner_id: batch.ownerId,
      stream_id: batch.streamId,
      client_id: batch.clientId,
      scope: batch.scope,
      query: batch.query,
      config: JSON.stringify(batch.config),
      status: 'processing',
      total: batch.total,
    })
    .execute();
}

export async function findBatch(db: Queryable, id: string): Promise<Batch | null> {
  const row = await db.selectFrom('batches').select(BATCH).where('id', '=', id).executeTakeFirst();
  return (row as Batch | undefined) ?? null;
}

/** The batch that a user made under a name of their own. */
export async function findByClientId(db: Queryable, ownerId: string, clientId: string): Promise<Batch | null> {
  const row = await db
    .selectFrom('batches')
    .select(BATCH)
    .where('owner_id', '=', ownerId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return (row as Batch | undefined) ?? null;
}

/** Adds notes to a batch; those under a name that is there are replaced. Returns all of them; null when there are too many. */
export async function addMetadata(
  db: Queryable,
  id: string,
  notes: Record<string, string | number>,
  most: number,
): Promise<Record<string, string | number> | null> {
  const merged = sql<Record<string, string | number>>`metadata || ${JSON.stringify(notes)}::jsonb`;
  const row = await db
    .updateTable('batches')
    .set({ metadata: merged })
    .where('id', '=', id)
    .where(sql<boolean>`(select count(*) from jsonb_object_keys(${merged})) <= ${most}`)
    .returning('metadata')
    .executeTakeFirst();
  return (row?.metadata as Record<string, string | number> | undefined) ?? null;
}

export async function findByStream(db: Queryable, streamId: string): Promise<Batch | null> {
  const row = await db.selectFrom('batches').select(BATCH).where('stream_id', '=', streamId).executeTakeFirst();
  return (row as Batch | undefined) ?? null;
}

export async function streamOf(db: Queryable, id: string): Promise<string | null> {
  const row = await db.selectFrom('batches').select('stream_id').where('id', '=', id).executeTakeFirst();
  return row?.stream_id ?? null;
}

/** Counts one ended analysis; the last one ends the batch: completed when any succeeded. Holds the batch's row until the transaction ends. */
export async function count(trx: Transaction, id: string, failed: boolean): Promise<Batch | null> {
  const failedNow = sql<number>`failed + ${failed ? 1 : 0}`;
  const last = sql<boolean>`completed + 1 >= total`;
  const row = await trx
    .updateTable('batches')
    .set({
      completed: sql<number>`completed + 1`,
      failed: failedNow,
      status: sql<string>`case when not (${last}) then status when ${failedNow} < total then 'completed' else 'failed' end`,
      completed_at: sql<Date | null>`case when ${last} then now() end`,
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning(BATCH)
    .executeTakeFirst();
  return (row as Batch | undefined) ?? null;
}
