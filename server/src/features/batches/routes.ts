import type { FastifyRequest } from 'fastify';
import type { Transaction } from '#platform/db/index';
import { type App, failures, jsonText, lastEventId, sendEvents } from '#platform/http/index';
import { filterResults, sortByRarity } from './results.ts';
import {
  BatchAnswer,
  BatchParams,
  BatchQuery,
  BulkAnswer,
  BulkBody,
  BulkQuery,
  EventStream,
  FilterBody,
  NotesAnswer,
  NotesBody,
  QueryBody,
  ResultsAnswer,
  StartAnswer,
  StreamParams,
  StreamQuery,
} from './schema.ts';
import type { Batch, Batches, Mode } from './service.ts';

const EVENT_STREAM = { content: { 'text/event-stream': { schema: EventStream } } };

export function batchesRoutes(app: App, batches: Batches): void {
  app.post(
    '/api/router/v2/query/start',
    {
      config: { scope: 'write', idempotency: 'resumable', folderKeys: true },
      schema: {
        operationId: 'startQuery',
        tags: ['Analysis'],
        summary: 'Ask videos a question',
        description:
          'Starts one analysis per video and returns at once. Follow the stream, or poll the batch. A repeat with the same `Idempotency-Key` returns the same batch.',
        body: QueryBody,
        response: { 200: StartAnswer, ...failures(404) },
      },
    },
    (request) => start(request, 'thinking'),
  );

  app.post(
    '/api/router/query',
    {
      config: { scope: 'write', idempotency: 'resumable', folderKeys: true },
      schema: {
        operationId: 'startFastQuery',
        tags: ['Analysis'],
        summary: 'Ask videos a question, quickly',
        description:
          'Like the start endpoint, in fast mode. Where every frame of a video was looked at already, that answers. Otherwise one sparse look does: a picture every two seconds where anything changes, and all of the sound. Its findings are told less surely; `coverage` tells how far apart its pictures are, and what such a look cannot tell and thinking mode can. A thinking answer, once there is one, takes its place.',
        body: QueryBody,
        response: { 200: StartAnswer, ...failures(404) },
      },
    },
    (request) => start(request, 'fast'),
  );

  app.post(
    '/api/router/v2/query/stream',
    {
      config: { scope: 'write', idempotency: 'resumable', folderKeys: true, stream: true },
      schema: {
        operationId: 'streamQuery',
        tags: ['Analysis'],
        summary: 'Ask videos a question and follow the answer',
        description:
          'Starts one analysis per video and streams what happens in the same response. The analyses go on when the client leaves; a repeat with the same `Idempotency-Key`, or the events endpoint, takes the stream up again.',
        body: QueryBody,
        response: { 200: EVENT_STREAM, ...failures(404) },
      },
    },
    async (request, reply) => {
      const { stream_id } = await start(request, 'thinking');
      const after = lastEventId(request, undefined);
      return sendEvents(request, reply, await batches.follow(request.caller, stream_id, after, request.gone));
    },
  );

  app.get(
    '/api/router/v2/query/events/:stream_id',
    {
      config: { scope: 'read', folderKeys: true, stream: true },
      schema: {
        operationId: 'followQuery',
        tags: ['Analysis'],
        summary: 'Follow a query',
        description:
          'Streams the events of a query: those after `last_id`, then what comes, until the query has ended.',
        params: StreamParams,
        querystring: StreamQuery,
        response: { 200: EVENT_STREAM, ...failures(404) },
      },
    },
    async (request, reply) => {
      const after = lastEventId(request, request.query.last_id);
      return sendEvents(
        request,
        reply,
        await batches.follow(request.caller, request.params.stream_id, after, request.gone),
      );
    },
  );

  app.get(
    '/api/batch/:batch_id/status',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getBatchStatus',
        tags: ['Batches'],
        summary: 'Get the status of a batch',
        description:
          'Says how many analyses have ended, and how each stands. What is counted as completed can be read.',
        params: BatchParams,
        querystring: BatchQuery,
        response: { 200: BatchAnswer, ...failures(404) },
      },
    },
    async ({ caller, params, query }) =>
      answer(await batches.get(caller, params.batch_id, query.include_videos ?? true)),
  );

  app.post(
    '/api/batch/:batch_id/analyses/bulk',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getBatchAnalyses',
        tags: ['Batches'],
        summary: 'Get analysis documents in bulk',
        description: 'Returns the documents of up to 500 videos of a batch in one answer.',
        params: BatchParams,
        querystring: BulkQuery,
        body: BulkBody,
        response: { 200: BulkAnswer, ...failures(404) },
      },
    },
    async ({ caller, params, query, body }, reply) =>
      jsonText(reply, await batches.bulk(caller, params.batch_id, body.video_ids, query.include_source_uri ?? false)),
  );

  app.post(
    '/api/batch/:batch_id/metadata',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'annotateBatch',
        tags: ['Batches'],
        summary: 'Note something on a batch',
        description: 'Adds names and values to a batch of your own; those that are there are replaced, others stay.',
        params: BatchParams,
        body: NotesBody,
        response: { 200: NotesAnswer, ...failures(404) },
      },
    },
    async ({ caller, params, body }) => {
      const metadata = await batches.annotate(caller, params.batch_id, body.metadata);
      return { success: true, batch_id: params.batch_id, metadata };
    },
  );

  app.post(
    '/api/batch/:batch_id/filter_batch',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'filterBatch',
        tags: ['Batches'],
        summary: 'Get the events of a batch by approval',
        description: 'Returns the results that have events in the named states of approval, with those events alone.',
        params: BatchParams,
        body: FilterBody,
        response: { 200: ResultsAnswer, ...failures(404) },
      },
    },
    async ({ caller, params, body }) => {
      const { batch, results } = await batches.results(caller, params.batch_id);
      return { batch_metadata: describe(batch), results: filterResults(results, body.filter ?? null) };
    },
  );

  app.post(
    '/api/batch/:batch_id/sort_edge_cases',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'sortBatch',
        tags: ['Batches'],
        summary: 'Get the events of a batch, rarest first',
        description:
          'Returns all results. Each event says how rare its kind is in the batch, as `uniqueness_rating` from 0 to 1 with `uniqueness_reasoning`; the rarest come first, and of equally rare ones the most certain.',
        params: BatchParams,
        response: { 200: ResultsAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) => {
      const { batch, results } = await batches.results(caller, params.batch_id);
      return { batch_metadata: describe(batch), results: sortByRarity(results) };
    },
  );

  /** Starts a query once per `Idempotency-Key`: the answer is remembered in the transaction that makes the batch. */
  async function start(request: FastifyRequest, mode: Mode): Promise<StartAnswer> {
    if (request.remembered !== null) return JSON.parse(request.remembered) as StartAnswer;
    const remember = (made: StartAnswer, trx: Transaction) => request.remember(JSON.stringify(made), trx);
    return batches.start(request.caller, request.body as QueryBody, { mode, remember });
  }
}

function describe(batch: Omit<Batch, 'analyses'>) {
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

function answer(batch: Batch) {
  const config = batch.config as { mode: Mode };
  return {
    batch_id: batch.id,
    status: batch.status,
    aggregated_progress: { total: batch.total, completed: batch.completed, failed: batch.failed },
    videos: batch.analyses.map((each) => ({
      video_id: each.videoId,
      analysis_id: each.analysisId,
      status: each.status.toLowerCase(),
      progress: Math.round(each.progress * 10) / 10,
      stage: each.status === 'PROCESSING' ? (each.stage ?? 'waiting') : null,
      last_error: each.problemMessage,
    })),
    config,
    query: batch.query,
    mode: config.mode,
    stream_id: batch.streamId,
    metadata: batch.metadata as Record<string, unknown>,
    review_status: null,
    review_status_updated_at: null,
    created_at: batch.createdAt.toISOString(),
    completed_at: batch.completedAt?.toISOString() ?? null,
  };
}
