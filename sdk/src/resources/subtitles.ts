import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import type { VideoStatus } from '../resources.generated.ts';

/** `language`: BCP 47 tag; by default the one that the file or its name (`talk.en.srt`) states. */
export type SubtitleOptions = { filename?: string; language?: string; signal?: AbortSignal };

/** Subtitle files of videos. Prompts about what is spoken are answered from them. */
export type SubtitleOperations = {
  /** Adds subtitles (SubRip or WebVTT, at most 4 MiB) to a video, in place of those that were added before. */
  putSubtitles(videoId: string, file: Blob, options?: SubtitleOptions): Promise<VideoStatus>;
  /** Removes the subtitles that were added to a video; those in its file stay. */
  deleteSubtitles(videoId: string): Promise<VideoStatus>;
};

export const createSubtitleOperations = (api: Client<paths>): SubtitleOperations => ({
  async putSubtitles(video_id, file, { filename, language, signal } = {}) {
    const { data } = await api.PUT('/api/video/{video_id}/subtitles', {
      params: { path: { video_id }, query: { filename, language } },
      headers: { 'content-type': 'application/octet-stream' },
      body: (await file.arrayBuffer()) as unknown as string,
      bodySerializer: (body) => body,
      signal,
    });
    return data!;
  },
  async deleteSubtitles(video_id) {
    return (await api.DELETE('/api/video/{video_id}/subtitles', { params: { path: { video_id } } })).data!;
  },
});
