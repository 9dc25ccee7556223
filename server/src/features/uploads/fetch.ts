import type { Static } from 'typebox';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Media } from '#platform/media/index';
import { type Download, download, type GuardedFetch } from '#platform/net/index';
import type { Storage } from '#platform/storage/index';
import { examine } from './arrival.ts';
import type { fetchVideo } from './jobs.ts';
import { nameOfPath, nameOfUrl } from './names.ts';
import { problems } from './problems.ts';

type Deps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'amend' | 'find' | 'markReady' | 'reserve'>;
  net: GuardedFetch;
  maxBytes: number;
};

/** The worker's side of an upload by URL: one attempt to bring the file and make its video ready. */
export function createFetcher({ database, storage, media, videos, net, maxBytes }: Deps) {
  /** Where the server says how much will come, room for it is made first. */
  async function receive({ body, size }: Download, videoId: string, storageKey: string, signal: AbortSignal) {
    try {
      const bytes = Math.min(size ?? 0, maxBytes);
      await database.transaction((trx) => videos.reserve(trx, videoId, bytes));
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
    const file = await download(net, url, { signal });
    const stored = await receive(file, videoId, storageKey, signal);
    const facts = await examine({ storage, media }, storageKey, stored, signal);
    // Whoever renamed it meanwhile knows better than the server.
    const untouched = !named && (await videos.find(videoId))?.name === nameOfUrl(new URL(url));
    await database.transaction(async (trx) => {
      if (untouched && file.filename) await videos.amend(trx, videoId, { name: nameOfPath(file.filename) });
      if (!(await videos.markReady(trx, videoId, facts))) throw problems.upload_deleted();
    });
  };
}
