import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Quota } from '../types.ts';

export type StoredContent = { orgId: string; sha256: string; storageKey: string; sizeBytes: number };

/**
 * Adds a reference to each content. Returns the storage key by digest: that of the first file with these bytes. Locks
 * the rows until the transaction ends.
 */
export async function referenceContents(
  trx: Transaction,
  orgId: string,
  contents: readonly Omit<StoredContent, 'orgId'>[],
): Promise<Map<string, string>> {
  const given = contents.map(({ sha256, storageKey, sizeBytes }) => ({ sha256, storageKey, sizeBytes }));
  const { rows } = await sql<{ sha256: string; storageKey: string }>`
    insert into contents (org_id, sha256, storage_key, size_bytes, reference_count)
    select ${orgId}, sha256, min("storageKey"), min("sizeBytes"), count(*)
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (sha256 text, "storageKey" text, "sizeBytes" bigint)
    group by sha256 order by sha256
    on conflict (org_id, sha256) do update set reference_count = contents.reference_count + excluded.reference_count
    returning sha256, storage_key`.execute(trx);
  return new Map(rows.map(({ sha256, storageKey }) => [sha256, storageKey]));
}

/** Removes a reference. Returns the content if that was the last one. */
export async function releaseContent(trx: Transaction, orgId: string, sha256: string): Promise<StoredContent | null> {
  const key = { orgId, sha256 };
  const content = trx
    .selectFrom('contents')
    .selectAll()
    .where((where) => where.and(key));
  const row = await content.forUpdate().executeTakeFirst();
  if (!row) return null;
  if (row.referenceCount > 1) {
    await trx
      .updateTable('contents')
      .set({ referenceCount: sql`reference_count - 1` })
      .where((where) => where.and(key))
      .execute();
    return null;
  }
  await trx
    .deleteFrom('contents')
    .where((where) => where.and(key))
    .execute();
  return { orgId, sha256, storageKey: row.storageKey, sizeBytes: row.sizeBytes };
}

/** True if a video refers to the file under this key. */
export async function isReferenced(db: Queryable, storageKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('contents')
    .select('referenceCount')
    .where('storageKey', '=', storageKey)
    .executeTakeFirst();
  return row !== undefined;
}

const QUOTA_COLUMNS = ['videos', 'bytes', 'maxVideos', 'maxBytes'] as const;

/** Adds to the usage and returns it. Locks the row until the transaction ends, so concurrent changes are counted. */
export async function addUsage(trx: Transaction, orgId: string, by: { videos: number; bytes: number }): Promise<Quota> {
  return trx
    .insertInto('organizationUsage')
    .values({ orgId, ...by })
    .onConflict((conflict) =>
      conflict.column('orgId').doUpdateSet({
        videos: sql`organization_usage.videos + ${by.videos}::integer`,
        bytes: sql`organization_usage.bytes + ${by.bytes}::bigint`,
      }),
    )
    .returning(QUOTA_COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function findQuota(db: Queryable, orgId: string): Promise<Quota> {
  const row = await db
    .selectFrom('organizationUsage')
    .select(QUOTA_COLUMNS)
    .where('orgId', '=', orgId)
    .executeTakeFirst();
  return row ?? { videos: 0, bytes: 0, maxVideos: null, maxBytes: null };
}

/** Sets limits of the organization; null returns to the default of the service, undefined leaves it unchanged. */
export async function setQuota(
  db: Queryable,
  orgId: string,
  { maxVideos, maxBytes }: Partial<Pick<Quota, 'maxVideos' | 'maxBytes'>>,
): Promise<Quota> {
  const limits = {
    ...(maxVideos === undefined ? {} : { maxVideos }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
  return db
    .insertInto('organizationUsage')
    .values({ orgId, ...limits })
    .onConflict((conflict) => conflict.column('orgId').doUpdateSet({ orgId, ...limits }))
    .returning(QUOTA_COLUMNS)
    .executeTakeFirstOrThrow();
}
