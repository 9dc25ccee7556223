import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Media } from '#platform/media/index';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import { inspectFile } from './inspect-file.ts';

type Deps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'markReady'>;
  drawSample(path: string, signal: AbortSignal): Promise<void>;
};

/** Returns the job that draws a sample video, stores it and marks it as ready. */
export function createSampleIngest({ database, storage, media, videos, drawSample }: Deps) {
  return async (videoId: string, storageKey: string, signal: AbortSignal): Promise<void> => {
    await using folder = await storage.scratch();
    const path = join(folder.path, 'sample.mp4');
    await drawSample(path, signal);
    const stored = await storage.write(storageKey, createReadStream(path), { signal });
    const file = await inspectFile({ storage, media }, storageKey, stored, signal);
    const ready = await database.transaction((trx) => videos.markReady(trx, videoId, file));
    if (!ready) throw problems.upload_deleted();
  };
}
