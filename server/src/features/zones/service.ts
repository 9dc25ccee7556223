import type { Zone } from '#engine/index';
import { type AuditActor, recordAction } from '#features/audit/index';
import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import { canChange } from '#platform/access/index';
import type { Database, Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import { findFault } from './geometry.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { StoredZone, ZoneOwner, ZoneSettings } from './types.ts';

/** Zones of one video or folder. */
const MAX_ZONES = 50;

export type ZonesDeps = {
  database: Database;
  folders: Pick<Folders, 'require'>;
  videos: Pick<Videos, 'get' | 'getWritable'>;
  cameras: CameraAccess;
};

/** Access to cameras, of the room of a higher floor. Both throw its problems. */
export type CameraAccess = {
  get(caller: Caller, id: string): Promise<unknown>;
  getChangeable(caller: Caller, id: string): Promise<unknown>;
};

/** A video, folder or camera as a client names it. */
export type RequestedOwner = { videoId?: string | null; folderId?: string | null; cameraId?: string | null };
type Place = Pick<Video, 'id' | 'folderId' | 'cameraId'>;

/**
 * Zones: named polygons and lines in the frame. Functions with a caller throw the problems of the videos, folders or
 * cameras room about what a zone belongs to.
 */
export function createZones({ database, folders, videos, cameras }: ZonesDeps) {
  const { db } = database;

  /** Checks that the caller may change the zones of an owner. Throws `zone_read_only` (403) for samples. */
  async function requireChangeable(caller: Caller, { videoId, folderId, cameraId }: ZoneOwner): Promise<void> {
    if (videoId !== null) return void (await videos.getWritable(caller, videoId));
    if (cameraId !== null) return void (await cameras.getChangeable(caller, cameraId));
    if (!canChange(caller, await folders.require(caller, folderId))) throw problems.zone_read_only();
  }

  /** A zone of the organization. Throws `zone_not_found` (404) or `zone_forbidden` (403). */
  async function find({ orgId }: Caller, id: string): Promise<StoredZone> {
    const zone = await store.findZone(db, id);
    if (!zone) throw problems.zone_not_found();
    if (zone.orgId !== orgId) throw problems.zone_forbidden();
    return zone;
  }

  const record = (trx: Transaction, by: AuditActor, action: string, { id, orgId, name }: StoredZone) =>
    recordAction(trx, by, { orgId, action: `zone.${action}`, subjectId: id, detail: { name } });

  /** Zones of a video, of its camera and of its folder; of those with one name, the first of these. */
  async function listOfVideo({ id, folderId, cameraId }: Place): Promise<StoredZone[]> {
    const zones = await store.listZones(db, {
      videoIds: [id],
      folderIds: folderId === null ? [] : [folderId],
      cameraIds: cameraId === null ? [] : [cameraId],
    });
    return byName(zones);
  }

  const zones = {
    /** Zones that hold for a video, or those of a folder or camera. Throws `zone_owner_invalid` (400). */
    async list(caller: Caller, requested: RequestedOwner): Promise<StoredZone[]> {
      const owner = toOwner(requested);
      if (owner.videoId !== null) return listOfVideo(await videos.get(caller, owner.videoId));
      if (owner.cameraId !== null) await cameras.get(caller, owner.cameraId);
      else await folders.require(caller, owner.folderId);
      return store.listZones(db, store.toOwners(owner));
    },

    /** Throws `zone_not_found` (404). */
    async get(caller: Caller, id: string): Promise<StoredZone> {
      const zone = await find(caller, id);
      if (zone.videoId !== null) await videos.get(caller, zone.videoId);
      else if (zone.cameraId !== null) await cameras.get(caller, zone.cameraId);
      else await folders.require(caller, zone.folderId);
      return zone;
    },

    /**
     * Throws `zone_owner_invalid`, `zone_name_invalid`, `zone_points_invalid` (400), `zone_exists`, `zone_limit` (409),
     * or `zone_read_only` (403) for the folder of samples.
     */
    async create(
      caller: Caller,
      requested: RequestedOwner,
      settings: ZoneSettings,
      by: AuditActor,
    ): Promise<StoredZone> {
      const owner = toOwner(requested);
      await requireChangeable(caller, owner);
      const { orgId, userId: createdBy } = caller;
      const zone = { ...clean(settings), ...owner, id: newId(), orgId, createdBy };
      return database.transaction(async (trx) => {
        const refused = await store.insertZone(trx, zone, MAX_ZONES);
        if (refused === 'exists') throw taken(zone.name);
        if (refused === 'full') throw problems.zone_limit();
        const created = (await store.findZone(trx, zone.id))!;
        await record(trx, by, 'created', created);
        return created;
      });
    },

    /** Changes settings; undefined leaves one unchanged. Throws as `create`, or `zone_not_found` (404). */
    async change(caller: Caller, id: string, changes: Partial<ZoneSettings>, by: AuditActor): Promise<StoredZone> {
      const current = await find(caller, id);
      await requireChangeable(caller, current);
      const { name, points, note } = clean({ ...current, ...changes });
      return database.transaction(async (trx) => {
        const refused = await store.updateZone(trx, id, { name, points, note });
        if (refused === 'exists') throw taken(name);
        if (refused === 'missing') throw problems.zone_not_found();
        const changed = (await store.findZone(trx, id))!;
        await record(trx, by, 'changed', changed);
        return changed;
      });
    },

    /** Deletes a zone; analyses that named it keep its points. Throws as `change`. */
    async remove(caller: Caller, id: string, by: AuditActor): Promise<void> {
      const zone = await find(caller, id);
      await requireChangeable(caller, zone);
      await database.transaction(async (trx) => {
        if (!(await store.deleteZone(trx, id))) throw problems.zone_not_found();
        await record(trx, by, 'deleted', zone);
      });
    },

    /** Zones that prompts about this video may name. */
    ofVideo: async (video: Place): Promise<Zone[]> => (await listOfVideo(video)).map(toNamed),

    /** The same for each of several videos, by its id. */
    async ofEach(selected: readonly Place[], on: Queryable = db): Promise<Map<string, Zone[]>> {
      const found = await store.listZones(on, ownersOf(selected));
      const holdsFor = ({ id, folderId, cameraId }: Place, zone: StoredZone) =>
        zone.videoId === id ||
        (zone.folderId !== null && zone.folderId === folderId) ||
        (zone.cameraId !== null && zone.cameraId === cameraId);
      return new Map(
        selected.map((video) => [video.id, byName(found.filter((zone) => holdsFor(video, zone))).map(toNamed)]),
      );
    },

    /** Zones that prompts about videos of this folder may name. */
    async ofFolder(folderId: string | null): Promise<Zone[]> {
      if (folderId === null) return [];
      return (await store.listZones(db, { folderIds: [folderId] })).map(toNamed);
    },

    /** One zone of each name that is known for some of these videos: what a prompt about all of them may name. */
    async ofVideos(selected: readonly Place[], on: Queryable = db): Promise<Zone[]> {
      return byName(await store.listZones(on, ownersOf(selected))).map(toNamed);
    },
  };
  return zones;
}

export type Zones = ReturnType<typeof createZones>;

/** Videos, folders and cameras whose zones hold for these videos. */
function ownersOf(selected: readonly Place[]): store.ZoneOwners {
  const folderIds = new Set(selected.flatMap(({ folderId }) => folderId ?? []));
  const cameraIds = new Set(selected.flatMap(({ cameraId }) => cameraId ?? []));
  return { videoIds: selected.map(({ id }) => id), folderIds: [...folderIds], cameraIds: [...cameraIds] };
}

/** Throws `zone_owner_invalid` (400). */
function toOwner({ videoId, folderId, cameraId }: RequestedOwner): ZoneOwner {
  if (videoId && !folderId && !cameraId) return { videoId, folderId: null, cameraId: null };
  if (folderId && !videoId && !cameraId) return { videoId: null, folderId, cameraId: null };
  if (cameraId && !videoId && !folderId) return { videoId: null, folderId: null, cameraId };
  throw problems.zone_owner_invalid();
}

/** Prompts are read by words: a name is what can be typed in one. */
const NAME = /^[\p{L}\p{N}]+(?:[ '-][\p{L}\p{N}]+)*$/u;

/** Throws `zone_name_invalid` or `zone_points_invalid` (400). */
function clean({ name: given, points, note }: ZoneSettings): ZoneSettings {
  const name = given.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  if (!NAME.test(name)) throw problems.zone_name_invalid();
  const rounded = points.map(({ x, y }) => ({ x: round(x), y: round(y) }));
  const fault = findFault(rounded);
  if (fault !== null) throw problems.zone_points_invalid(fault);
  return { name, points: rounded, note: note?.trim() || null };
}

const round = (value: number) => Math.round(value * 1e4) / 1e4;
const taken = (name: string) => problems.zone_exists(`There is a zone named "${name}" already.`);
const toNamed = ({ name, kind, points }: StoredZone): Zone => ({ name, kind, points });

/** 0 for zones of a video, which precede those of a camera and of a folder. */
const rankOf = ({ videoId, cameraId }: StoredZone) => (videoId !== null ? 0 : cameraId !== null ? 1 : 2);

/** One zone of each name; those of videos precede those of cameras and of folders. */
function byName(zones: readonly StoredZone[]): StoredZone[] {
  const named = new Map<string, StoredZone>();
  for (const zone of zones) {
    const key = zone.name.toLowerCase();
    const other = named.get(key);
    if (!other || rankOf(zone) < rankOf(other)) named.set(key, zone);
  }
  return [...named.values()];
}
