import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { ingestOf } from './store.ts';
import type { Ingest, SkippedFile } from './types.ts';

type ImportedObject = { objectId: string; version: string | null; sizeBytes: number | null };

/**
 * Of these objects of buckets those that the viewer has as recordings, or is about to have: the newest ingest by object. One that failed, and one
 * whose videos are all deleted, does not count.
 */
export async function knownIngests(
  trx: Transaction,
  { ownerId, scope }: Pick<Ingest, 'ownerId' | 'scope'>,
  objects: readonly ImportedObject[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ object_id: string; id: string }>`
    select distinct on (m.object_id) m.object_id, m.id
    from jsonb_to_recordset(${JSON.stringify(objects)}::jsonb) as given ("objectId" text, version text, "sizeBytes" bigint)
    join mcap_ingests m on m.object_id = given."objectId" and m.status <> 'failed'
      and (btrim(m.object_version, '"') = btrim(given.version, '"')
        or (given.version is null and m.object_version is null and m.size_bytes = given."sizeBytes"))
      and (m.scope = 'org' or (m.owner_id = ${ownerId} and ${scope} = 'user'))
    where m.completed_at is null or exists (
      select from mcap_films f join videos v on v.id = f.video_id and v.deleted_at is null where f.ingest_id = m.id)
    order by m.object_id, m.id desc`.execute(trx);
  return new Map(rows.map((row) => [row.object_id, row.id]));
}

export type Import = {
  id: string;
  orgId: string;
  ownerId: string;
  integrationId: string;
  skipped: SkippedFile[];
  createdAt: Date;
};

export async function insertImport(
  trx: Transaction,
  { id, orgId, ownerId, integrationId, skipped }: Omit<Import, 'createdAt'>,
) {
  await trx
    .insertInto('mcap_imports')
    .values({ id, org_id: orgId, owner_id: ownerId, integration_id: integrationId, skipped: JSON.stringify(skipped) })
    .execute();
}

export async function findImport(db: Queryable, id: string): Promise<Import | null> {
  const row = await db.selectFrom('mcap_imports').selectAll().where('id', '=', id).executeTakeFirst();
  return row
    ? {
        id: row.id,
        orgId: row.org_id,
        ownerId: row.owner_id,
        integrationId: row.integration_id,
        skipped: row.skipped as SkippedFile[],
        createdAt: row.created_at,
      }
    : null;
}

/** Whether recordings are on their way from the integration's bucket. */
export async function isTransferring(db: Queryable, integrationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('mcap_imports')
    .innerJoin('mcap_ingests', 'mcap_ingests.import_id', 'mcap_imports.id')
    .select('mcap_ingests.id')
    .where('integration_id', '=', integrationId)
    .where('status', '=', 'transferring')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ingests of an import, and the earlier ones of files that it skipped. */
export async function ofImport(db: Queryable, importId: string, skipped: readonly SkippedFile[]): Promise<Ingest[]> {
  const ids = skipped.map(({ ingestId }) => ingestId);
  const rows = await db
    .selectFrom('mcap_ingests')
    .selectAll()
    .where((or) => or.or([or('import_id', '=', importId), or('id', '=', sql<string>`any(${ids}::text[])`)]))
    .orderBy('id')
    .execute();
  return rows.map(ingestOf);
}
