import { sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { BatchCounts, Dataset } from './types.ts';

type NewDataset = Omit<Dataset, 'createdAt' | 'updatedAt'>;

export async function insertDataset(db: Queryable, dataset: NewDataset): Promise<void> {
  await db.insertInto('datasets').values(dataset).execute();
}

export async function findDataset(db: Queryable, id: string): Promise<Dataset | null> {
  const row = await db.selectFrom('datasets').selectAll().where('id', '=', id).executeTakeFirst();
  return (row as Dataset | undefined) ?? null;
}

/** Returns the dataset and locks its row until the transaction ends. */
export async function lockDataset(trx: Transaction, id: string): Promise<Dataset | null> {
  const row = await trx.selectFrom('datasets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return (row as Dataset | undefined) ?? null;
}

export async function updateDataset(
  trx: Transaction,
  id: string,
  changes: Pick<Dataset, 'name' | 'searchDescription' | 'batchIds' | 'videoIds'>,
): Promise<void> {
  await trx
    .updateTable('datasets')
    .set({ ...changes, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteDataset(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('datasets').where('id', '=', id).execute();
}

/**
 * Datasets that the caller created (`user`), or those that are shared (`org`), newest first, before the id `before`
 * (null: from the newest).
 */
export async function listDatasets(
  db: Queryable,
  caller: Caller,
  { scope, before, limit }: { scope: 'user' | 'org'; before: string | null; limit: number },
): Promise<Dataset[]> {
  const found = await db
    .selectFrom('datasets')
    .selectAll()
    .where(scope === 'org' ? isReadable(caller, 'datasets', 'org') : isReadable(caller, 'datasets'))
    .$if(scope === 'user', (query) => query.where('ownerId', '=', caller.userId))
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return found as Dataset[];
}

/** State and counts of those of the batches that exist. Analyses of deleted videos do not count. */
export async function countBatches(db: Queryable, ids: readonly string[]): Promise<Map<string, BatchCounts>> {
  if (ids.length === 0) return new Map();
  const count = (approval: string) => sql`count(*) filter (where approval = ${approval})`;
  const { rows } = await sql<BatchCounts & { id: string }>`
    select id, status = 'processing' as is_processing,
      (select count(*) from analyses where batch_id = batches.id and not hidden and document is not null)::integer
        as video_count,
      (
        select jsonb_build_object('total', count(*), 'approved', ${count('approved')}, 'rejected', ${count('rejected')},
          'unsure', ${count('unsure')}, 'pending', ${count('pending')})
        from analysis_events where batch_id = batches.id
      ) as event_counts
    from batches where id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

export type RawVideo = { id: string; name: string; folderName: string | null };

/** Those of the videos that exist, with their folders. */
export async function findVideos(db: Queryable, ids: readonly string[]): Promise<RawVideo[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('videos')
    .leftJoin('folders', 'folders.id', 'videos.folderId')
    .select(['videos.id', 'videos.name', 'folders.name as folderName'])
    .where('videos.id', '=', sql<string>`any(${ids}::text[])`)
    .where('videos.deletedAt', 'is', null)
    .orderBy('folders.name')
    .orderBy('videos.id')
    .execute();
}
