import type { FastifyRequest } from 'fastify';
import type { Transaction } from '#platform/db/index';
import {
  type App,
  type Caller,
  fromWire,
  jsonText,
  lastEventId,
  routes,
  sendEvents,
  toWire,
} from '#platform/http/index';
import { BatchList, BatchListQuery } from './list-schema.ts';
import { PreviewBody, QueryPreviewResource } from './preview-schema.ts';
import { filterResults, sortByRarity } from './results.ts';
import {
  BatchDocuments,
  BatchDocumentsBody,
  BatchDocumentsQuery,
  BatchResults,
  FilterBatchBody,
} from './results-schema.ts';
import {
  BatchMetadataBody,
  BatchMetadataResource,
  BatchParams,
  BatchQuery,
  BatchResource,
  EventStream,
  InferredSchema,
  QueryBody,
  type QueryRequest,
  SchemaQuery,
  type StartedBatch,
  StartedQuery,
  StreamParams,
  StreamQuery,
} from './schema.ts';
import type { Batches, BatchWithAnalyses, QueryMode, StartOptions } from './service-types.ts';

const EVENT_STREAM = { content: { 'text/event-stream': { schema: EventStream } } };

export function batchesRoutes(app: App, batches: Batches): void {
  const analysis = routes(app, { tag: 'Analysis', scope: 'read' });
  const route = routes(app, { tag: 'Batches', scope: 'read' });

  analysis.post(
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
    (request) => start(request, request.body, 'thinking'),
  );

  analysis.post(
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

  analysis.post(
    '/api/infer-output-schema',
    {
      id: 'inferOutputSchema',
      scope: 'read',
      folderKeys: true,
      summary: 'Get the fields that a prompt requests',
      description:
        'Returns an `output_schema` for a prompt that states the form of its answer, such as "VERDICT: yes/no/uncertain", "answer low|medium|high" or an example as JSON; else null with the reason. Nothing is stored.',
      body: SchemaQuery,
      response: InferredSchema,
    },
    async ({ body }) => {
      const { schema, reason } = batches.inferOutputSchema(body.query);
      return { outputSchema: schema, reason };
    },
  );

  analysis.post(
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
    (request) => start(request, request.body, 'fast'),
  );

  analysis.post(
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
      const { streamId } = await start(request, request.body, 'thinking');
      const after = lastEventId(request, undefined);
      return sendEvents(request, reply, await batches.follow(request.caller, streamId, after, request.disconnected));
    },
  );

  analysis.get(
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

  route.get(
    '/api/batches',
    {
      id: 'listBatches',
      summary: 'List batches',
      description: 'Lists the batches that you may read, newest first.',
      query: BatchListQuery,
      response: BatchList,
    },
    async ({ caller, query: { scope, status, limit, cursor } }) => {
      const page = await batches.list(caller, { scope, status, limit: limit ?? 100, cursor });
      return { ...page, batches: page.batches.map(toBatchResource) };
    },
  );

  route.post(
    '/api/batch/:batch_id/cancel',
    {
      id: 'cancelBatch',
      folderKeys: true,
      summary: 'Cancel a batch',
      description:
        'Ends the running analyses of your own batch; they fail with `analysis_cancelled`, and the stream ends with `done`. Completed analyses keep their documents. A batch that has ended is returned unchanged.',
      params: BatchParams,
      response: BatchResource,
      errors: [404],
    },
    async ({ caller, params }) => toBatchResource(await batches.cancel(caller, params.batchId)),
  );

  route.post(
    '/api/batch/:batch_id/retry',
    {
      id: 'retryBatch',
      folderKeys: true,
      idempotency: 'resumable',
      summary: 'Retry the failed analyses of a batch',
      description:
        'Starts a new batch with the same prompt, plan and mode on those videos of your own batch whose analysis failed or was canceled. `config.retry_of` of the new batch is the id of this one.',
      params: BatchParams,
      response: StartedQuery,
      errors: [404, 409],
    },
    (request) => retry(request, request.params.batchId),
  );

  route.get(
    '/api/batch/:batch_id/status',
    {
      id: 'getBatchStatus',
      folderKeys: true,
      summary: 'Get the status of a batch',
      description:
        'Returns the number of ended analyses and the status of each. Documents of the analyses that count as completed are readable.',
      params: BatchParams,
      query: BatchQuery,
      response: BatchResource,
      errors: [404],
    },
    async ({ caller, params, query }) =>
      toBatchResource(await batches.get(caller, params.batchId, query.includeVideos ?? true)),
  );

  route.post(
    '/api/batch/:batch_id/analyses/bulk',
    {
      id: 'getBatchAnalyses',
      scope: 'read',
      folderKeys: true,
      summary: 'Get analysis documents in bulk',
      description: 'Returns the documents of up to 500 videos of a batch.',
      params: BatchParams,
      query: BatchDocumentsQuery,
      body: BatchDocumentsBody,
      response: BatchDocuments,
      errors: [404],
    },
    async ({ caller, params, query, body }, reply) =>
      jsonText(reply, await batches.bulk(caller, params.batchId, body.videoIds, query.includeSourceUri ?? false)),
  );

  route.post(
    '/api/batch/:batch_id/metadata',
    {
      id: 'annotateBatch',
      folderKeys: true,
      summary: 'Add metadata to a batch',
      description: 'Merges names and values into the metadata of your own batch. Existing names are replaced.',
      params: BatchParams,
      body: BatchMetadataBody,
      response: BatchMetadataResource,
      errors: [404],
    },
    async ({ caller, params, body }) => {
      const metadata = await batches.annotate(caller, params.batchId, body.metadata);
      return { success: true, batchId: params.batchId, metadata };
    },
  );

  route.post(
    '/api/batch/:batch_id/filter_batch',
    {
      id: 'filterBatch',
      scope: 'read',
      folderKeys: true,
      summary: 'Get the events of a batch by approval',
      description: 'Returns the results that have events in the given approval states, limited to those events.',
      params: BatchParams,
      body: FilterBatchBody,
      response: BatchResults,
      errors: [404],
    },
    async ({ caller, params, body }) => {
      const { batch, results } = await batches.results(caller, params.batchId);
      return { batchMetadata: toBatchSummary(batch), results: filterResults(results, body.filter ?? null) };
    },
  );

  route.post(
    '/api/batch/:batch_id/sort_edge_cases',
    {
      id: 'sortBatch',
      scope: 'read',
      folderKeys: true,
      summary: 'Get the events of a batch, rarest first',
      description:
        'Returns all results. `uniqueness_rating` of an event, from 0 to 1, states how rare its kind is in the batch, and `uniqueness_reasoning` explains it. The rarest events are first, equal ones by confidence.',
      params: BatchParams,
      response: BatchResults,
      errors: [404],
    },
    async ({ caller, params }) => {
      const { batch, results } = await batches.results(caller, params.batchId);
      return { batchMetadata: toBatchSummary(batch), results: sortByRarity(results) };
    },
  );

  type StartRequest = { caller: Caller } & Pick<FastifyRequest, 'remembered' | 'remember'>;

  const start = (request: StartRequest, body: QueryRequest, mode: QueryMode) =>
    once(request, (remember) => batches.start(request.caller, body, { mode, remember }));

  const retry = (request: StartRequest, batchId: string) =>
    once(request, (remember) => batches.retry(request.caller, batchId, { remember }));

  /** Starts a batch once per `Idempotency-Key`: the response is recorded in the transaction that creates the batch. */
  async function once(
    request: StartRequest,
    create: (remember: NonNullable<StartOptions['remember']>) => Promise<StartedBatch>,
  ): Promise<StartedBatch> {
    if (request.remembered !== null) return fromWire(StartedQuery, JSON.parse(request.remembered));
    return create((started, trx: Transaction) => request.remember(JSON.stringify(toWire(StartedQuery, started)), trx));
  }
}

function toBatchSummary(batch: Omit<BatchWithAnalyses, 'analyses' | 'eventCount'>) {
  const { id, status, query, createdAt, config, metadata } = batch;
  return {
    ...(config as Record<string, unknown>),
    batch_id: id,
    batch_type: (config as { analysis_kind?: string }).analysis_kind === 'edge_agent' ? 'agent' : 'ask',
    status,
    prompt: query,
    metadata,
    created_at: createdAt.toISOString(),
  };
}

function toBatchResource(batch: BatchWithAnalyses) {
  const config = batch.config as { mode: QueryMode };
  return {
    batchId: batch.id,
    status: batch.status,
    aggregatedProgress: { total: batch.total, completed: batch.completed, failed: batch.failed },
    eventCount: batch.eventCount,
    videos: batch.analyses.map((each) => ({
      videoId: each.videoId,
      analysisId: each.analysisId,
      status: each.status.toLowerCase(),
      progress: Math.round(each.progress * 10) / 10,
      stage: each.status === 'PROCESSING' ? (each.stage ?? 'waiting') : null,
      lastError: each.problemMessage,
    })),
    config,
    query: batch.query,
    mode: config.mode,
    streamId: batch.streamId,
    metadata: batch.metadata as Record<string, unknown>,
    reviewStatus: null,
    reviewStatusUpdatedAt: null,
    createdAt: batch.createdAt,
    completedAt: batch.completedAt,
  };
}
