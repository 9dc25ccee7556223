import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { LocalFile, Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import { findEpoch } from '../store.ts';
import type { LiveSession, RecordedSegment } from '../types.ts';

export type SegmentFilesDeps = {
  database: Database;
  storage: Pick<Storage, 'read' | 'scratch'>;
  videos: Pick<Videos, 'find'>;
};

export type SegmentFiles = ReturnType<typeof createSegmentFiles>;

/**
 * Provides segments as files that can be decoded alone: initialization section and fragment, read from the segment file
 * or the recording.
 */
export function createSegmentFiles({ database, storage, videos }: SegmentFilesDeps) {
  return {
    /** Throws `live_gone` (404) if the recording was deleted, or the segment was not retained. */
    async of(
      session: Pick<LiveSession, 'id' | 'videoId'>,
      segment: RecordedSegment,
      signal?: AbortSignal,
    ): Promise<LocalFile> {
      if (segment.decision === 'discarded') throw problems.live_gone();
      const epoch = await findEpoch(database.db, session.id, segment.epoch);
      const isInVideo = segment.recordingOffset !== null;
      const video = isInVideo ? await videos.find(epoch?.videoId ?? session.videoId) : null;
      if (!epoch || (isInVideo && !video)) throw problems.live_gone();
      const start = segment.recordingOffset ?? 0;
      const key = video?.storageKey ?? segment.storageKey;
      const stream = await storage.read(key, { start, end: start + segment.bytes - 1, signal });
      await using made = new AsyncDisposableStack();
      const folder = made.use(await storage.scratch());
      const path = join(folder.path, 'segment.mp4');
      await writeFile(path, Buffer.concat([epoch.init, ...(await stream.toArray())]));
      const moved = made.move();
      return { path, [Symbol.asyncDispose]: () => moved.disposeAsync() };
    },
  };
}
