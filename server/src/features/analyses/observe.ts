import type { Static } from 'typebox';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Storage } from '#platform/storage/index';
import { verdict } from './failure.ts';
import { observeVideo } from './jobs.ts';
import type { Observations } from './observations/index.ts';
import * as store from './observations/store.ts';
import { wakeWaiting } from './waiting.ts';

/** How long to leave a video alone that another analysis is observing. */
const LOOK_AGAIN_S = 10;

/**
 * Has videos observed by the engine that the workers run: these, or with null all in which something was observed before. What an older version
 * observed is made anew; with `again` everything is. Returns how many videos that is.
 */
export async function observeVideos(
  jobs: Pick<Jobs, 'sendMany'>,
  trx: Transaction,
  { videoIds, again }: { videoIds: readonly string[] | null; again: boolean },
): Promise<number> {
  const ids = videoIds ?? (await store.observed(trx));
  if (again) await store.discardAll(trx, ids);
  const payloads = ids.map((videoId) => ({ videoId }));
  await jobs.sendMany(trx, observeVideo, payloads);
  return ids.length;
}

/** The handler of `analyses.observe`. */
export function createObserveVideo(deps: {
  database: Database;
  storage: Storage;
  videos: Pick<Videos, 'find'>;
  jobs: Jobs;
  log: Log;
  observations: Observations;
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
        fast: false,
        path: async () => file.path,
        signal: context.signal,
        onProgress: () => {},
        onReady: (trx) => wakeWaiting(jobs, trx, [videoId]),
      });
      if (observed) log.info({ videoId, kinds }, 'observed');
      else
        await database.transaction((trx) => jobs.send(trx, observeVideo, { videoId }, { startAfterS: LOOK_AGAIN_S }));
    } catch (error) {
      const problem = verdict(error, context);
      if (!problem) throw error;
      log.warn({ err: problem, videoId, kinds }, 'a video cannot be observed');
    }
  };
}
