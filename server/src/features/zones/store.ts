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

/** Videos, folders and cameras that zones belong to. */
export type ZoneOwners = {
  videoIds?: readonly string[];
  folderIds?: readonly string[];
  cameraIds?: readonly string[];
};

/** Zones of these videos, folders and cameras, by name. */
export async function listZones(
  db: Queryable,
  { videoIds = [], folderIds = [], cameraIds = [] }: ZoneOwners,
): Promise<StoredZone[]> {
  if (videoIds.length + folderIds.length + cameraIds.length === 0) return [];
  const rows = await selectZones(db)
    .where((eb) =>
      eb.or([
        ...(videoIds.length > 0 ? [eb('videoId', 'in', [...videoIds])] : []),
        ...(folderIds.length > 0 ? [eb('folderId', 'in', [...folderIds])] : []),
        ...(cameraIds.length > 0 ? [eb('cameraId', 'in', [...cameraIds])] : []),
      ]),
    )
    .orderBy(({ fn }) => fn<string>('lower', ['name']))
    .orderBy('id')
    .execute();
  return rows.map(toZone);
}

/** The owner of a zone as a selection. */
export function toOwners({ videoId, folderId, cameraId }: ZoneOwner): ZoneOwners {
  if (videoId !== null) return { videoIds: [videoId] };
  return folderId === null ? { cameraIds: [cameraId] } : { folderIds: [folderId] };
}

function tableOf({ videoId, folderId, cameraId }: ZoneOwner): ['videos' | 'folders' | 'cameras', string] {
  if (videoId !== null) return ['videos', videoId];
  return folderId === null ? ['cameras', cameraId] : ['folders', folderId];
}

export type NewZone = ZoneSettings & ZoneOwner & Pick<StoredZone, 'id' | 'orgId' | 'createdBy'>;

/** Inserts a zone. Returns why not, if its owner has `limit` zones or one of this name. */
export async function insertZone(trx: Transaction, zone: NewZone, limit: number): Promise<'exists' | 'full' | null> {
  // Serializes concurrent requests for one owner.
  const [table, ownerId] = tableOf(zone);
  await trx.selectFrom(table).select('id').where('id', '=', ownerId).forNoKeyUpdate().execute();
  const names = await listZones(trx, toOwners(zone));
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
    if (/^zones_(?:video|folder|camera)_name$/.test((error as { constraint?: string }).constraint ?? ''))
      return 'exists';
    throw error;
  }
}

export async function deleteZone(trx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('zones').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}
