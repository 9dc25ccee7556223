import type { Events } from '#features/events/index';
import type { Folder, Folders } from '#features/folders/index';
import { reaches } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type Person } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { canSee, lockWritable, notFound, requireVisible, requireWritable } from './access.ts';
import { createClocks, findPatternFault } from './clock/index.ts';
import { createDeletion } from './deletion/index.ts';
import { createVideoFiles } from './files.ts';
import { createIngest } from './ingest/index.ts';
import { cleanUpVideos, readClocks } from './jobs.ts';
import { countFacets, encodeListCursor, findPage, parseListCursor, selectVideos } from './listing/index.ts';
import { problems } from './problems.ts';
import { createQuotas, UNLIMITED } from './quota/index.ts';
import * as store from './store.ts';
import type { QuotaLimits, Video, VideoListOptions, VideoResult, Videos } from './types.ts';
import {
  mergeMetadata,
  normalizeHoldReason,
  normalizeName,
  normalizeTags,
  toClockSettings,
} from './validate-changes.ts';

const CLEANUP_BATCH_SIZE = 200;

export type VideosDeps = {
  database: Database;
  storage: Storage;
  events: Pick<Events, 'publish'>;
  folders: Pick<
    Folders,
    'get' | 'require' | 'requireWritable' | 'samples' | 'createSamples' | 'lock' | 'countVideos' | 'changeClockRule'
  >;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle' | 'schedule'>;
  log: Log;
  /** Seconds in which a deleted video can be restored, before its files are erased. */
  restoreS: number;
  /** Limits of an organization without its own. Default: unlimited. */
  limitsOf?: (orgId: string) => Promise<QuotaLimits>;
};

export function createVideosService(deps: VideosDeps): Videos {
  const { database, storage, folders, jobs, limitsOf = async () => UNLIMITED } = deps;
  const { db } = database;
  const quotas = createQuotas({ database, events: deps.events, jobs, limitsOf });
  const files = createVideoFiles({ storage, quotas });
  const clocks = createClocks({ database });
  const { failStalled, ...ingest } = createIngest({ ...deps, quotas, files, clocks });
  const { deleteExpired, ...deletion } = createDeletion({ ...deps, quotas, files });

  /** Moves a video, updates the counts of both folders, and gives it the scope of its new folder. */
  async function move(trx: Transaction, caller: Caller, video: Video, folderId: string | null): Promise<void> {
    if (folderId === video.folderId) return;
    if (!reaches(caller, folderId)) throw httpProblems.key_limited();
    if (folderId !== null) await folders.countVideos(trx, folderId, 1);
    if (video.folderId !== null) await folders.countVideos(trx, video.folderId, -1);
    // Counting locks the folder's row, so its scope cannot change after this read.
    const folder = folderId === null ? null : await folders.requireWritable(caller, folderId, trx);
    if (folder?.scope === 'user' && (video.scope === 'org' || video.ownerId !== caller.userId)) {
      throw problems.video_shared();
    }
    await store.updateVideo(trx, video.id, { folderId, scope: folder?.scope });
    // Another folder may have another rule for paths.
    await clocks.reread(trx, [video.id]);
    await deps.events.publish(trx, 'video.moved', { videoId: video.id, orgId: video.orgId });
  }

  /** Returns the organization's folder of samples. Creates it, with its samples, on first use. */
  async function getSamplesFolder(caller: Person): Promise<Folder> {
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

  /**
   * Folder and scope of a list; null if they exclude each other. Throws the problems of the folders room for the
   * folder.
   */
  async function findPlace(
    caller: Person,
    { folder, folderId, scope }: Pick<VideoListOptions, 'folder' | 'folderId' | 'scope'>,
  ) {
    const samples = scope === 'sample' ? await getSamplesFolder(caller) : null;
    const named = folder && scope !== 'sample' ? await folders.get(caller, folder, scope) : null;
    const requestedId = folderId ?? samples?.id ?? (named ? null : caller.folderId);
    const within = requestedId ? await folders.require(caller, requestedId) : named;
    if (within && ((named && named.id !== within.id) || (scope && scope !== within.scope))) return null;
    return { scope: scope === 'sample' ? null : (scope ?? null), folderId: within?.id ?? null };
  }

  /** Runs `work` for each distinct id. A Problem becomes the result of that id and does not stop the others. */
  async function forEachVideo(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<VideoResult[]> {
    const results: VideoResult[] = [];
    for (const videoId of new Set(ids)) {
      try {
        await work(videoId);
        results.push({ videoId, problem: null });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        results.push({ videoId, problem: error });
      }
    }
    return results;
  }

  const videos: Videos = {
    ...ingest,
    ...deletion,

    async get(caller, id) {
      const [video] = await videos.getMany(caller, [id]);
      return video!;
    },

    async getMany(caller, ids) {
      const found = new Map((await store.findByIds(db, ids)).map((video) => [video.id, video]));
      return ids.map((id) => {
        const video = found.get(id);
        if (!video) throw notFound(id);
        requireVisible(caller, video);
        return video;
      });
    },

    async getWritable(caller, id) {
      const video = await videos.get(caller, id);
      requireWritable(caller, video);
      return video;
    },

    async filterVisible(caller, ids) {
      const found = await store.findByIds(db, ids);
      return new Set(found.filter((video) => canSee(caller, video)).map(({ id }) => id));
    },

    async find(id, on = db) {
      return (await store.findByIds(on, [id]))[0] ?? null;
    },

    canReachAll: async ({ folderId }, ids) => folderId === undefined || store.areAllInFolder(db, folderId, ids),

    async names(ids, on = db) {
      return new Map((await store.namesOf(on, ids)).map(({ id, name }) => [id, name]));
    },

    async sourceUris(ids) {
      return new Map((await store.sourceUris(db, ids)).map(({ id, uri }) => [id, uri]));
    },

    async list(caller, { folder, folderId, scope, deleted, limit, cursor, ...filters }) {
      const sort = filters.sort ?? '-created_at';
      const after = cursor ? parseListCursor(cursor, sort) : null;
      const place = await findPlace(caller, { folder, folderId, scope });
      if (!place) return { videos: [], nextCursor: null };
      const found = await findPage(db, {
        ...filters,
        ...place,
        sort,
        after,
        caller,
        deleted: deleted ?? false,
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1)! : null;
      return { videos: page, nextCursor: last && encodeListCursor(sort, last) };
    },

    findPlace,
    select: selectVideos,

    async facets(caller, { folder, folderId, scope, deleted, ...filters }) {
      const place = await findPlace(caller, { folder, folderId, scope });
      return place
        ? countFacets(db, { ...filters, ...place, caller, deleted: deleted ?? false })
        : countFacets(db, null);
    },

    async update(caller, id, { name, folderId, tags, metadata, recordedAt, timeZone, points }) {
      const settings = toClockSettings({ recordedAt, timeZone, points });
      const normalized = {
        name: name == null ? undefined : normalizeName(name),
        tags: tags ? normalizeTags(tags) : undefined,
      };
      await database.transaction(async (trx) => {
        const video = await lockWritable(trx, folders, caller, id, folderId);
        if (video.eraseAfter) throw notFound(id);
        if (folderId !== undefined) await move(trx, caller, video, folderId);
        const userMetadata = metadata ? mergeMetadata(video.userMetadata, metadata) : undefined;
        await store.updateVideo(trx, id, { ...normalized, userMetadata });
        if (normalized.name !== undefined) await clocks.reread(trx, [id]);
        if (Object.keys(settings).length > 0) await clocks.set(trx, [id], settings);
        if (normalized.tags) await deps.events.publish(trx, 'video.tagged', { videoId: id, orgId: video.orgId });
      });
      return videos.get(caller, id);
    },

    async moveMany(caller, ids, folderId) {
      if (folderId !== null) await folders.requireWritable(caller, folderId);
      return forEachVideo(ids, (id) =>
        database.transaction(async (trx) => {
          const video = await lockWritable(trx, folders, caller, id, folderId);
          if (video.eraseAfter) throw notFound(id);
          await move(trx, caller, video, folderId);
        }),
      );
    },

    async setClocks(caller, ids, changes) {
      const settings = toClockSettings(changes);
      return forEachVideo(ids, (id) =>
        database.transaction(async (trx) => {
          const video = await lockWritable(trx, folders, caller, id);
          if (video.eraseAfter) throw notFound(id);
          await clocks.set(trx, [id], settings);
        }),
      );
    },

    setClockReading: clocks.setReading,

    async setClocksOfFolder(caller, folderId, { pathPattern, newVideos, ...changes }) {
      const settings = toClockSettings(changes);
      const fault = pathPattern ? findPatternFault(pathPattern) : null;
      if (fault) throw problems.path_pattern_invalid(`The \`path_pattern\` cannot be used: ${fault}.`);
      await folders.requireWritable(caller, folderId);
      if (pathPattern != null || newVideos != null)
        await database.transaction(async (trx) => {
          await folders.lock(trx, [folderId]);
          await folders.changeClockRule(trx, folderId, (rule) => {
            const pattern = pathPattern == null ? (rule?.pattern ?? null) : pathPattern || null;
            const before = rule?.settings ?? null;
            const ofNew = newVideos == null ? before : newVideos ? { ...before, ...settings } : null;
            return pattern || ofNew ? { pattern, settings: ofNew } : null;
          });
        });
      return clocks.setOfFolder(folderId, settings);
    },

    async setSidecar(trx, id, summary) {
      const changed = await store.setSummary(trx, id, 'sidecar', summary);
      if (changed) {
        await clocks.reread(trx, [id]);
        await deps.events.publish(trx, 'video.sidecar', { videoId: id, orgId: changed.orgId });
      }
      return changed !== undefined;
    },

    async setSubtitles(trx, id, summary) {
      const changed = await store.setSummary(trx, id, 'subtitles', summary);
      const event = { videoId: id, removed: summary === null };
      if (changed) await deps.events.publish(trx, 'video.subtitles', { ...event, orgId: changed.orgId });
      return changed !== undefined;
    },

    removeMany: (caller, ids, options) => forEachVideo(ids, (id) => videos.remove(caller, id, options)),

    async restore(caller, id) {
      await deletion.restore(caller, id);
      return videos.get(caller, id);
    },

    restoreMany: (caller, ids) => forEachVideo(ids, (id) => videos.restore(caller, id)),
    holdMany: (caller, ids, reason) =>
      forEachVideo(ids, (id) => deletion.hold(caller, id, normalizeHoldReason(reason))),
    releaseMany: (caller, ids) => forEachVideo(ids, (id) => deletion.release(caller, id)),

    reserveSpace: (trx, orgId, bytes) => quotas.addUsage(trx, orgId, { bytes }),
    getQuota: quotas.get,

    async cleanUp() {
      await failStalled(CLEANUP_BATCH_SIZE);
      await deleteExpired(CLEANUP_BATCH_SIZE);
    },

    registerJobs() {
      deletion.registerJobs();
      jobs.handle(cleanUpVideos, () => videos.cleanUp());
      jobs.schedule(cleanUpVideos, '* * * * *', {});
      jobs.handle(readClocks, (_, { signal }) => clocks.readEarlier(signal));
      // Also finds videos that nodes of an earlier version store during an upgrade.
      jobs.schedule(readClocks, '* * * * *', {});
    },
  };
  return videos;
}
