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
  videos: Pick<Videos, 'get' | 'getWritable' | 'setSubtitles'>;
  subtitles: SubtitleStore;
};

/** Subtitle files of videos that exist, or whose upload has no part for them. */
export function createSubtitleUploads({ database, videos, subtitles }: SubtitleUploadsDeps): SubtitleUploads {
  return {
    async putSubtitles(caller, videoId, file, signal) {
      await videos.getWritable(caller, videoId);
      const parsed = await parseSubtitles(file, signal);
      const isStored = await database.transaction(async (trx) => {
        // Locks the video, so that of two requests at the same time the file and the summary are those of one.
        const exists = await videos.setSubtitles(trx, videoId, parsed.summary);
        if (exists) await subtitles.write(videoId, parsed);
        return exists;
      });
      if (!isStored) throw problems.upload_deleted();
      return videos.get(caller, videoId);
    },

    async deleteSubtitles(caller, videoId) {
      await videos.getWritable(caller, videoId);
      // Also of a video without them: a node that died may have stored a file only.
      await database.transaction(async (trx) => {
        if (await videos.setSubtitles(trx, videoId, null)) await subtitles.remove(videoId);
      });
      return videos.get(caller, videoId);
    },
  };
}
