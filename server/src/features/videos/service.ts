import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, decodeCursor, encodeCursor, httpProblems } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { checkName, checkTags, mergeMetadata } from './changes.ts';
import { buryVideos, eraseVideo, sweepVideos } from './jobs.ts';
import { page as cutPage, type Place } from './list-store.ts';
import { problems, VIDEO_PROBLEMS } from './problems.ts';
import * as store from './store.ts';
import type { Outcome, Sort, Video, Videos } from './types.ts';

const folderOf = (id: string) => `videos/${id}/`;

/** Where the file that came beside a video is kept. */
export const sidecarKey = (id: string) => `${folderOf(id)}sidecar`;

/** An upload that was not heard of for this long is given up; its connection says something every few seconds. */
const SILENT_S = 60;
/** A file may be written by whoever has not yet heard of the deletion: what came after the first look goes with the second. */
const SECOND_LOOK_S = 600;
/** Erasing takes seconds; a deleted video that is there this long after its time has lost its job. */
const UNERASED_S = 6 * 3600;
const SWEPT_AT_ONCE = 200;
/** How many videos a folder's deletion hands to one job. */
const BURIED_AT_ONCE = 100;

export type VideosDeps = {
  database: Database;
  storage: Storage;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'get' | 'require' | 'hold' | 'countVideos'>;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle' | 'schedule'>;
  log: Log;
  /** How long a deleted video can be restored before its files go, in seconds. */
  restoreS: number;
};

export function createVideosService({ database, storage, events, folders, jobs, log, restoreS }: VideosDeps): Videos {
  const { db } = database;

  async function count(trx: Transaction, folderId: string | null, delta: number): Promise<void> {
    if (folderId !== null) await folders.countVideos(trx, folderId, delta);
  }

  /**
   * The video, deleted or not, its row locked, and before that its folder and the one it goes to: who deletes a folder locks in this order
   * too. Throws as `get` does.
   */
  async function locked(trx: Transaction, caller: Caller, id: string, goesTo?: string | null): Promise<Video> {
    await store.mark(trx);
    for (;;) {
      const folderId = await store.folderIdOf(trx, id);
      await folders.hold(
        trx,
        [folderId, goesTo].filter((folder) => folder != null),
      );
      const video = await store.lock(trx, id);
      if (!video) throw notFound(id);
      if (!sees(caller, video)) throw forbidden(id);
      if (video.folderId === folderId) return video;
      // Moved between the two looks: the wrong folder is held.
      await store.back(trx);
    }
  }

  /** Counts it where it goes and where it was, and gives it the folder's scope. */
  async function move(trx: Transaction, caller: Caller, video: Video, folderId: string | null): Promise<void> {
    if (folderId === video.folderId) return;
    await count(trx, folderId, 1);
    await count(trx, video.folderId, -1);
    // Counting holds the folder's row: what is read of it now stays so.
    const folder = folderId === null ? null : await folders.require(caller, folderId, trx);
    if (folder?.scope === 'user' && (video.scope === 'org' || video.ownerId !== caller.userId)) {
      throw problems.video_shared();
    }
    await store.change(trx, video.id, { folderId, scope: folder?.scope });
  }

  /** Tells the other rooms that it is gone, and has its files erased when its time is over. */
  async function bury(trx: Transaction, { id, orgId, restorable }: store.Hidden): Promise<void> {
    await events.publish(trx, 'video.deleted', { videoId: id, orgId });
    const graceS = restorable ? restoreS : 0;
    for (const startAfterS of graceS > SECOND_LOOK_S ? [graceS] : [graceS, graceS + SECOND_LOOK_S]) {
      await jobs.send(trx, eraseVideo, { videoId: id }, startAfterS > 0 ? { startAfterS } : {});
    }
  }

  async function hide(trx: Transaction, id: string, how: Parameters<typeof store.hide>[2]) {
    const hidden = await store.hide(trx, id, how);
    if (!hidden) return null;
    await count(trx, hidden.folderId, -1);
    await bury(trx, hidden);
    return hidden;
  }

  /** Does it to each, doubles once; a Problem is that one's outcome and stops nothing. */
  async function each(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const videoId of new Set(ids)) {
      try {
        await work(videoId);
        outcomes.push({ videoId, problem: null });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        outcomes.push({ videoId, problem: error });
      }
    }
    return outcomes;
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
        if (!video) throw notFound(id);
        if (!sees(caller, video)) throw forbidden(id);
        return video;
      });
    },

    async find(id) {
      return (await store.byIds(db, [id]))[0] ?? null;
    },

    async sourceUris(ids) {
      return new Map((await store.sourceUris(db, ids)).map(({ id, uri }) => [id, uri]));
    },

    async list(caller, { folder, folderId, scope, deleted, limit, cursor, ...filters }) {
      const sort = filters.sort ?? '-created_at';
      const after = cursor ? placeOf(cursor, sort) : null;
      // There are no sample videos yet, and nobody else's are shown in their place.
      if (scope === 'sample') return { videos: [], nextCursor: null };
      const named = folder ? await folders.get(caller, folder, scope) : null;
      const within = folderId ? await folders.require(caller, folderId) : named;
      if (within && ((named && named.id !== within.id) || (scope && scope !== within.scope))) {
        return { videos: [], nextCursor: null };
      }
      const found = await cutPage(db, {
        ...filters,
        sort,
        after,
        orgId: caller.orgId,
        userId: caller.userId,
        whole: caller.scopes.includes('admin'),
        scope: scope ?? null,
        folderId: within?.id ?? null,
        deleted: deleted ?? false,
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1)! : null;
      return { videos: page, nextCursor: last && encodeCursor([sort, last.name, last.id]) };
    },

    async create(trx, video) {
      const storageKey = `${folderOf(video.id)}source`;
      await count(trx, video.folderId, 1);
      await store.insert(trx, { ...video, storageKey });
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

    async change(caller, id, { name, folderId, tags, metadata }) {
      const checked = { name: name == null ? undefined : checkName(name), tags: tags ? checkTags(tags) : undefined };
      await database.transaction(async (trx) => {
        const video = await locked(trx, caller, id, folderId);
        if (video.eraseAfter) throw notFound(id);
        if (folderId !== undefined) await move(trx, caller, video, folderId);
        const userMetadata = metadata ? mergeMetadata(video.userMetadata, metadata) : undefined;
        await store.change(trx, id, { ...checked, userMetadata });
      });
      return videos.get(caller, id);
    },

    async moveMany(caller, ids, folderId) {
      if (folderId !== null) await folders.require(caller, folderId);
      return each(ids, (id) =>
        database.transaction(async (trx) => {
          const video = await locked(trx, caller, id, folderId);
          if (video.eraseAfter) throw notFound(id);
          await move(trx, caller, video, folderId);
        }),
      );
    },

    async remove(caller, id, { erase = false } = {}) {
      return database.transaction(async (trx) => {
        const video = await locked(trx, caller, id);
        const hidden = video.eraseAfter ? null : await hide(trx, id, { graceS: erase ? 0 : restoreS });
        if (!hidden) throw notFound(id);
        return { restorableUntil: hidden.restorable ? hidden.eraseAfter : null };
      });
    },

    removeMany: (caller, ids, options) => each(ids, (id) => videos.remove(caller, id, options)),

    async restore(caller, id) {
      await database.transaction(async (trx) => {
        const video = await locked(trx, caller, id);
        if (!(await store.show(trx, id))) throw problems.video_not_restorable();
        await count(trx, video.folderId, 1);
      });
      return videos.get(caller, id);
    },

    restoreMany: (caller, ids) => each(ids, (id) => videos.restore(caller, id)),

    async onFolderDeleted(trx, { folderId, videos: leftovers }) {
      const hidden = leftovers === 'delete' ? await store.hideAll(trx, folderId, restoreS) : [];
      await store.emptyFolder(trx, folderId);
      const payloads = [];
      for (let i = 0; i < hidden.length; i += BURIED_AT_ONCE) {
        payloads.push({ videoIds: hidden.slice(i, i + BURIED_AT_ONCE) });
      }
      await jobs.sendMany(trx, buryVideos, payloads);
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
      for (const id of await store.expired(db, SWEPT_AT_ONCE)) {
        await database.transaction((trx) => hide(trx, id, { graceS: restoreS, expired: true }));
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
        if (!(await store.isDue(db, videoId))) return;
        await storage.removeAll(folderOf(videoId));
        await store.erase(db, videoId);
      });
      jobs.handle(buryVideos, async ({ videoIds }) => {
        for (const id of videoIds) {
          await database.transaction(async (trx) => {
            const hidden = await store.hidden(trx, id);
            if (hidden) await bury(trx, hidden);
          });
        }
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

const notFound = (id: string) => problems.video_not_found(`There is no video with the id ${shown(id)}.`);
const forbidden = (id: string) => problems.video_forbidden(`The video ${id} belongs to someone else.`);

/** Where the page of this order ended that gave the cursor. Throws `cursor_invalid` (400). */
function placeOf(cursor: string, sort: Sort): Place {
  const [of, name, id] = decodeCursor(cursor, 3);
  if (of !== sort)
    throw httpProblems.cursor_invalid(`The query parameter \`cursor\` is of a list sorted by ${of}, not by ${sort}.`);
  return { name: name!, id: id! };
}

/** An id as it is said back to whoever sent it. */
const shown = (id: string) => (id.length > 64 ? `${id.slice(0, 64)}…` : id);
