import { subtitlesKey, type Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import type { SubtitleUploads } from '../types.ts';
import { type ParsedSubtitles, parseSubtitles } from './subtitles.ts';

export function createSubtitleStore(storage: Storage) {
  return {
    /** Stores the subtitle file of a video, in place of an earlier one. */
    async write(videoId: string, { bytes }: ParsedSubtitles, signal?: AbortSignal): Promise<void> {
      await storage.write(subtitlesKey(videoId), bytes, { signal, contentType: 'text/vtt' });
    },
    async remove(videoId: string): Promise<void> {
      await storage.remove(subtitlesKey(videoId));
    },
  };
}

export type SubtitleStore = ReturnType<typeof createSubtitleStore>;

type SubtitleUploadsDeps = {
  database: Database;
  videos: Pick<Videos, 'get' | 'getWritable' | 'setSubtitles' | 'discard'>;
  subtitles: SubtitleStore;
};

/** Subtitle files of videos that exist, or whose upload has no part for them. */
export function createSubtitleUploads({ database, videos, subtitles }: SubtitleUploadsDeps): SubtitleUploads {
  return {
    async putSubtitles(caller, videoId, file) {
      await videos.getWritable(caller, videoId);
      const parsed = parseSubtitles(file);
      await subtitles.write(videoId, parsed);
      if (!(await database.transaction((trx) => videos.setSubtitles(trx, videoId, parsed.summary)))) {
        await videos.discard(videoId);
        throw problems.upload_deleted();
      }
      return videos.get(caller, videoId);
    },

    async deleteSubtitles(caller, videoId) {
      const { metadata } = await videos.getWritable(caller, videoId);
      if (metadata.subtitles !== undefined)
        await database.transaction((trx) => videos.setSubtitles(trx, videoId, null));
      // Also of a video without them: an earlier removal of the file may have failed.
      await subtitles.remove(videoId);
      return videos.get(caller, videoId);
    },
  };
}
