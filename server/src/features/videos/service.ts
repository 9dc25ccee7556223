import type { Events } from '#features/events/index';
import type { Folder, Folders } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, decodeCursor, encodeCursor, httpProblems, reaches } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { lockWritable, notFound, requireSeen, requireWritable, sees } from './access.ts';
import { createArrival } from './arrival.ts';
import { checkName, checkTags, mergeMetadata } from './changes.ts';
import { createFiles } from './files.ts';
import { sweepVideos } from './jobs.ts';
import { page as cutPage, type Place } from './list-store.ts';
import { problems } from './problems.ts';
import { createRemoval } from './removal.ts';
import { createSpace, UNLIMITED } from './space.ts';
import * as store from './store.ts';
import type { Outcome, Sort, SpaceLimits, Video, Videos } from './types.ts';

const SWEPT_AT_ONCE = 200;

export type VideosDeps = {
  database: Database;
  storage: Storage;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'get' | 'require' | 'requireWritable' | 'samples' | 'createSamples' | 'hold' | 'countVideos'>;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle' | 'schedule'>;
  log: Log;
  /** How long a deleted video can be restored before its files go, in seconds. */
  restoreS: number;
  /** What each organisation may have, unless it has limits of its own; default: no limit. */
  limits?: SpaceLimits;
};

export function createVideosService(deps: VideosDeps): Videos {
  const { database, storage, folders, jobs, limits = UNLIMITED } = deps;
  const { db } = database;
  const space = createSpace({ database, jobs, limits });
  const files = createFiles({ storage, space });
  const { sweepSilent, ...arrival } = createArrival({ ...deps, space, files });
  const { sweepOld, ...removal } = createRemoval({ ...deps, space, files });

  /** Counts it where it goes and where it was, and gives it the folder's scope. */
  async function move(trx: Transaction, caller: Caller, video: Video, folderId: string | null): Promise<void> {
    if (folderId === video.folderId) return;
    if (!reaches(caller, folderId)) throw httpProblems.key_limited();
    if (folderId !== null) await folders.countVideos(trx, folderId, 1);
    if (video.folderId !== null) await folders.countVideos(trx, video.folderId, -1);
    // Counting holds the folder's row: what is read of it now stays so.
    const folder = folderId === null ? null : await folders.requireWritable(caller, folderId, trx);
    if (folder?.scope === 'user' && (video.scope === 'org' || video.ownerId !== caller.userId)) {
      throw problems.video_shared();
    }
    await store.change(trx, video.id, { folderId, scope: folder?.scope });
  }

  /** The folder of samples, with the samples in it or on their way. */
  async function samplesOf(caller: Caller): Promise<Folder> {
    const { orgId, userId } = caller;
    for (;;) {
      const folder = await folders.samples(caller);
      if (folder) return folder;
      await database.transaction(async (trx) => {
        const folderId = await folders.createSamples(trx, orgId, userId);
        if (folderId) await deps.events.publish(trx, 'samples.wanted', { folderId, orgId, userId });
      });
    }
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
    ...arrival,
    ...removal,

    async get(caller, id) {
      const [video] = await videos.getMany(caller, [id]);
      return video!;
    },

    async getMany(caller, ids) {
      const found = new Map((await store.byIds(db, ids)).map((video) => [video.id, video]));
      return ids.map((id) => {
        const video = found.get(id);
        if (!video) throw notFound(id);
        requireSeen(caller, video);
        return video;
      });
    },

    async getWritable(caller, id) {
      const video = await videos.get(caller, id);
      requireWritable(caller, video);
      return video;
    },

    async seenOf(caller, ids) {
      const found = await store.byIds(db, ids);
      return new Set(found.filter((video) => sees(caller, video)).map(({ id }) => id));
    },

    async find(id) {
      return (await store.byIds(db, [id]))[0] ?? null;
    },

    reachesAll: async ({ folderId }, ids) => folderId === undefined || store.allIn(db, folderId, ids),

    async sourceUris(ids) {
      return new Map((await store.sourceUris(db, ids)).map(({ id, uri }) => [id, uri]));
    },

    async list(caller, { folder, folderId, scope, deleted, limit, cursor, ...filters }) {
      const sort = filters.sort ?? '-created_at';
      const after = cursor ? placeOf(cursor, sort) : null;
      const samples = scope === 'sample' ? await samplesOf(caller) : null;
      const named = folder && scope !== 'sample' ? await folders.get(caller, folder, scope) : null;
      const only = folderId ?? samples?.id ?? (named ? null : caller.folderId);
      const within = only ? await folders.require(caller, only) : named;
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
        scope: scope === 'sample' ? null : (scope ?? null),
        folderId: within?.id ?? null,
        deleted: deleted ?? false,
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1)! : null;
      return { videos: page, nextCursor: last && encodeCursor([sort, last.name, last.id]) };
    },

    async change(caller, id, { name, folderId, tags, metadata }) {
      const checked = { name: name == null ? undefined : checkName(name), tags: tags ? checkTags(tags) : undefined };
      await database.transaction(async (trx) => {
        const video = await lockWritable(trx, folders, caller, id, folderId);
        if (video.eraseAfter) throw notFound(id);
        if (folderId !== undefined) await move(trx, caller, video, folderId);
        const userMetadata = metadata ? mergeMetadata(video.userMetadata, metadata) : undefined;
        await store.change(trx, id, { ...checked, userMetadata });
      });
      return videos.get(caller, id);
    },

    async moveMany(caller, ids, folderId) {
      if (folderId !== null) await folders.requireWritable(caller, folderId);
      return each(ids, (id) =>
        database.transaction(async (trx) => {
          const video = await lockWritable(trx, folders, caller, id, folderId);
          if (video.eraseAfter) throw notFound(id);
          await move(trx, caller, video, folderId);
        }),
      );
    },

    async setSidecar(trx, id, summary) {
      const changed = await store.setSidecar(trx, id, summary);
      if (changed) await deps.events.publish(trx, 'video.sidecar', { videoId: id, orgId: changed.orgId });
      return changed !== undefined;
    },

    removeMany: (caller, ids, options) => each(ids, (id) => videos.remove(caller, id, options)),

    async restore(caller, id) {
      await removal.restore(caller, id);
      return videos.get(caller, id);
    },

    restoreMany: (caller, ids) => each(ids, (id) => videos.restore(caller, id)),

    holdSpace: (trx, orgId, bytes) => space.change(trx, orgId, { bytes }),
    quota: space.of,

    async sweep() {
      await sweepSilent(SWEPT_AT_ONCE);
      await sweepOld(SWEPT_AT_ONCE);
    },

    work() {
      removal.work();
      jobs.handle(sweepVideos, () => videos.sweep());
      jobs.schedule(sweepVideos, '* * * * *', {});
    },
  };
  return videos;
}

/** Where the page of this order ended that gave the cursor. Throws `cursor_invalid` (400). */
function placeOf(cursor: string, sort: Sort): Place {
  const [of, name, id] = decodeCursor(cursor, 3);
  if (of !== sort)
    throw httpProblems.cursor_invalid(`The query parameter \`cursor\` is of a list sorted by ${of}, not by ${sort}.`);
  return { name: name!, id: id! };
}
