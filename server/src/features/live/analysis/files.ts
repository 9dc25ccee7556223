import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { LocalFile, Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import { findEpoch } from '../store.ts';
import type { Segment, Session } from '../types.ts';

export type FilesDeps = {
  database: Database;
  storage: Pick<Storage, 'read' | 'scratch'>;
  videos: Pick<Videos, 'find'>;
};

export type Files = ReturnType<typeof createFiles>;

/** Segments as files that can be decoded alone: the initialisation section and the fragment, wherever that lies by now. */
export function createFiles({ database, storage, videos }: FilesDeps) {
  return {
    /** Throws `live_gone` (404) where its recording was deleted. */
    async of(session: Pick<Session, 'id' | 'videoId'>, segment: Segment, signal?: AbortSignal): Promise<LocalFile> {
      const epoch = await findEpoch(database.db, session.id, segment.epoch);
      const inFilm = segment.filmOffset !== null;
      const video = inFilm ? await videos.find(epoch?.videoId ?? session.videoId) : null;
      if (!epoch || (inFilm && !video)) throw problems.live_gone();
      const start = segment.filmOffset ?? 0;
      const key = video?.storageKey ?? segment.storageKey;
      const stream = await storage.read(key, { start, end: start + segment.bytes - 1, signal });
      await using made = new AsyncDisposableStack();
      const folder = made.use(await storage.scratch());
      const path = join(folder.path, 'segment.mp4');
      await writeFile(path, Buffer.concat([epoch.init, ...(await stream.toArray())]));
      const kept = made.move();
      return { path, [Symbol.asyncDispose]: () => kept.disposeAsync() };
    },
  };
}
