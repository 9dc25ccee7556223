import { Type } from 'typebox';
import { type App, type Domain, routes, toWire } from '#platform/http/index';
import {
  IndexParams,
  IndexQuery,
  IndexRun,
  IndexStatus,
  IndexTargets,
  StartedIndex,
  VideoIndex,
  VideosToIndex,
} from './schema.ts';
import type { Captions } from './service.ts';

const VTT = Type.String({
  description: 'WebVTT with one cue for each caption.',
  examples: ['WEBVTT\n\n00:00:00.000 --> 00:00:07.000\nTwo people move left to right; the camera is still.\n'],
});

export function captionsRoutes(app: App, captions: Captions): void {
  const route = routes(app, { tag: 'Videos', scope: 'read' });

  route.post(
    '/api/videos/index',
    {
      id: 'indexVideos',
      summary: 'Caption videos',
      description:
        'Starts time-stamped captions of up to 200 videos: what is in view, from observations, in the words of a vision-language model if there is one. Existing captions are in `results` at once; poll the others with `POST /api/videos/index/status`. A side view of a set gets the captions of the primary view. The captions are the events of an analysis, and are found by searches.',
      body: VideosToIndex,
      response: StartedIndex,
    },
    async ({ caller, body }) => {
      const { results, ...run } = await captions.start(caller, body.videoIds, body.mode, body.refresh ?? false);
      return { ...run, results: toRecord(results) };
    },
  );

  route.post(
    '/api/videos/index/status',
    {
      id: 'getIndexStatus',
      scope: 'read',
      summary: 'Get the captions of videos',
      description: 'Returns the results of the videos whose captions are completed or have failed.',
      body: IndexRun,
      response: IndexStatus,
    },
    async ({ caller, body }) => ({
      results: toRecord(await captions.results(caller, body.videoIds, body.mode)),
    }),
  );

  route.post(
    '/api/videos/index/resolve',
    {
      id: 'resolveIndexVideos',
      scope: 'read',
      summary: 'Resolve the videos to caption',
      description: 'Returns the video that would be captioned for each of these videos. Nothing is started.',
      body: VideosToIndex,
      response: IndexTargets,
    },
    async ({ caller, body }) => {
      const { viewTargets, results } = await captions.resolve(caller, body.videoIds, body.mode);
      return { viewTargets, results: toRecord(results) };
    },
  );

  route.get(
    '/api/videos/:video_id/index',
    {
      id: 'getVideoIndex',
      folderKeys: true,
      summary: 'Get the captions of a video',
      description: 'Returns the captions that were made last.',
      params: IndexParams,
      query: IndexQuery,
      response: VideoIndex,
      errors: [404],
    },
    ({ caller, params, query }) => captions.get(caller, params.videoId, query.mode),
  );

  route.get(
    '/api/videos/:video_id/index.vtt',
    {
      id: 'getVideoIndexVtt',
      folderKeys: true,
      summary: 'Get the captions of a video as WebVTT',
      description: 'Returns the captions that were made last, for a player.',
      params: IndexParams,
      query: IndexQuery,
      responses: { 200: { content: { 'text/vtt': { schema: VTT } } } },
      errors: [404],
    },
    async ({ caller, params, query }, reply) =>
      reply.type('text/vtt; charset=utf-8').send(await captions.webVtt(caller, params.videoId, query.mode)),
  );
}

/** Records are free-form for the mapping of responses, so their values are mapped here. */
const toRecord = (results: Record<string, Domain<typeof VideoIndex>>) =>
  Object.fromEntries(Object.entries(results).map(([id, result]) => [id, toWire(VideoIndex, result)]));
