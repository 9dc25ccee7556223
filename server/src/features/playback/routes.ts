import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { type App, failures, publicFailures, type ServedFile, sendFile } from '#platform/http/index';
import {
  ClipQuery,
  FrameQuery,
  MediaQuery,
  SegmentParams,
  SignedUrlAnswer,
  SignedUrlRequest,
  SignedUrlsAnswer,
  SignedUrlsRequest,
  VideoParams,
} from './schema.ts';
import type { Asked, Playback } from './service.ts';

const CONDITIONS = '`Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.';

export function playbackRoutes(app: App, playback: Playback): void {
  app.post(
    '/api/video/:video_id/signed-url',
    {
      config: { scope: 'read' },
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
      config: { scope: 'read' },
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
    ids: ['playVideo', 'askAboutVideo'],
    summary: 'Play a video by its signed URL',
    what: 'The film itself.',
    async open(asked, _query, reply) {
      const film = await playback.film(asked);
      reply.header('content-disposition', contentDisposition(film.name, { type: 'inline' }));
      return film;
    },
  });
  serve(app, '/api/media/:video_id/poster.jpg', MediaQuery, {
    ids: ['getPoster', 'askAboutPoster'],
    summary: 'Get the poster of a video by its signed URL',
    what: 'A frame from near the beginning as JPEG.',
    open: (asked) => playback.poster(asked),
  });
  serve(app, '/api/media/:video_id/frame.jpg', FrameQuery, {
    ids: ['getFrame', 'askAboutFrame'],
    summary: 'Get a frame of a video by its signed URL',
    what: 'The frame on screen at a time, in full size, as JPEG.',
    open: (asked, { t = 0 }) => playback.frame(asked, t),
  });
  serve(app, '/api/media/:video_id/storyboard.vtt', MediaQuery, {
    ids: ['getStoryboard', 'askAboutStoryboard'],
    summary: 'Get the storyboard of a video by its signed URL',
    what: 'WebVTT: for each stretch of the video a thumbnail, as an area of `storyboard.jpg`.',
    open: (asked) => playback.storyboard(asked, 'vtt'),
  });
  serve(app, '/api/media/:video_id/storyboard.jpg', MediaQuery, {
    ids: ['getStoryboardPicture', 'askAboutStoryboardPicture'],
    summary: 'Get the thumbnails of a storyboard',
    what: 'All thumbnails in one JPEG; the storyboard says where each is and which token to use.',
    open: (asked) => playback.storyboard(asked, 'jpg'),
  });
  serve(app, '/api/media/:video_id/clip.mp4', ClipQuery, {
    ids: ['getClip', 'askAboutClip'],
    summary: 'Play a clip of a video by its signed URL',
    what: 'The stretch that the URL was given for, as MP4 (H.264, AAC), exact to the frame. The first request waits until it is cut.',
    open: (asked, { start, end }) => playback.clip(asked, { start, end }),
  });
  serve(app, '/api/media/:video_id/hls/index.m3u8', MediaQuery, {
    ids: ['getPlaylist', 'askAboutPlaylist'],
    summary: 'Stream a video by its signed URL (HLS)',
    what: 'The playlist of the film as an HLS stream of fragmented MP4, copied from the film where browsers play its codec, encoded as H.264 elsewhere.',
    open: (asked) => playback.playlist(asked),
  });
  serve(app, '/api/media/:video_id/hls/:segment', MediaQuery, {
    ids: ['getSegment', 'askAboutSegment'],
    summary: 'Get a segment of an HLS stream',
    what: 'What the playlist names: `init.mp4` or a segment. The first request for a segment waits until it is made.',
    params: SegmentParams,
    open: (asked, _query, _reply, { segment }) => playback.segment(asked, segment),
  });
}

type Served<Query extends TObject, Params extends TObject> = {
  /** Names of the operations: of GET, of HEAD. */
  ids: [string, string];
  summary: string;
  what: string;
  params?: Params;
  open(asked: Asked, query: Static<Query>, reply: FastifyReply, params: Static<Params>): Promise<ServedFile>;
};

/** A file behind a signed URL, for GET and HEAD. */
function serve<Query extends TObject, Params extends TObject = typeof VideoParams>(
  app: App,
  path: string,
  querystring: Query,
  { ids, summary, what, params, open }: Served<Query, Params>,
): void {
  const File = {
    content: { '*/*': { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary', description: what }) } },
  };
  const schema = {
    tags: ['Videos'],
    summary,
    description: `${what} ${CONDITIONS}`,
    security: [],
    params: params ?? VideoParams,
    querystring,
    response: { 200: File, 206: File, ...publicFailures(400, 403, 404, 416, 500, 503) },
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const named = request.params as Static<Params> & Static<typeof VideoParams>;
    const query = request.query as Static<Query> & Static<typeof MediaQuery>;
    const asked = { videoId: named.video_id, method: request.method, token: query.token, signal: request.gone };
    return sendFile(request, reply, await open(asked, query, reply, named));
  };
  const config = { scope: 'public' } as const;
  // A HEAD of its own: the one Fastify adds to a GET would read the file to its end.
  app.get(path, { config, exposeHeadRoute: false, schema: { ...schema, operationId: ids[0] } }, handler);
  app.head(path, { config, schema: { ...schema, operationId: ids[1] } }, handler);
}
