import type { Static } from 'typebox';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Media } from '#platform/media/index';
import { type Download, download, type GuardedFetch } from '#platform/net/index';
import type { Storage } from '#platform/storage/index';
import { inspectFile } from '../ingest/inspect-file.ts';
import type { fetchVideo } from '../jobs.ts';
import { problems } from '../problems.ts';
import { videoNameFromPath, videoNameFromUrl } from '../video-names.ts';

type Deps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'updatePending' | 'find' | 'markReady' | 'reserveFor'>;
  net: GuardedFetch;
  maxBytes: number;
};

/** Returns the job that fetches a video from its URL and marks it as ready. */
export function createUrlIngest({ database, storage, media, videos, net, maxBytes }: Deps) {
  /** Reserves space first if the server states the size. */
  async function store({ body, size }: Download, videoId: string, storageKey: string, signal: AbortSignal) {
    try {
      const bytes = Math.min(size ?? 0, maxBytes);
      await database.transaction((trx) => videos.reserveFor(trx, videoId, bytes));
      return await storage.write(storageKey, body, { signal, maxBytes });
    } finally {
      body.destroy();
    }
  }

  return async (
    { videoId, url, named }: Static<typeof fetchVideo.payload>,
    storageKey: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const response = await download(net, url, { signal });
    const stored = await store(response, videoId, storageKey, signal);
    const file = await inspectFile({ storage, media }, storageKey, stored, signal);
    // A name that a user chose in the meantime takes precedence over the server's.
    const unnamed = !named && (await videos.find(videoId))?.name === videoNameFromUrl(new URL(url));
    await database.transaction(async (trx) => {
      if (unnamed && response.filename)
        await videos.updatePending(trx, videoId, { name: videoNameFromPath(response.filename) });
      if (!(await videos.markReady(trx, videoId, file))) throw problems.upload_deleted();
    });
  };
}
