import { toVideoStatus, VideoParams, VideoStatus } from '#features/videos/index';
import { type App, routes } from '#platform/http/index';
import { acceptFileBodies, fileBodyValidator } from '../file-body.ts';
import { problems } from '../problems.ts';
import type { SubtitleUploads } from '../types.ts';
import { requireName } from '../video-names.ts';
import { SubtitlesBody, SubtitlesQuery } from './schema.ts';
import { MAX_SUBTITLES_BYTES } from './subtitles.ts';

/** Subtitle files of existing videos, and of uploads whose protocol has no part for them. */
export function subtitleRoutes(app: App, uploads: SubtitleUploads): void {
  acceptFileBodies(app, MAX_SUBTITLES_BYTES);
  const route = routes(app, { tag: 'Uploads', scope: 'write' });

  route.put(
    '/api/video/:video_id/subtitles',
    {
      id: 'putSubtitles',
      folderKeys: true,
      validatorCompiler: fileBodyValidator,
      summary: 'Put the subtitle file of a video',
      description:
        'Stores a subtitle file (SubRip or WebVTT) for a video, and replaces an earlier one. The body is the file. It is shown as captions instead of the subtitles in the video file, and prompts about what is spoken are answered from it instead of from speech recognition. Existing analyses stay; later queries read the new file.',
      consumes: ['application/octet-stream', 'text/vtt', 'application/x-subrip', 'text/plain'],
      params: VideoParams,
      query: SubtitlesQuery,
      body: SubtitlesBody,
      response: VideoStatus,
      errors: [404, 413],
    },
    async ({ caller, params, query, body, disconnected }) => {
      if (!Buffer.isBuffer(body))
        throw problems.subtitles_invalid('The request has no body. Send the file as the body.');
      const filename = requireName(query.filename ?? 'subtitles', 'filename');
      const file = { filename, language: query.language ?? null, bytes: body };
      return toVideoStatus(await uploads.putSubtitles(caller, params.videoId, file, disconnected));
    },
  );

  route.delete(
    '/api/video/:video_id/subtitles',
    {
      id: 'deleteSubtitles',
      folderKeys: true,
      summary: 'Remove the subtitle file of a video',
      description:
        'Removes the subtitle file that was added to a video. The subtitles in the video file, or the transcript, are used again. A video without such a file does not change.',
      params: VideoParams,
      response: VideoStatus,
      errors: [404],
    },
    async ({ caller, params }) => toVideoStatus(await uploads.deleteSubtitles(caller, params.videoId)),
  );
}
