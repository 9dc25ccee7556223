import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type App, failures, publicFailures, sendFile } from '#platform/http/index';
import { MediaQuery, SignedUrlAnswer, SignedUrlRequest, VideoParams } from './schema.ts';
import type { Playback } from './service.ts';

const Film = {
  content: {
    '*/*': { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary', description: 'The film.' }) },
  },
};

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
          'Returns a URL that plays the video without a key until it expires. A video that is not ready is 409.',
        params: VideoParams,
        body: SignedUrlRequest,
        response: { 200: SignedUrlAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body }) => playback.sign(caller, params.video_id, body),
  );

  const film = {
    config: { scope: 'public' },
    schema: {
      tags: ['Videos'],
      summary: 'Play a video by its signed URL',
      description:
        'The film itself. `Range`, `If-Range`, `If-None-Match` and `HEAD` work. An expired or altered URL is 403.',
      security: [],
      params: VideoParams,
      querystring: MediaQuery,
      response: { 200: Film, 206: Film, ...publicFailures(400, 403, 404, 416, 500) },
    },
  } as const;
  const play = async (
    request: FastifyRequest<{ Params: Static<typeof VideoParams>; Querystring: Static<typeof MediaQuery> }>,
    reply: FastifyReply,
  ) => {
    const found = await playback.film(request.params.video_id, request.method, request.query.token);
    reply.header('content-disposition', contentDisposition(found.name, { type: 'inline' }));
    return sendFile(request, reply, found);
  };
  // A HEAD of its own: the one Fastify adds to a GET would read the film to its end.
  app.get(
    '/api/media/:video_id',
    { ...film, exposeHeadRoute: false, schema: { ...film.schema, operationId: 'playVideo' } },
    play,
  );
  app.head('/api/media/:video_id', { ...film, schema: { ...film.schema, operationId: 'askAboutVideo' } }, play);
}
