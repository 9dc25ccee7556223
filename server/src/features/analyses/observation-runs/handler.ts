import type { Static } from 'typebox';
import type { Engine } from '#engine/index';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Storage } from '#platform/storage/index';
import { observeForRun } from '../jobs.ts';
import type { ObservationCache } from '../observations/index.ts';
import { problems } from '../problems.ts';
import { resumeDeferred, toFinalProblem } from '../runner/index.ts';
import { kindsOfRun } from './kinds.ts';
import * as store from './store.ts';

/** Delay before the next attempt at a video that an analysis is observing. */
const RETRY_S = 5;
/** Shortest interval between two writes of the progress. */
const PROGRESS_MS = 500;

export type RunHandlerDeps = {
  database: Database;
  storage: Storage;
  engine: Pick<Engine, 'observers'>;
  videos: Pick<Videos, 'find'>;
  jobs: Jobs;
  log: Log;
  observations: ObservationCache;
};

/** The handler of `observeForRun`: observes one video with the observers of its run. */
export function createRunHandler({ database, storage, engine, videos, jobs, log, observations }: RunHandlerDeps) {
  return async function observe(
    { runId, videoId }: Static<typeof observeForRun.payload>,
    context: JobContext,
  ): Promise<void> {
    const fence = { runId, videoId, jobId: context.jobId, attempt: context.attempt };
    const run = await store.claim(database.db, fence);
    if (!run) return;
    try {
      const video = await videos.find(videoId);
      if (video?.status !== 'UPLOADED') throw video ? problems.video_unusable() : problems.video_deleted();
      const statuses = await engine.observers({ detector: run.detector });
      const kinds = kindsOfRun(run.observers, statuses);
      // Weights may have been removed since the start of the run.
      for (const status of statuses)
        if (kinds.includes(status.kind) && 'unavailable' in status) throw problems.observer_missing(status.unavailable);
      await using file = await storage.local(video.storageKey, context.signal);
      const observed = await observations.obtain({
        videoId,
        holder: `${context.jobId}:${context.attempt}`,
        requester: { orgId: run.orgId, priority: 'background' },
        pass: 'dense',
        onDemand: kinds,
        only: kinds,
        detector: { name: run.detector, isNeeded: true },
        path: async () => file.path,
        signal: context.signal,
        onProgress: throttled((progress) => store.setProgress(database.db, fence, progress)),
        onReady: (trx) => resumeDeferred(jobs, trx, [videoId]),
      });
      if (observed) return await store.end(database.db, fence, null);
      await database.transaction(async (trx) => {
        const payload = { runId, videoId };
        const jobId = await jobs.send(trx, observeForRun, payload, { startAfterS: RETRY_S, orgId: run.orgId });
        if (!(await store.reassign(trx, fence, jobId))) await jobs.cancel(trx, observeForRun, jobId);
      });
    } catch (error) {
      const problem = toFinalProblem(error, context);
      if (!problem) throw error;
      log.info({ err: error, runId, videoId }, 'a video of an observation run cannot be observed');
      await store.end(database.db, fence, { code: problem.code, message: problem.message });
    }
  };
}

/** Calls `write` at most twice a second. A failed write is repeated by the next one. */
function throttled(write: (progress: number) => Promise<void>): (progress: number) => void {
  let nextMs = 0;
  return (progress) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + PROGRESS_MS;
    write(progress).catch(() => {});
  };
}
