import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Database, Queryable, Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import * as store from './arrival-store.ts';
import { contentKey, type Files } from './files.ts';
import { VIDEO_PROBLEMS } from './problems.ts';
import type { SpaceKeeper } from './space.ts';
import { change, findStatus } from './store.ts';
import type { NewVideo, StoredFacts, Videos } from './types.ts';

/** An upload that was not heard of for this long is given up; its connection says something every few seconds. */
const SILENT_S = 60;

export type ArrivalDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'countVideos'>;
  space: SpaceKeeper;
  files: Files;
  log: Log;
};

type Arrival = Pick<
  Videos,
  | 'create'
  | 'createAll'
  | 'amend'
  | 'reserve'
  | 'touch'
  | 'markReady'
  | 'markAllReady'
  | 'markFailed'
  | 'giveUp'
  | 'discard'
> & {
  /** Gives up uploads whose connection went silent, at most `limit`. */
  sweepSilent(limit: number): Promise<void>;
};

/** How videos come, or do not. */
export function createArrival({ database, events, folders, space, files, log }: ArrivalDeps): Arrival {
  async function count(trx: Transaction, folderId: string | null, delta: number): Promise<void> {
    if (folderId !== null) await folders.countVideos(trx, folderId, delta);
  }

  async function fail(trx: Transaction, id: string, why: { code: string; message: string }) {
    const video = await store.fail(trx, id, why);
    if (!video) return false;
    await events.publish(trx, 'video.failed', { videoId: id, orgId: video.orgId });
    await space.leave(trx, { ...video, status: 'PREPARE_IN_PROGRESS', sha256: null });
    return true;
  }

  /**
   * Files before the record: after a crash in between the record still tells of them, and is given up again. Its row is locked before, so
   * that nobody makes ready what has no file any more.
   */
  async function giveUp(id: string, { code, message }: { code: string; message: string }, silentS?: number) {
    return database.transaction(async (trx) => {
      const arriving = await store.lockArriving(trx, id, silentS);
      if (arriving || (silentS === undefined && (await isAway(trx, id)))) await files.remove(id, trx);
      return arriving !== undefined && fail(trx, id, { code, message });
    });
  }

  /** Whether it was deleted before it came: what came since goes too. */
  const isAway = async (db: Queryable, id: string) => (await findStatus(db, id)) === 'PREPARE_IN_PROGRESS';

  async function createAll(trx: Transaction, videos: readonly NewVideo[]): Promise<void> {
    for (const [folderId, within] of Map.groupBy(videos, (video) => video.folderId)) {
      await count(trx, folderId, within.length);
    }
    const made = videos.map((video) => ({ ...video, storageKey: contentKey(video.id) }));
    await store.insert(trx, made);
    const counted = videos.filter(({ scope }) => scope !== 'sample');
    const bytes = counted.reduce((sum, { reserveBytes = 0 }) => sum + reserveBytes, 0);
    await space.change(trx, videos[0]!.orgId, { videos: counted.length, bytes });
  }

  async function markAllReady(trx: Transaction, videos: readonly ({ id: string } & StoredFacts)[]) {
    const arrived = await store.arrive(trx, videos);
    if (arrived.length === 0) return [];
    const { orgId } = arrived[0]!;
    for (const { id, storageKey } of await space.keep(trx, orgId, arrived)) await store.place(trx, id, storageKey);
    const news = arrived.map(({ id, sizeBytes }) => ({ videoId: id, sizeBytes }));
    await events.publish(trx, 'videos.ready', { orgId, videos: news });
    return arrived.map(({ id }) => id);
  }

  return {
    async create(trx, video) {
      await createAll(trx, [video]);
      return { storageKey: contentKey(video.id) };
    },
    createAll,

    async amend(trx, id, changes) {
      const before = await store.lockArriving(trx, id);
      if (!before) return false;
      await change(trx, id, changes);
      if (changes.folderId !== undefined && changes.folderId !== before.folderId) {
        await count(trx, before.folderId, -1);
        await count(trx, changes.folderId, 1);
      }
      return true;
    },

    async reserve(trx, id, bytes) {
      const video = await store.lockArriving(trx, id);
      if (!video) return;
      await store.reserve(trx, id, bytes);
      await space.change(trx, video.orgId, { bytes: bytes - video.reservedBytes });
    },

    touch: (id) => store.touch(database.db, id),

    markReady: async (trx, id, facts) => (await markAllReady(trx, [{ ...facts, id }])).length > 0,
    markAllReady,

    markFailed: (trx, id, code, message) => fail(trx, id, { code, message }),
    giveUp: async (id, problem) => void (await giveUp(id, problem)),

    async discard(id) {
      await database.transaction(async (trx) => {
        const removed = await store.removeUnstored(trx, id);
        if (removed || (await findStatus(trx, id)) !== 'UPLOADED') await files.remove(id, trx);
        if (!removed) return;
        await count(trx, removed.folderId, -1);
        await space.leave(trx, removed);
      });
    },

    async sweepSilent(limit) {
      const { sentence } = VIDEO_PROBLEMS.upload_interrupted;
      for (const id of await store.silent(database.db, SILENT_S, limit)) {
        try {
          const gaveUp = await giveUp(id, { code: 'upload_interrupted', message: sentence }, SILENT_S);
          if (gaveUp) log.info({ videoId: id }, 'gave up an upload that went silent');
        } catch (err) {
          // The others do not wait for it.
          log.warn({ err, videoId: id }, 'cannot give up a silent upload yet');
        }
      }
    },
  };
}
