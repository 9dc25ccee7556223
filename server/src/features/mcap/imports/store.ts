import { sql } from 'kysely';
import { isVisibleAlike } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { toIngest } from '../store.ts';
import type { McapIngest, SkippedFile } from '../types.ts';

type ImportedObject = { objectId: string; version: string | null; sizeBytes: number | null };

/**
 * Returns the newest ingest of each of these objects, if the viewer can see it. Failed ingests and those whose videos
 * were all deleted do not count.
 */
export async function findKnownIngests(
  trx: Transaction,
  owner: Pick<McapIngest, 'orgId' | 'ownerId' | 'scope'>,
  objects: readonly ImportedObject[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ objectId: string; id: string }>`
    select distinct on (m.object_id) m.object_id, m.id
    from jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) as given ("objectId" text, version text, "sizeBytes" bigint)
    join mcap_ingests m on m.object_id = given."objectId" and m.status <> 'failed'
      and (btrim(m.object_version, '"') = btrim(given.version, '"')
        or (given.version is null and m.object_version is null and m.size_bytes = given."sizeBytes"))
      and ${isVisibleAlike(owner, 'm')}
    where m.completed_at is null or exists (
      select from mcap_films f join videos v on v.id = f.video_id and v.deleted_at is null where f.ingest_id = m.id)
    order by m.object_id, m.id desc`.execute(trx);
  return new Map(rows.map((row) => [row.objectId, row.id]));
}

export type McapImport = {
  id: string;
  orgId: string;
  ownerId: string;
  integrationId: string;
  skipped: SkippedFile[];
  createdAt: Date;
};

export async function insertImport(
  trx: Transaction,
  { id, orgId, ownerId, integrationId, skipped }: Omit<McapImport, 'createdAt'>,
) {
  await trx
    .insertInto('mcapImports')
    .values({ id, orgId, ownerId, integrationId, skipped: JSON.stringify(skipped) })
    .execute();
}

export async function findImport(db: Queryable, id: string): Promise<McapImport | null> {
  const row = await db.selectFrom('mcapImports').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? { ...row, skipped: row.skipped as SkippedFile[] } : null;
}

/** True if recordings are being transferred from the integration's bucket. */
export async function isTransferring(db: Queryable, integrationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('mcapImports')
    .innerJoin('mcapIngests', 'mcapIngests.importId', 'mcapImports.id')
    .select('mcapIngests.id')
    .where('integrationId', '=', integrationId)
    .where('status', '=', 'transferring')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists the ingests of an import, including the earlier ones of skipped files. */
export async function listIngests(
  db: Queryable,
  importId: string,
  skipped: readonly SkippedFile[],
): Promise<McapIngest[]> {
  const ids = skipped.map(({ ingestId }) => ingestId);
  const rows = await db
    .selectFrom('mcapIngests')
    .selectAll()
    .where((or) => or.or([or('importId', '=', importId), or('id', '=', sql<string>`any(${ids}::text[])`)]))
    .orderBy('id')
    .execute();
  return rows.map(toIngest);
}
