import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Database, Queryable, Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import type { Clocks } from '../clock/index.ts';
import { contentKey, type VideoFiles } from '../files.ts';
import { VIDEO_PROBLEMS } from '../problems.ts';
import type { Quotas } from '../quota/index.ts';
import { findStatus, updateVideo } from '../store.ts';
import type { InspectedFile, NewVideo, Videos } from '../types.ts';
import * as store from './store.ts';

/** An upload without a heartbeat for this long has failed; its connection sends one every few seconds. */
const HEARTBEAT_TIMEOUT_S = 60;

export type IngestDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'countVideos'>;
  quotas: Quotas;
  files: VideoFiles;
  clocks: Pick<Clocks, 'read'>;
  log: Log;
};

type Ingest = Pick<
  Videos,
  | 'create'
  | 'createAll'
  | 'updatePending'
  | 'reserveFor'
  | 'heartbeat'
  | 'markReady'
  | 'markAllReady'
  | 'markFailed'
  | 'fail'
  | 'discard'
> & {
  /** Fails uploads without a recent heartbeat, at most `limit`. */
  failStalled(limit: number): Promise<void>;
};

/** Upload state of videos: pending, then uploaded or failed. */
export function createIngest({ database, events, folders, quotas, files, clocks, log }: IngestDeps): Ingest {
  async function addToFolder(trx: Transaction, folderId: string | null, delta: number): Promise<void> {
    if (folderId !== null) await folders.countVideos(trx, folderId, delta);
  }

  async function fail(trx: Transaction, id: string, problem: { code: string; message: string }) {
    const video = await store.markFailed(trx, id, problem);
    if (!video) return false;
    await events.publish(trx, 'video.failed', { videoId: id, orgId: video.orgId });
    await quotas.release(trx, { ...video, status: 'PREPARE_IN_PROGRESS', sha256: null });
    return true;
  }

  /**
   * Removes the files before the record is marked, so that a crash in between leaves a record to retry from. The row
   * is locked first: a video without a file is never marked as ready.
   */
  async function removeAndFail(id: string, { code, message }: { code: string; message: string }, stalledS?: number) {
    return database.transaction(async (trx) => {
      const pending = await store.lockPending(trx, id, stalledS);
      if (pending || (stalledS === undefined && (await isPendingAndDeleted(trx, id)))) await files.remove(id, trx);
      return pending !== undefined && fail(trx, id, { code, message });
    });
  }

  /**
   * For a video without a pending record: true if it was deleted during its upload, so that later bytes are removed
   * too.
   */
  const isPendingAndDeleted = async (db: Queryable, id: string) => (await findStatus(db, id)) === 'PREPARE_IN_PROGRESS';

  async function createAll(trx: Transaction, videos: readonly NewVideo[]): Promise<void> {
    for (const [folderId, within] of Map.groupBy(videos, (video) => video.folderId)) {
      await addToFolder(trx, folderId, within.length);
    }
    const created = videos.map((video) => ({ ...video, storageKey: contentKey(video.id) }));
    await store.insertPending(trx, created);
    const counted = videos.filter(({ scope }) => scope !== 'sample');
    const bytes = counted.reduce((sum, { reserveBytes = 0 }) => sum + reserveBytes, 0);
    await quotas.addUsage(trx, videos[0]!.orgId, { videos: counted.length, bytes });
  }

  async function markAllReady(trx: Transaction, videos: readonly ({ id: string } & InspectedFile)[]) {
    const ready = await store.markReady(trx, videos);
    if (ready.length === 0) return [];
    const { orgId } = ready[0]!;
    for (const { id, storageKey } of await quotas.countStored(trx, orgId, ready))
      await store.setStorageKey(trx, id, storageKey);
    const known = new Map(videos.flatMap(({ id, recording }) => (recording ? [[id, recording] as const] : [])));
    const ids = ready.map(({ id }) => id);
    await clocks.read(trx, ids, known);
    const published = ready.map(({ id, sizeBytes }) => ({ videoId: id, sizeBytes }));
    await events.publish(trx, 'videos.ready', { orgId, videos: published });
    return ids;
  }

  return {
    async create(trx, video) {
      await createAll(trx, [video]);
      return { storageKey: contentKey(video.id) };
    },
    createAll,

    async updatePending(trx, id, changes) {
      const before = await store.lockPending(trx, id);
      if (!before) return false;
      await updateVideo(trx, id, changes);
      if (changes.folderId !== undefined && changes.folderId !== before.folderId) {
        await addToFolder(trx, before.folderId, -1);
        await addToFolder(trx, changes.folderId, 1);
      }
      return true;
    },

    async reserveFor(trx, id, bytes) {
      const video = await store.lockPending(trx, id);
      if (!video) return;
      await store.setReservedBytes(trx, id, bytes);
      await quotas.addUsage(trx, video.orgId, { bytes: bytes - video.reservedBytes });
    },

    heartbeat: (id) => store.recordHeartbeat(database.db, id),

    markReady: async (trx, id, facts) => (await markAllReady(trx, [{ ...facts, id }])).length > 0,
    markAllReady,

    markFailed: (trx, id, code, message) => fail(trx, id, { code, message }),
    fail: async (id, problem) => void (await removeAndFail(id, problem)),

    async discard(id) {
      await database.transaction(async (trx) => {
        const removed = await store.deleteUnstored(trx, id);
        if (removed || (await findStatus(trx, id)) !== 'UPLOADED') await files.remove(id, trx);
        if (!removed) return;
        await addToFolder(trx, removed.folderId, -1);
        await quotas.release(trx, removed);
      });
    },

    async failStalled(limit) {
      const { sentence } = VIDEO_PROBLEMS.upload_interrupted;
      for (const id of await store.findStalled(database.db, HEARTBEAT_TIMEOUT_S, limit)) {
        try {
          const failed = await removeAndFail(
            id,
            { code: 'upload_interrupted', message: sentence },
            HEARTBEAT_TIMEOUT_S,
          );
          if (failed) log.info({ videoId: id }, 'failed a stalled upload');
        } catch (err) {
          // Others are not held up by it.
          log.warn({ err, videoId: id }, 'cannot fail a stalled upload yet, will retry');
        }
      }
    },
  };
}
