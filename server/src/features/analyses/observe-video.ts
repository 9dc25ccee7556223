import type { Static } from 'typebox';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Storage } from '#platform/storage/index';
import { observeVideo } from './jobs.ts';
import { discardAll, listObservedVideos, type ObservationCache } from './observations/index.ts';
import { resumeDeferred, toFinalProblem } from './runner/index.ts';

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
  const payloads = ids.map((videoId) => ({ videoId }));
  await jobs.sendMany(trx, observeVideo, payloads);
  return ids.length;
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

  return async function observe({ videoId }: Static<typeof observeVideo.payload>, context: JobContext): Promise<void> {
    const video = await videos.find(videoId);
    if (video?.status !== 'UPLOADED') return;
    const missing = await observations.missing(videoId);
    if (missing.length === 0) return;
    const kinds = missing.map(({ kind }) => kind);
    try {
      await using file = await storage.local(video.storageKey, context.signal);
      const observed = await observations.obtain({
        videoId,
        holder: `${context.jobId}:${context.attempt}`,
        detector: { name: null, isNeeded: true },
        pass: 'dense',
        onDemand: [],
        path: async () => file.path,
        signal: context.signal,
        onProgress: () => {},
        onReady: (trx) => resumeDeferred(jobs, trx, [videoId]),
      });
      if (observed) log.info({ videoId, kinds }, 'observed');
      else await database.transaction((trx) => jobs.send(trx, observeVideo, { videoId }, { startAfterS: RETRY_S }));
    } catch (error) {
      const problem = toFinalProblem(error, context);
      if (!problem) throw error;
      log.warn({ err: problem, videoId, kinds }, 'a video cannot be observed');
    }
  };
}
