import type { Videos } from '#features/videos/index';
import type { Interruption, JobContext } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { isTransient } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { problems } from './problems.ts';

const WATCH_MS = 5_000;

type Deps = {
  videos: Pick<Videos, 'find' | 'giveUp'>;
  log: Log;
};

/** The worker's side of an arrival: one attempt of a job to make a video ready, and what becomes of the video when it cannot be. */
export function createAttempts({ videos, log }: Deps) {
  return {
    /**
     * One attempt. What may pass is tried again by throwing; what will not ends the video as failed. The signal aborts when the video is
     * deleted, too.
     */
    async attempt(
      videoId: string,
      context: JobContext,
      work: (storageKey: string, signal: AbortSignal) => Promise<void>,
    ): Promise<void> {
      const video = await videos.find(videoId);
      if (video?.status !== 'PREPARE_IN_PROGRESS') return;
      const deleted = new AbortController();
      const watch = setInterval(() => {
        videos.find(videoId).then(
          (now) => now || deleted.abort(problems.upload_deleted()),
          () => {},
        );
      }, WATCH_MS);
      try {
        await work(video.storageKey, AbortSignal.any([context.signal, deleted.signal]));
      } catch (error) {
        const problem = verdict(error, context);
        if (!problem) throw error;
        log[problem.status < 500 ? 'info' : 'error']({ err: error, videoId }, 'a video could not be made ready');
        await videos.giveUp(videoId, problem);
      } finally {
        clearInterval(watch);
      }
    },

    /** Its jobs died again and again. */
    giveUp: (videoId: string) => videos.giveUp(videoId, problems.upload_failed()),
  };
}

/** What to tell of an error; null when the job should be tried again. */
function verdict(error: unknown, { signal, lastAttempt }: JobContext): Problem | null {
  if (signal.aborted) {
    return (signal.reason as Interruption).kind === 'timeout'
      ? problems.upload_stalled('The server sent the file so slowly that it was given up after twelve hours.')
      : null;
  }
  if (error instanceof Problem && error.status < 500 && !isTransient(error)) return error;
  if (!lastAttempt && !(error instanceof Problem && error.code === 'storage_full')) return null;
  return error instanceof Problem ? error : problems.upload_failed(undefined, { cause: error });
}
