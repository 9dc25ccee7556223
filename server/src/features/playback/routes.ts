import { create as contentDisposition } from 'content-disposition';
import type { FastifyRequest } from 'fastify';
import { type App, routes, tokenOf, toWire } from '#platform/http/index';
import {
  CAPTION_FILES,
  ClipQuery,
  FileParams,
  FrameQuery,
  MediaQuery,
  PLAYLIST_EXAMPLE,
  SegmentParams,
  SignedUrl,
  SignedUrlRequest,
  SignedUrlResult,
  SignedUrls,
  SignedUrlsRequest,
  STORYBOARD_EXAMPLE,
  VideoParams,
} from './schema.ts';
import type { Playback, SignedAccess } from './types.ts';

const CONDITIONS =
  'Supports `Range`, `If-Range`, `If-None-Match` and `HEAD`. An expired or altered URL is answered with 403.';

export function playbackRoutes(app: App, playback: Playback): void {
  const route = routes(app, { tag: 'Videos', scope: 'read', folderKeys: true });

  route.post(
    '/api/video/:video_id/signed-url',
    {
      id: 'signVideoUrl',
      scope: 'read',
      summary: 'Get a URL that plays a video',
      description:
        'Returns a URL that plays the video, or shows an image of it, without a key until it expires. The URL is valid for one kind of file only. A video that is not ready is answered with 409.',
      params: FileParams,
      body: SignedUrlRequest,
      response: SignedUrl,
      errors: [404, 409],
    },
    ({ caller, params, body }) => playback.sign(caller, params.videoId, body),
  );

  route.post(
    '/api/video/signed-urls',
    {
      id: 'signVideoUrls',
      scope: 'read',
      summary: 'Get several signed URLs at once',
      description: 'Each request has its own result. One that fails does not fail the others.',
      body: SignedUrlsRequest,
      response: SignedUrls,
    },
    async ({ caller, body }) => {
      const results = Object.entries(await playback.signMany(caller, body.requests));
      return { results: Object.fromEntries(results.map(([id, result]) => [id, toWire(SignedUrlResult, result)])) };
    },
  );

  declareFiles(app, playback);
}

/** Files behind a signed URL, for GET and HEAD. */
function declareFiles(app: App, playback: Playback): void {
  const route = routes(app, { tag: 'Playback', scope: 'public' });

  route.file(
    '/api/media/:video_id',
    {
      id: 'playVideo',
      summary: 'Play a video by its signed URL',
      ...describe('video/*', 'The uploaded video file; for a chunk, its range as MP4.'),
      params: FileParams,
      query: MediaQuery,
    },
    async (request, reply) => {
      const file = await playback.original(toAccess(request));
      reply.header('content-disposition', contentDisposition(file.name, { type: 'inline' }));
      return file;
    },
  );
  route.file(
    '/api/media/:video_id/poster.jpg',
    {
      id: 'getPoster',
      summary: 'Get the poster of a video by its signed URL',
      ...describe('image/jpeg', 'A frame from near the beginning as JPEG.'),
      params: VideoParams,
      query: MediaQuery,
    },
    (request) => playback.poster(toAccess(request)),
  );
  route.file(
    '/api/media/:video_id/frame.jpg',
    {
      id: 'getFrame',
      summary: 'Get a frame of a video by its signed URL',
      ...describe('image/jpeg', 'The frame shown at a given time, in full size, as JPEG.'),
      params: VideoParams,
      query: FrameQuery,
    },
    (request) => playback.frame(toAccess(request), request.query.t ?? 0),
  );
  route.file(
    '/api/media/:video_id/storyboard.vtt',
    {
      id: 'getStoryboard',
      summary: 'Get the storyboard of a video by its signed URL',
      ...describe('text/vtt', 'WebVTT with one thumbnail per interval of the video, as an area of `storyboard.jpg`.'),
      example: STORYBOARD_EXAMPLE,
      params: VideoParams,
      query: MediaQuery,
    },
    (request) => playback.storyboard(toAccess(request), 'vtt'),
  );
  route.file(
    '/api/media/:video_id/storyboard.jpg',
    {
      id: 'getStoryboardPicture',
      summary: 'Get the thumbnails of a storyboard',
      ...describe('image/jpeg', 'All thumbnails in one JPEG. The storyboard gives the area of each, and the token.'),
      params: VideoParams,
      query: MediaQuery,
    },
    (request) => playback.storyboard(toAccess(request), 'jpg'),
  );
  for (const [format, id, name, type, example] of CAPTION_FILES)
    route.file(
      `/api/media/:video_id/captions.${format}`,
      {
        id,
        summary: `Get the captions of a video as ${name} by its signed URL`,
        ...describe(
          type,
          `The captions as ${name}: the subtitle file that was added to the video, otherwise the track of text subtitles in the video file (the first one in English, else the first), otherwise the transcript of what is spoken, once the video was queried for speech; without captions otherwise. Subtitles that are images are not read.`,
        ),
        example,
        params: VideoParams,
        query: MediaQuery,
      },
      (request) => playback.captions(toAccess(request), format),
    );
  route.file(
    '/api/media/:video_id/clip.mp4',
    {
      id: 'getClip',
      summary: 'Play a clip of a video by its signed URL',
      ...describe(
        'video/mp4',
        'The range that the URL was signed for, as MP4 (H.264, AAC), frame-accurate. The first request waits until the clip is encoded.',
      ),
      params: VideoParams,
      query: ClipQuery,
    },
    (request) => playback.clip(toAccess(request), { start: request.query.start, end: request.query.end }),
  );
  route.file(
    '/api/media/:video_id/hls/index.m3u8',
    {
      id: 'getPlaylist',
      summary: 'Stream a video by its signed URL (HLS)',
      ...describe(
        'application/vnd.apple.mpegurl',
        'HLS playlist with fragmented MP4 segments. They contain the original packets if browsers play the codec, and are encoded as H.264 otherwise.',
      ),
      example: PLAYLIST_EXAMPLE,
      params: VideoParams,
      query: MediaQuery,
    },
    (request) => playback.playlist(toAccess(request)),
  );
  route.file(
    '/api/media/:video_id/hls/:segment',
    {
      id: 'getSegment',
      summary: 'Get a segment of an HLS stream',
      ...describe(
        'video/*',
        'A file of the playlist: `init.mp4` or a segment. The first request for a segment waits until it is generated.',
      ),
      params: SegmentParams,
      query: MediaQuery,
    },
    (request) => playback.segment(toAccess(request), request.params.segment),
  );
}

const describe = (type: string, what: string) => ({ type, what, description: `${what} ${CONDITIONS}` });

const toAccess = (
  request: FastifyRequest<{ Params: { videoId: string }; Querystring: { token: string; by?: string | null } }>,
): SignedAccess => ({
  videoId: request.params.videoId,
  method: request.method,
  token: tokenOf(request.query),
  signal: request.disconnected,
});
