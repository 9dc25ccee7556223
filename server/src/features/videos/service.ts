import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { ID_PATTERN } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Storage } from '#platform/storage/index';
import { eraseVideo, sweepVideos } from './jobs.ts';
import { problems, VIDEO_PROBLEMS } from './problems.ts';
import * as store from './store.ts';
import type { Video, Videos } from './types.ts';

const folderOf = (id: string) => `videos/${id}/`;

/** Where the file that came beside a video is kept. */
export const sidecarKey = (id: string) => `${folderOf(id)}sidecar`;

/** An upload that was not heard of for this long is given up; its connection says something every few seconds. */
const SILENT_S = 60;
/** A file may be written by whoever has not yet heard of the deletion: what came after the first look goes with the second. */
const SECOND_LOOK_S = 600;
/** Erasing takes seconds; a deleted video that is there after this long has lost its job. */
const UNERASED_S = 6 * 3600;
const SWEPT_AT_ONCE = 200;

export type VideosDeps = {
  database: Database;
  storage: Storage;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'get' | 'countVideos'>;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle' | 'schedule'>;
  log: Log;
};

export function createVideosService({ database, storage, events, folders, jobs, log }: VideosDeps): Videos {
  const { db } = database;

  async function count(trx: Transaction, folderId: string | null, delta: number): Promise<void> {
    if (folderId !== null) await folders.countVideos(trx, folderId, delta);
  }

  const videos: Videos = {
    async get(caller, id) {
      const [video] = await videos.getMany(caller, [id]);
      return video!;
    },

    async getMany(caller, ids) {
      const found = new Map((await store.byIds(db, ids)).map((video) => [video.id, video]));
      return ids.map((id) => {
        const video = found.get(id);
        if (!video) throw problems.video_not_found(`There is no video with the id ${shown(id)}.`);
        if (!sees(caller, video)) throw problems.video_forbidden(`The video ${id} belongs to someone else.`);
        return video;
      });
    },

    async find(id) {
      return (await store.byIds(db, [id]))[0] ?? null;
    },

    async sourceUris(ids) {
      return new Map((await store.sourceUris(db, ids)).map(({ id, uri }) => [id, uri]));
    },

    async list(caller, { folder, scope, limit, cursor }) {
      if (cursor && !new RegExp(ID_PATTERN).test(cursor)) throw problems.cursor_invalid();
      // There are no sample videos yet, and nobody else's are shown in their place.
      if (scope === 'sample') return { videos: [], nextCursor: null };
      const within = folder ? await folders.get(caller, folder, scope) : null;
      const found = await store.page(db, {
        orgId: caller.orgId,
        userId: caller.userId,
        whole: caller.scopes.includes('admin'),
        scope: within?.scope ?? scope ?? null,
        folderId: within?.id ?? null,
        before: cursor ?? null,
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      return { videos: page, nextCursor: found.length > limit ? page.at(-1)!.id : null };
    },

    async create(trx, video) {
      const storageKey = `${folderOf(video.id)}source`;
      await store.insert(trx, { ...video, storageKey });
      await count(trx, video.folderId, 1);
      return { storageKey };
    },

    async amend(trx, id, changes) {
      const before = await store.lockArriving(trx, id);
      if (!before) return false;
      await store.change(trx, id, changes);
      if (changes.folderId !== undefined && changes.folderId !== before.folderId) {
        await count(trx, before.folderId, -1);
        await count(trx, changes.folderId, 1);
      }
      return true;
    },

    touch: (id) => store.touch(db, id),

    async markReady(trx, id, facts) {
      const settled = await store.settle(trx, id, { status: 'UPLOADED', ...facts });
      if (settled) await events.publish(trx, 'video.ready', { videoId: id, orgId: settled.orgId });
      return settled !== undefined;
    },

    async markFailed(trx, id, code, message) {
      const settled = await store.settle(trx, id, { status: 'UPLOADING_FAILED', code, message });
      if (settled) await events.publish(trx, 'video.failed', { videoId: id, orgId: settled.orgId });
      return settled !== undefined;
    },

    async discard(id) {
      // Files before the record: after a crash in between the record still tells of them, and goes silent, and is swept.
      if ((await videos.find(id))?.status === 'UPLOADED') return;
      await storage.removeAll(folderOf(id));
      await database.transaction(async (trx) => {
        const removed = await store.removeUnstored(trx, id);
        if (removed) await count(trx, removed.folderId, -1);
      });
    },

    async remove(caller, id) {
      await videos.get(caller, id);
      await database.transaction(async (trx) => {
        const hidden = await store.hide(trx, id);
        if (!hidden) throw problems.video_not_found(`There is no video with the id ${shown(id)}.`);
        await count(trx, hidden.folderId, -1);
        await events.publish(trx, 'video.deleted', { videoId: id, orgId: hidden.orgId });
        await jobs.send(trx, eraseVideo, { videoId: id });
        await jobs.send(trx, eraseVideo, { videoId: id }, { startAfterS: SECOND_LOOK_S });
      });
    },

    async sweep() {
      const { status: _, sentence } = VIDEO_PROBLEMS.upload_interrupted;
      for (const id of await store.silent(db, SILENT_S, SWEPT_AT_ONCE)) {
        await storage.removeAll(folderOf(id));
        const outcome = { status: 'UPLOADING_FAILED', code: 'upload_interrupted', message: sentence } as const;
        await database.transaction(async (trx) => {
          const settled = await store.settle(trx, id, outcome, SILENT_S);
          if (!settled) return;
          await events.publish(trx, 'video.failed', { videoId: id, orgId: settled.orgId });
          log.info({ videoId: id }, 'gave up an upload that went silent');
        });
      }
      const left = await store.unerased(db, UNERASED_S, SWEPT_AT_ONCE);
      await database.transaction(async (trx) => {
        await jobs.sendMany(
          trx,
          eraseVideo,
          left.map((videoId) => ({ videoId })),
        );
      });
    },

    work() {
      jobs.handle(eraseVideo, async ({ videoId }) => {
        await storage.removeAll(folderOf(videoId));
        await store.erase(db, videoId);
      });
      jobs.handle(sweepVideos, () => videos.sweep());
      jobs.schedule(sweepVideos, '* * * * *', {});
    },
  };
  return videos;
}

function sees(caller: Caller, video: Video): boolean {
  if (video.orgId !== caller.orgId) return false;
  return video.scope === 'org' || video.ownerId === caller.userId || caller.scopes.includes('admin');
}

/** An id as it is said back to whoever sent it. */
const shown = (id: string) => (id.length > 64 ? `${id.slice(0, 64)}…` : id);
