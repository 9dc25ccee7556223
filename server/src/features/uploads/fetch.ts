import type { Static } from 'typebox';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Interruption, JobContext } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { download, type GuardedFetch, isTransient } from '#platform/net/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { examine } from './arrival.ts';
import type { fetchVideo } from './jobs.ts';
import { displayName } from './names.ts';
import { problems } from './problems.ts';

const WATCH_MS = 5_000;

type Deps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'find' | 'amend' | 'markReady' | 'markFailed'>;
  net: GuardedFetch;
  log: Log;
  maxBytes: number;
};
type Payload = Static<typeof fetchVideo.payload>;

/** The worker's side of an upload by URL. */
export function createFetcher({ database, storage, media, videos, net, log, maxBytes }: Deps) {
  async function bring({ videoId, url, named }: Payload, storageKey: string, signal: AbortSignal): Promise<void> {
    const file = await download(net, url, { signal });
    const stored = await storage.write(storageKey, file.body, { signal, maxBytes });
    const facts = await examine({ storage, media }, storageKey, stored, signal);
    await database.transaction(async (trx) => {
      if (!named && file.filename) await videos.amend(trx, videoId, { name: displayName(file.filename) });
      if (!(await videos.markReady(trx, videoId, facts))) throw problems.upload_deleted();
    });
  }

  async function end(videoId: string, { code, message }: Problem): Promise<void> {
    await storage.removeAll(`videos/${videoId}/`);
    await database.transaction((trx) => videos.markFailed(trx, videoId, code, message));
  }

  return {
    /** One attempt. What may pass is tried again by throwing; what will not ends the video as failed. */
    async fetch(payload: Payload, context: JobContext): Promise<void> {
      const { videoId } = payload;
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
        await bring(payload, video.storageKey, AbortSignal.any([context.signal, deleted.signal]));
      } catch (error) {
        const problem = verdict(error, context);
        if (!problem) throw error;
        log[problem.status < 500 ? 'info' : 'error']({ err: error, videoId }, 'fetching a video failed');
        await end(videoId, problem);
      } finally {
        clearInterval(watch);
      }
    },

    async giveUp({ videoId }: Payload): Promise<void> {
      await end(videoId, problems.upload_failed());
    },
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
