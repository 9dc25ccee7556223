import type { Engine } from '#engine/index';
import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import { canManage, canRead } from '#platform/access/index';
import type { Database } from '#platform/db/index';
import { type Caller, readIdPage } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { observeForRun } from '../jobs.ts';
import type { ObservationCache } from '../observations/index.ts';
import { problems } from '../problems.ts';
import { kindsOfRun } from './kinds.ts';
import * as store from './store.ts';
import type { ObservationRun, ObservationRuns, RunRequest } from './types.ts';

export type ObservationRunsDeps = {
  database: Database;
  engine: Pick<Engine, 'observers' | 'checkDetector'>;
  videos: Pick<Videos, 'getMany' | 'list'>;
  folders: Pick<Folders, 'require'>;
  jobs: Pick<Jobs, 'sendMany' | 'cancel'>;
  observations: Pick<ObservationCache, 'listWith'>;
};

/** Videos of a run, as of a query. */
const MAX_VIDEOS = 1000;

export function createObservationRuns(deps: ObservationRunsDeps): ObservationRuns {
  const { database, engine, videos, folders, jobs, observations } = deps;

  /** Checks that the observers can run here: their weights may be missing. `kinds` are those that they will observe. */
  async function checkObservers(requested: readonly string[], detector: string | null) {
    const offered = (await engine.observers({ detector })).filter(({ depth }) => depth !== 'sparse');
    for (const name of requested) {
      const observer = offered.find(({ kind }) => kind === name);
      const names = offered.map(({ kind }) => kind).join(', ');
      if (!observer)
        throw problems.observer_unknown(`There is no observer "${name.slice(0, 100)}". Known are: ${names}.`);
      if ('unavailable' in observer) throw problems.observer_missing(observer.unavailable);
    }
    return { observers: [...new Set(requested)], kinds: kindsOfRun(requested, offered) };
  }

  async function selectVideos(caller: Caller, { videoIds, folderId }: RunRequest): Promise<Video[]> {
    const ids = [...new Set(videoIds ?? [])];
    const named = ids.length > 0 ? await videos.getMany(caller, ids) : [];
    if (named.length > 0 === !!folderId) throw problems.observation_videos_invalid();
    if (!folderId) return named;
    await folders.require(caller, folderId);
    const found: Video[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await videos.list(caller, { folderId, status: 'UPLOADED', limit: MAX_VIDEOS, cursor });
      found.push(...page.videos);
      if (found.length > MAX_VIDEOS)
        throw problems.observation_videos_invalid(`The folder has more than ${MAX_VIDEOS} videos. Send \`video_ids\`.`);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    if (found.length === 0)
      throw problems.observation_videos_invalid('The folder has no videos that could be observed.');
    return found;
  }

  async function requireRun(caller: Caller, id: string): Promise<ObservationRun> {
    const run = await store.findRun(database.db, id);
    if (!run) throw problems.observation_not_found();
    if (!canRead(caller, run)) throw problems.observation_forbidden();
    return run;
  }

  const withVideos = async (caller: Caller, id: string) => ({
    ...(await requireRun(caller, id)),
    videos: await store.listVideos(database.db, id),
  });

  return {
    async start(caller, request) {
      const detector = engine.checkDetector(request.detector ?? null);
      const selected = await selectVideos(caller, request);
      const { observers, kinds } = await checkObservers(request.observers, detector);
      const done = new Set(
        await observations.listWith(
          selected.map(({ id }) => id),
          kinds,
          detector,
        ),
      );
      const { orgId, userId: ownerId } = caller;
      const scope = selected.every((video) => video.scope === 'org') ? ('org' as const) : ('user' as const);
      const id = newId();
      await database.transaction(async (trx) => {
        const missing = selected.filter((video) => !done.has(video.id));
        const payloads = missing.map((video) => ({ runId: id, videoId: video.id }));
        const jobIds = await jobs.sendMany(trx, observeForRun, payloads, { orgId });
        const jobOf = new Map(missing.map((video, at) => [video.id, jobIds[at]!]));
        const rows = selected.map((video) => ({ videoId: video.id, jobId: jobOf.get(video.id) ?? null }));
        await store.insertRun(trx, { id, orgId, ownerId, scope, observers, detector }, rows);
      });
      return requireRun(caller, id);
    },

    async list(caller, page) {
      const read = (before: string | null, limit: number) => store.listRuns(database.db, caller, { before, limit });
      const { rows, ...next } = await readIdPage(page, read, ({ observationId }) => observationId);
      return { runs: rows, ...next };
    },

    get: withVideos,

    async cancel(caller, id) {
      if (!canManage(caller, await requireRun(caller, id))) throw problems.observation_forbidden();
      await database.transaction(async (trx) => jobs.cancel(trx, observeForRun, await store.cancel(trx, id)));
      return withVideos(caller, id);
    },
  };
}
