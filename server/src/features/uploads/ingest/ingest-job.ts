import type { Videos } from '#features/videos/index';
import type { Interruption, JobContext } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { isTransientFetchError } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';

const DELETION_POLL_MS = 5_000;

type Deps = {
  videos: Pick<Videos, 'find' | 'fail'>;
  log: Log;
};

/** Runs jobs that make a pending video ready, and marks the video as failed if they cannot. */
export function createIngestJobs({ videos, log }: Deps) {
  return {
    /**
     * One attempt. Transient errors are thrown, so that the job is retried; others mark the video as failed.
     * The signal of `work` also aborts when the video is deleted.
     */
    async run(
      videoId: string,
      context: JobContext,
      work: (storageKey: string, signal: AbortSignal) => Promise<void>,
    ): Promise<void> {
      const video = await videos.find(videoId);
      if (video?.status !== 'PREPARE_IN_PROGRESS') return;
      const deleted = new AbortController();
      const timer = setInterval(() => {
        videos.find(videoId).then(
          (found) => found || deleted.abort(problems.upload_deleted()),
          () => {},
        );
      }, DELETION_POLL_MS);
      try {
        await work(video.storageKey, AbortSignal.any([context.signal, deleted.signal]));
      } catch (error) {
        const problem = toFinalProblem(error, context);
        if (!problem) throw error;
        log[problem.isFault ? 'error' : 'info']({ err: error, videoId }, 'ingest failed');
        await videos.fail(videoId, problem);
      } finally {
        clearInterval(timer);
      }
    },

    /** Marks the video of a job whose workers died repeatedly as failed. */
    fail: (videoId: string) => videos.fail(videoId, problems.upload_failed()),
  };
}

/** Reason to store with the failed video; null if the job must be retried. */
function toFinalProblem(error: unknown, { signal, lastAttempt }: JobContext): Problem | null {
  if (signal.aborted) {
    return (signal.reason as Interruption).kind === 'timeout'
      ? problems.upload_stalled('The server sent the file too slowly: the download was stopped after twelve hours.')
      : null;
  }
  if (error instanceof Problem && !error.isFault && !isTransientFetchError(error)) return error;
  if (!lastAttempt && !(error instanceof Problem && error.code === 'storage_full')) return null;
  return error instanceof Problem ? error : problems.upload_failed(undefined, { cause: error });
}
