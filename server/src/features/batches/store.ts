import { sql } from 'kysely';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { LibraryCount } from './schema.ts';

export type BatchStatus = 'processing' | 'completed' | 'failed' | 'cancelled';

export type Batch = {
  id: string;
  orgId: string;
  ownerId: string;
  streamId: string;
  /** `org`: everyone in the organization may read it, because all its videos are shared. */
  scope: 'user' | 'org';
  query: string;
  config: unknown;
  metadata: unknown;
  status: BatchStatus;
  total: number;
  /** Ended analyses, failed ones included. */
  completed: number;
  failed: number;
  createdAt: Date;
  completedAt: Date | null;
  /** Numbers of its videos by how they were chosen; null if the request names them. */
  selection: LibraryCount | null;
  /** The event of all videos that the prompt asks for; null: none. */
  picks: 'first' | 'last' | null;
  /** The answer about all of its videos; null without one. */
  answer: string | null;
  answerEventId: string | null;
};

/** Null or absent: all. */
export type BatchFilter = { scope?: 'user' | 'org' | null; status?: BatchStatus | null };

const BATCH_COLUMNS = [
  'id',
  'orgId',
  'ownerId',
  'streamId',
  'scope',
  'query',
  'config',
  'metadata',
  'status',
  'total',
  'completed',
  'failed',
  'createdAt',
  'completedAt',
  'selection',
  'picks',
  'answer',
  'answerEventId',
] as const;

type NewBatch = Pick<
  Batch,
  'id' | 'orgId' | 'ownerId' | 'streamId' | 'scope' | 'query' | 'total' | 'selection' | 'picks' | 'answer'
> & {
  config: object;
  /** The client's own id for the batch; null without one. */
  clientId: string | null;
};

export async function insertBatch(trx: Transaction, batch: NewBatch): Promise<void> {
  await trx
    .insertInto('batches')
    .values({
      id: batch.id,
      orgId: batch.orgId,
      ownerId: batch.ownerId,
      streamId: batch.streamId,
      clientId: batch.clientId,
      scope: batch.scope,
      query: batch.query,
      config: JSON.stringify(batch.config),
      status: batch.total === 0 ? 'completed' : 'processing',
      total: batch.total,
      selection: batch.selection === null ? null : JSON.stringify(batch.selection),
      picks: batch.picks,
      answer: batch.answer,
      ...(batch.total === 0 ? { completedAt: sql<Date>`now()` } : {}),
    })
    .execute();
}

export async function findBatch(db: Queryable, id: string): Promise<Batch | null> {
  const row = await db.selectFrom('batches').select(BATCH_COLUMNS).where('id', '=', id).executeTakeFirst();
  return (row as Batch | undefined) ?? null;
}

/** Those of the batches that exist, in any order. */
export async function findBatches(db: Queryable, ids: readonly string[]): Promise<Batch[]> {
  const rows = await db
    .selectFrom('batches')
    .select(BATCH_COLUMNS)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return rows as Batch[];
}

/** Returns the batch that the user created with this client id. */
export async function findByClientId(db: Queryable, ownerId: string, clientId: string): Promise<Batch | null> {
  const row = await db
    .selectFrom('batches')
    .select(BATCH_COLUMNS)
    .where('ownerId', '=', ownerId)
    .where('clientId', '=', clientId)
    .executeTakeFirst();
  return (row as Batch | undefined) ?? null;
}

/** Merges metadata into that of a batch. Returns all of it; null if it would exceed `maxNames`. */
export async function addMetadata(
  db: Queryable,
  id: string,
  metadata: Record<string, string | number>,
  maxNames: number,
): Promise<Record<string, string | number> | null> {
  const merged = sql<Record<string, string | number>>`metadata || ${JSON.stringify(metadata)}::jsonb`;
  const row = await db
    .updateTable('batches')
    .set({ metadata: merged })
    .where('id', '=', id)
    .where(sql<boolean>`(select count(*) from jsonb_object_keys(${merged})) <= ${maxNames}`)
    .returning('metadata')
    .executeTakeFirst();
  return (row?.metadata as Record<string, string | number> | undefined) ?? null;
}

export async function findByStream(db: Queryable, streamId: string): Promise<Batch | null> {
  const row = await db.selectFrom('batches').select(BATCH_COLUMNS).where('streamId', '=', streamId).executeTakeFirst();
  return (row as Batch | undefined) ?? null;
}

export async function findStreamId(db: Queryable, id: string): Promise<string | null> {
  const row = await db.selectFrom('batches').select('streamId').where('id', '=', id).executeTakeFirst();
  return row?.streamId ?? null;
}

/** Batches that the caller may read, before the batch `before` (null: from the newest), newest first. */
export async function listBatches(
  db: Queryable,
  caller: Principal,
  { scope, status, before, limit }: BatchFilter & { before: string | null; limit: number },
): Promise<Batch[]> {
  const rows = await db
    .selectFrom('batches')
    .select(BATCH_COLUMNS)
    .where(isReadable(caller, 'batches', scope ?? undefined))
    .$if(status != null, (query) => query.where('status', '=', status!))
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows as Batch[];
}

/**
 * Counts one ended analysis. The last one ends the batch: `cancelled` if it was canceled, as a batch is canceled with
 * all of its running analyses; else `completed` if any analysis succeeded. Locks the row of the batch until the
 * transaction ends.
 */
export async function countEndedAnalysis(
  trx: Transaction,
  id: string,
  ending: 'completed' | 'failed' | 'cancelled',
): Promise<Batch | null> {
  const failedNow = sql<number>`failed + ${ending === 'completed' ? 0 : 1}`;
  const last = sql<boolean>`completed + 1 >= total`;
  const row = await trx
    .updateTable('batches')
    .set({
      completed: sql<number>`completed + 1`,
      failed: failedNow,
      status: sql<string>`case when not (${last}) then status when ${ending === 'cancelled'} then 'cancelled'
        when ${failedNow} < total then 'completed' else 'failed' end`,
      completedAt: sql<Date | null>`case when ${last} then now() end`,
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning(BATCH_COLUMNS)
    .executeTakeFirst();
  return (row as Batch | undefined) ?? null;
}

export async function setAnswer(trx: Transaction, id: string, answer: string, eventId: string | null): Promise<void> {
  await trx.updateTable('batches').set({ answer, answerEventId: eventId }).where('id', '=', id).execute();
}

/** Takes a deleted analysis, which had ended, out of the counters of its batch. A batch without analyses is deleted. */
export async function uncountAnalysis(trx: Transaction, id: string, failed: boolean): Promise<void> {
  await trx
    .updateTable('batches')
    .set({
      total: sql<number>`total - 1`,
      completed: sql<number>`completed - 1`,
      failed: sql<number>`failed - ${failed ? 1 : 0}`,
    })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('batches').where('id', '=', id).where('total', '=', 0).execute();
}

/** Analyses of an ended batch in its order, and the answer: that of its only analysis, or about all of its videos. */
export async function findOutcome(
  trx: Transaction,
  id: string,
): Promise<{ analysis_ids: string[]; answer: string | null }> {
  const rows = await trx
    .selectFrom('analyses')
    .select(['id', 'answer'])
    .where('batchId', '=', id)
    .orderBy('position')
    .execute();
  const [only, ...others] = rows;
  const isOne = only !== undefined && others.length === 0;
  const batch = isOne ? only : await trx.selectFrom('batches').select('answer').where('id', '=', id).executeTakeFirst();
  return { analysis_ids: rows.map((row) => row.id), answer: batch?.answer ?? null };
}
