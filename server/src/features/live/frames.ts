import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/db/index';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { SegmentFiles } from './analysis/index.ts';
import { findSession, listSegments } from './store.ts';

/** A frame of a list is at most this old, in milliseconds. */
const FRESH_MS = 10_000;
/** Frames in memory. */
const MAX_FRAMES = 200;
/** Longest side of a frame in pixels. */
const SIDE = 640;

export type LiveFramesDeps = {
  database: Database;
  media: Pick<Media, 'frameImage'>;
  files: SegmentFiles;
};

/** Newest frames of sessions, for lists of cameras. */
export function createLiveFrames({ database, media, files }: LiveFramesDeps) {
  const { db } = database;
  const cached = new LRUCache<string, Promise<Buffer | null>>({ max: MAX_FRAMES, ttl: FRESH_MS });

  async function draw(sessionId: string): Promise<Buffer | null> {
    const session = await findSession(db, sessionId);
    const [segment] = session ? await listSegments(db, sessionId, session.segmentCount - 1, 1) : [];
    if (!session || !segment) return null;
    try {
      await using file = await files.of(session, segment);
      return await media.frameImage(file.path, { timeS: segment.durationS, maxSide: SIDE });
    } catch (error) {
      // The recording was deleted, or its end is damaged.
      if (error instanceof Problem && !error.isFault) return null;
      throw error;
    }
  }

  return {
    /** The last frame of a session as JPEG, some seconds old while it runs; null if there is none. */
    async last(sessionId: string): Promise<Buffer | null> {
      const drawing = cached.get(sessionId) ?? draw(sessionId);
      cached.set(sessionId, drawing, { noUpdateTTL: true });
      drawing.catch(() => cached.delete(sessionId));
      return drawing;
    },
  };
}
