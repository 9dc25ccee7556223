import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';

export type Content = { orgId: string; sha256: string; storageKey: string; sizeBytes: number };

/** So many more videos have these contents. Returns where each is, by its digest: where the first one put it. Holds their rows until the transaction ends. */
export async function useContents(
  trx: Transaction,
  orgId: string,
  contents: readonly Omit<Content, 'orgId'>[],
): Promise<Map<string, string>> {
  const given = contents.map(({ sha256, storageKey, sizeBytes }) => ({ sha256, storageKey, sizeBytes }));
  const { rows } = await sql<{ sha256: string; storageKey: string }>`
    insert into contents (org_id, sha256, storage_key, size_bytes, uses)
    select ${orgId}, sha256, min("storageKey"), min("sizeBytes"), count(*)
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (sha256 text, "storageKey" text, "sizeBytes" bigint)
    group by sha256 order by sha256
    on conflict (org_id, sha256) do update set uses = contents.uses + excluded.uses
    returning sha256, storage_key as "storageKey"`.execute(trx);
  return new Map(rows.map(({ sha256, storageKey }) => [sha256, storageKey]));
}

/** One video less has this content. Returns the content when that was the last one: nothing refers to it any more. */
export async function leaveContent(trx: Transaction, orgId: string, sha256: string): Promise<Content | null> {
  const which = { org_id: orgId, sha256 };
  const here = trx
    .selectFrom('contents')
    .selectAll()
    .where((where) => where.and(which));
  const row = await here.forUpdate().executeTakeFirst();
  if (!row) return null;
  if (row.uses > 1) {
    await trx
      .updateTable('contents')
      .set({ uses: sql`uses - 1` })
      .where((where) => where.and(which))
      .execute();
    return null;
  }
  await trx
    .deleteFrom('contents')
    .where((where) => where.and(which))
    .execute();
  return { orgId, sha256, storageKey: row.storage_key, sizeBytes: row.size_bytes };
}

/** Whether a video has the file under this key as its content. */
export async function isUsed(db: Queryable, storageKey: string): Promise<boolean> {
  const row = await db.selectFrom('contents').select('uses').where('storage_key', '=', storageKey).executeTakeFirst();
  return row !== undefined;
}

/** What an organisation takes up, and its own limits; null: those of the service. */
export type Quota = { videos: number; bytes: number; maxVideos: number | null; maxBytes: number | null };

const QUOTA = ['videos', 'bytes', 'max_videos as maxVideos', 'max_bytes as maxBytes'] as const;

/** What the organisation takes up after this change. Holds its row until the transaction ends: two at once see each other. */
export async function change(trx: Transaction, orgId: string, by: { videos: number; bytes: number }): Promise<Quota> {
  return trx
    .insertInto('organization_space')
    .values({ org_id: orgId, ...by })
    .onConflict((conflict) =>
      conflict.column('org_id').doUpdateSet({
        videos: sql`organization_space.videos + ${by.videos}::integer`,
        bytes: sql`organization_space.bytes + ${by.bytes}::bigint`,
      }),
    )
    .returning(QUOTA)
    .executeTakeFirstOrThrow();
}

export async function quotaOf(db: Queryable, orgId: string): Promise<Quota> {
  const row = await db.selectFrom('organization_space').select(QUOTA).where('org_id', '=', orgId).executeTakeFirst();
  return row ?? { videos: 0, bytes: 0, maxVideos: null, maxBytes: null };
}

/** Gives the organisation limits of its own: those that are named, null for those of the service. Returns all of it. */
export async function changeQuota(
  db: Queryable,
  orgId: string,
  { maxVideos, maxBytes }: Partial<Pick<Quota, 'maxVideos' | 'maxBytes'>>,
): Promise<Quota> {
  const limits = {
    ...(maxVideos === undefined ? {} : { max_videos: maxVideos }),
    ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
  };
  return db
    .insertInto('organization_space')
    .values({ org_id: orgId, ...limits })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ org_id: orgId, ...limits }))
    .returning(QUOTA)
    .executeTakeFirstOrThrow();
}
