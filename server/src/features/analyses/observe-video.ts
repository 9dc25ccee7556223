import type { Static } from 'typebox';
import type { ObservationKind } from '#engine/index';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Storage } from '#platform/storage/index';
import { observeVideo } from './jobs.ts';
import { discardAll, listObservedVideos, type ObservationCache } from './observations/index.ts';
import { resumeDeferred, toFinalProblem } from './runner/index.ts';
import { findOrganizations } from './store.ts';

/** Delay before the next attempt at a video that another analysis is observing. */
const RETRY_S = 10;

/**
 * Queues the observation of these videos, or with null of all observed videos, by the current engine version. With
 * `again` existing observations are discarded. Returns the number of videos.
 */
export async function observeVideos(
  jobs: Pick<Jobs, 'sendMany'>,
  trx: Transaction,
  { videoIds, again }: { videoIds: readonly string[] | null; again: boolean },
): Promise<number> {
  const ids = videoIds ?? (await listObservedVideos(trx));
  if (again) await discardAll(trx, ids);
  await sendByOrganization(jobs, trx, ids);
  return ids.length;
}

/** Reads subtitle files that were added to videos, so that their sentences can be searched at once. */
export async function readSubtitles(jobs: Pick<Jobs, 'sendMany'>, trx: Transaction, videoIds: readonly string[]) {
  await sendByOrganization(jobs, trx, videoIds, ['subtitles']);
}

/** Sends a job for each video, whose organization shares the slots with others. */
async function sendByOrganization(
  jobs: Pick<Jobs, 'sendMany'>,
  trx: Transaction,
  videoIds: readonly string[],
  kinds?: ObservationKind[],
): Promise<void> {
  const owned = await findOrganizations(trx, videoIds);
  for (const [orgId, own] of Map.groupBy(owned, (video) => video.orgId)) {
    const payloads = own.map(({ videoId }) => ({ videoId, ...(kinds ? { kinds } : {}) }));
    await jobs.sendMany(trx, observeVideo, payloads, { orgId });
  }
}

/** The handler of `analyses.observe`. */
export function createObserveVideoHandler(deps: {
  database: Database;
  storage: Storage;
  videos: Pick<Videos, 'find'>;
  jobs: Jobs;
  log: Log;
  observations: ObservationCache;
}) {
  const { database, storage, videos, jobs, log, observations } = deps;

  return async function observe(payload: Static<typeof observeVideo.payload>, context: JobContext): Promise<void> {
    const { videoId } = payload;
    const only = payload.kinds as ObservationKind[] | undefined;
    const video = await videos.find(videoId);
    if (video?.status !== 'UPLOADED') return;
    const kinds = only ?? (await observations.missing(videoId)).map(({ kind }) => kind);
    if (kinds.length === 0) return;
    try {
      await using file = await storage.local(video.storageKey, context.signal);
      const observed = await observations.obtain({
        videoId,
        holder: `${context.jobId}:${context.attempt}`,
        detector: { name: null, isNeeded: only === undefined },
        requester: { orgId: video.orgId, priority: 'background' },
        pass: 'dense',
        ...(only ? { onDemand: only, only } : { onDemand: [] }),
        path: async () => file.path,
        signal: context.signal,
        onProgress: () => {},
        onReady: (trx) => resumeDeferred(jobs, trx, [videoId]),
      });
      if (observed) log.info({ videoId, kinds }, 'observed');
      else {
        const options = { startAfterS: RETRY_S, orgId: video.orgId };
        await database.transaction((trx) => jobs.send(trx, observeVideo, payload, options));
      }
    } catch (error) {
      const problem = toFinalProblem(error, context);
      if (!problem) throw error;
      log.warn({ err: problem, videoId, kinds }, 'a video cannot be observed');
    }
  };
}
