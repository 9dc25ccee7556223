import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import { type App, failures, fileAnswers, type ServedFile, sendFile } from '#platform/http/index';
import {
  ClipQuery,
  FrameQuery,
  MediaQuery,
  PLAYLIST,
  SegmentParams,
  SignedUrlAnswer,
  SignedUrlRequest,
  SignedUrlsAnswer,
  SignedUrlsRequest,
  STORYBOARD,
  VideoParams,
} from './schema.ts';
import type { Asked, Playback } from './service.ts';

const CONDITIONS = '`Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.';

export function playbackRoutes(app: App, playback: Playback): void {
  app.post(
    '/api/video/:video_id/signed-url',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'signVideoUrl',
        tags: ['Videos'],
        summary: 'Get a URL that plays a video',
        description:
          'Returns a URL that plays the video, or shows a picture of it, without a key until it expires. It is good for that one kind only. A video that is not ready is 409.',
        params: VideoParams,
        body: SignedUrlRequest,
        response: { 200: SignedUrlAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body }) => playback.sign(caller, params.video_id, body),
  );

  app.post(
    '/api/video/signed-urls',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'signVideoUrls',
        tags: ['Videos'],
        summary: 'Get many such URLs at once',
        description: 'Each request has a result of its own: one that fails does not fail the others.',
        body: SignedUrlsRequest,
        response: { 200: SignedUrlsAnswer, ...failures() },
      },
    },
    async ({ caller, body }) => ({ results: await playback.signMany(caller, body.requests) }),
  );

  serve(app, '/api/media/:video_id', MediaQuery, {
    id: 'playVideo',
    summary: 'Play a video by its signed URL',
    type: 'video/*',
    what: 'The film itself.',
    async open(asked, _query, reply) {
      const film = await playback.film(asked);
      reply.header('content-disposition', contentDisposition(film.name, { type: 'inline' }));
      return film;
    },
  });
  serve(app, '/api/media/:video_id/poster.jpg', MediaQuery, {
    id: 'getPoster',
    summary: 'Get the poster of a video by its signed URL',
    type: 'image/jpeg',
    what: 'A frame from near the beginning as JPEG.',
    open: (asked) => playback.poster(asked),
  });
  serve(app, '/api/media/:video_id/frame.jpg', FrameQuery, {
    id: 'getFrame',
    summary: 'Get a frame of a video by its signed URL',
    type: 'image/jpeg',
    what: 'The frame on screen at a time, in full size, as JPEG.',
    open: (asked, { t = 0 }) => playback.frame(asked, t),
  });
  serve(app, '/api/media/:video_id/storyboard.vtt', MediaQuery, {
    id: 'getStoryboard',
    summary: 'Get the storyboard of a video by its signed URL',
    type: 'text/vtt',
    what: 'WebVTT: for each stretch of the video a thumbnail, as an area of `storyboard.jpg`.',
    example: STORYBOARD,
    open: (asked) => playback.storyboard(asked, 'vtt'),
  });
  serve(app, '/api/media/:video_id/storyboard.jpg', MediaQuery, {
    id: 'getStoryboardPicture',
    summary: 'Get the thumbnails of a storyboard',
    type: 'image/jpeg',
    what: 'All thumbnails in one JPEG; the storyboard says where each is and which token to use.',
    open: (asked) => playback.storyboard(asked, 'jpg'),
  });
  serve(app, '/api/media/:video_id/clip.mp4', ClipQuery, {
    id: 'getClip',
    summary: 'Play a clip of a video by its signed URL',
    type: 'video/mp4',
    what: 'The stretch that the URL was given for, as MP4 (H.264, AAC), exact to the frame. The first request waits until it is cut.',
    open: (asked, { start, end }) => playback.clip(asked, { start, end }),
  });
  serve(app, '/api/media/:video_id/hls/index.m3u8', MediaQuery, {
    id: 'getPlaylist',
    summary: 'Stream a video by its signed URL (HLS)',
    type: 'application/vnd.apple.mpegurl',
    what: 'The playlist of the film as an HLS stream of fragmented MP4, copied from the film where browsers play its codec, encoded as H.264 elsewhere.',
    example: PLAYLIST,
    open: (asked) => playback.playlist(asked),
  });
  serve(app, '/api/media/:video_id/hls/:segment', MediaQuery, {
    id: 'getSegment',
    summary: 'Get a segment of an HLS stream',
    type: 'video/*',
    what: 'What the playlist names: `init.mp4` or a segment. The first request for a segment waits until it is made.',
    params: SegmentParams,
    open: (asked, _query, _reply, { segment }) => playback.segment(asked, segment),
  });
}

type Served<Query extends TObject, Params extends TObject> = {
  id: string;
  summary: string;
  /** What it is served as, and what it is. */
  type: string;
  what: string;
  /** Of text. */
  example?: string;
  params?: Params;
  open(asked: Asked, query: Static<Query>, reply: FastifyReply, params: Static<Params>): Promise<ServedFile>;
};

/** A file behind a signed URL, for GET and HEAD. */
function serve<Query extends TObject, Params extends TObject = typeof VideoParams>(
  app: App,
  path: string,
  querystring: Query,
  { id, summary, type, what, example, params, open }: Served<Query, Params>,
): void {
  const schema = {
    operationId: id,
    tags: ['Playback'],
    summary,
    description: `${what} ${CONDITIONS}`,
    params: params ?? VideoParams,
    querystring,
    response: fileAnswers({ type, what, example }),
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const named = request.params as Static<Params> & Static<typeof VideoParams>;
    const query = request.query as Static<Query> & Static<typeof MediaQuery>;
    const asked = { videoId: named.video_id, method: request.method, token: query.token, signal: request.gone };
    return sendFile(request, reply, await open(asked, query, reply, named));
  };
  const config = { scope: 'public', countedAs: 'file' } as const;
  // A HEAD of its own: the one Fastify adds to a GET would read the file to its end.
  app.get(path, { config, schema, exposeHeadRoute: false }, handler);
  app.head(path, { config, schema }, handler);
}
