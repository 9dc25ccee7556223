import type { Static } from 'typebox';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Media } from '#platform/media/index';
import { download, type GuardedFetch } from '#platform/net/index';
import type { Storage } from '#platform/storage/index';
import { examine } from './arrival.ts';
import type { fetchVideo } from './jobs.ts';
import { displayName } from './names.ts';
import { problems } from './problems.ts';

type Deps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'amend' | 'markReady'>;
  net: GuardedFetch;
  maxBytes: number;
};

/** The worker's side of an upload by URL: one attempt to bring the file and make its video ready. */
export function createFetcher({ database, storage, media, videos, net, maxBytes }: Deps) {
  return async (
    { videoId, url, named }: Static<typeof fetchVideo.payload>,
    storageKey: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const file = await download(net, url, { signal });
    const stored = await storage.write(storageKey, file.body, { signal, maxBytes });
    const facts = await examine({ storage, media }, storageKey, stored, signal);
    await database.transaction(async (trx) => {
      if (!named && file.filename) await videos.amend(trx, videoId, { name: displayName(file.filename) });
      if (!(await videos.markReady(trx, videoId, facts))) throw problems.upload_deleted();
    });
  };
}
