import { type App, jsonText, routes } from '#platform/http/index';
import { BatchDocuments, BatchDocumentsBody, BatchDocumentsQuery } from './documents-schema.ts';
import { BatchList, BatchListQuery } from './list-schema.ts';
import { queryRoutes } from './query-routes.ts';
import {
  BatchMetadataBody,
  BatchMetadataResource,
  BatchParams,
  BatchQuery,
  BatchResource,
  StartedQuery,
} from './schema.ts';
import type { Batches, BatchWithAnalyses, QueryMode } from './service-types.ts';
import { startOnce } from './start-once.ts';

export function batchesRoutes(app: App, batches: Batches): void {
  queryRoutes(app, batches);
  const route = routes(app, { tag: 'Batches', scope: 'read' });

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
    (request) =>
      startOnce(request, (saveReference) => batches.retry(request.caller, request.params.batchId, { saveReference })),
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
}

function toBatchResource(batch: BatchWithAnalyses) {
  const config = batch.config as { mode: QueryMode };
  return {
    batchId: batch.id,
    status: batch.status,
    aggregatedProgress: { total: batch.total, completed: batch.completed, failed: batch.failed },
    eventCount: batch.eventCount,
    answer: batch.answer,
    answerEventId: batch.answerEventId,
    ...(batch.selection ? { selection: batch.selection } : {}),
    videos: batch.analyses.map((each) => ({
      videoId: each.videoId,
      analysisId: each.analysisId,
      status: each.status.toLowerCase(),
      progress: Math.round(each.progress * 10) / 10,
      stage: each.status === 'PROCESSING' ? (each.stage ?? 'waiting') : null,
      lastError: each.problemMessage,
      missed: each.missed,
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
