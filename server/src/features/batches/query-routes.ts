import { type App, lastEventId, routes, sendEvents } from '#platform/http/index';
import { PreviewBody, QueryPreviewResource } from './query-schema.ts';
import {
  EventStream,
  InferredSchema,
  QueryBody,
  type QueryRequest,
  SchemaQuery,
  StartedQuery,
  StreamParams,
  StreamQuery,
} from './schema.ts';
import type { Batches, QueryMode } from './service-types.ts';
import { type StartRequest, startOnce } from './start-once.ts';

const EVENT_STREAM = { content: { 'text/event-stream': { schema: EventStream } } };

const start = (batches: Batches, request: StartRequest & { body: QueryRequest }, mode: QueryMode) =>
  startOnce(request, (saveReference) => batches.start(request.caller, request.body, { mode, saveReference }));

/** Queries: started, previewed and followed. */
export function queryRoutes(app: App, batches: Batches): void {
  const route = routes(app, { tag: 'Analysis', scope: 'read' });

  route.post(
    '/api/router/v2/query/start',
    {
      id: 'startQuery',
      folderKeys: true,
      idempotency: 'resumable',
      summary: 'Query videos',
      description:
        'Starts one analysis per video and returns at once. Follow the stream, or poll the batch. A repeat with the same `Idempotency-Key` returns the same batch.',
      body: QueryBody,
      response: StartedQuery,
      errors: [404],
    },
    (request) => start(batches, request, 'thinking'),
  );

  route.post(
    '/api/router/v2/query/plan',
    {
      id: 'planQuery',
      scope: 'read',
      folderKeys: true,
      summary: 'Preview a query',
      description:
        'Dry run: returns how the prompt is understood, who would search for each part or why nobody can, and the estimated cost. Nothing is stored and no video is decoded.',
      body: PreviewBody,
      response: QueryPreviewResource,
      errors: [404],
    },
    async ({ caller, body }) => batches.preview(caller, body, body.mode ?? 'thinking'),
  );

  route.post(
    '/api/infer-output-schema',
    {
      id: 'inferOutputSchema',
      scope: 'read',
      folderKeys: true,
      summary: 'Get the fields that a prompt requests',
      description:
        'Returns an `output_schema` for a prompt that states the form of its answer, such as "VERDICT: yes/no/uncertain", "answer low|medium|high" or an example as JSON; of other prompts what a configured language model finds; else null with the reason. Nothing is stored.',
      body: SchemaQuery,
      response: InferredSchema,
    },
    async ({ caller, body, disconnected }) => {
      const { schema, reason } = await batches.inferOutputSchema(caller, body.query, disconnected);
      return { outputSchema: schema, reason };
    },
  );

  route.post(
    '/api/router/query',
    {
      id: 'startFastQuery',
      folderKeys: true,
      idempotency: 'resumable',
      summary: 'Query videos in fast mode',
      description:
        'Like the start endpoint, in fast mode. If all frames of a video were observed before, the answer uses them. Otherwise it uses one sparse pass: a frame every two seconds where anything changes, and all of the audio. Events of the sparse pass have a lower confidence. In videos of up to ten minutes, fast mode looks closer (stage `looking_closer`) if a part of the prompt needs every frame, such as motion, cuts or counts, or if the sparse pass found nothing certain: it processes every frame, and thinking mode does not repeat that. In longer videos it looks closer at the ranges in which an answer is most likely, ten minutes in all: `coverage` lists them, and reports the distance between frames in the rest.',
      body: QueryBody,
      response: StartedQuery,
      errors: [404],
    },
    (request) => start(batches, request, 'fast'),
  );

  route.post(
    '/api/router/v2/query/stream',
    {
      id: 'streamQuery',
      folderKeys: true,
      idempotency: 'resumable',
      stream: true,
      summary: 'Query videos and stream the events',
      description:
        'Starts one analysis per video and streams their events in the same response. The analyses continue if the client disconnects; a repeat with the same `Idempotency-Key`, or the events endpoint, resumes the stream.',
      body: QueryBody,
      responses: { 200: EVENT_STREAM },
      errors: [404],
    },
    async (request, reply) => {
      const { streamId } = await start(batches, request, 'thinking');
      const after = lastEventId(request, undefined);
      return sendEvents(request, reply, await batches.follow(request.caller, streamId, after, request.disconnected));
    },
  );

  route.get(
    '/api/router/v2/query/events/:stream_id',
    {
      id: 'followQuery',
      folderKeys: true,
      stream: true,
      summary: 'Follow a query',
      description: 'Streams the events of a query after `last_id`, until the query has ended.',
      params: StreamParams,
      query: StreamQuery,
      responses: { 200: EVENT_STREAM },
      errors: [404],
    },
    async (request, reply) => {
      const { caller, params, query } = request;
      const after = lastEventId(request, query.lastId);
      return sendEvents(request, reply, await batches.follow(caller, params.streamId, after, request.disconnected));
    },
  );
}
