import type { Queryable, Transaction } from '#platform/db/index';
import { kindOf, type StoredZone, type ZoneOwner, type ZoneSettings } from './types.ts';

const selectZones = (db: Queryable) => db.selectFrom('zones').selectAll();
type Row = Awaited<ReturnType<ReturnType<typeof selectZones>['execute']>>[number];

function toZone(row: Row): StoredZone {
  const points = row.points as unknown as StoredZone['points'];
  return { ...row, points, kind: kindOf(points) } as StoredZone;
}

export async function findZone(db: Queryable, id: string): Promise<StoredZone | null> {
  const row = await selectZones(db).where('id', '=', id).executeTakeFirst();
  return row ? toZone(row) : null;
}

/** Zones of these videos and of these folders, by name. */
export async function listZones(
  db: Queryable,
  { videoIds, folderIds }: { videoIds: readonly string[]; folderIds: readonly string[] },
): Promise<StoredZone[]> {
  if (videoIds.length + folderIds.length === 0) return [];
  const rows = await selectZones(db)
    .where((eb) =>
      eb.or([
        ...(videoIds.length > 0 ? [eb('videoId', 'in', [...videoIds])] : []),
        ...(folderIds.length > 0 ? [eb('folderId', 'in', [...folderIds])] : []),
      ]),
    )
    .orderBy(({ fn }) => fn<string>('lower', ['name']))
    .orderBy('id')
    .execute();
  return rows.map(toZone);
}

export type NewZone = ZoneSettings & ZoneOwner & Pick<StoredZone, 'id' | 'orgId' | 'createdBy'>;

/** Inserts a zone. Returns why not, if its owner has `limit` zones or one of this name. */
export async function insertZone(trx: Transaction, zone: NewZone, limit: number): Promise<'exists' | 'full' | null> {
  // Serializes concurrent requests for one owner.
  if (zone.videoId === null)
    await trx.selectFrom('folders').select('id').where('id', '=', zone.folderId).forNoKeyUpdate().execute();
  else await trx.selectFrom('videos').select('id').where('id', '=', zone.videoId).forNoKeyUpdate().execute();
  const names = await listZones(trx, {
    videoIds: zone.videoId === null ? [] : [zone.videoId],
    folderIds: zone.folderId === null ? [] : [zone.folderId],
  });
  if (names.some(({ name }) => name.toLowerCase() === zone.name.toLowerCase())) return 'exists';
  if (names.length >= limit) return 'full';
  await trx
    .insertInto('zones')
    .values({ ...zone, points: JSON.stringify(zone.points) })
    .execute();
  return null;
}

/** Changes the settings that are not undefined. Returns why not. */
export async function updateZone(
  trx: Transaction,
  id: string,
  { points, ...changes }: Partial<ZoneSettings>,
): Promise<'exists' | 'missing' | null> {
  try {
    const { numUpdatedRows } = await trx
      .updateTable('zones')
      .set({ ...changes, changedAt: new Date(), ...(points && { points: JSON.stringify(points) }) })
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows > 0n ? null : 'missing';
  } catch (error) {
    if (/^zones_(?:video|folder)_name$/.test((error as { constraint?: string }).constraint ?? '')) return 'exists';
    throw error;
  }
}

export async function deleteZone(trx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('zones').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}
