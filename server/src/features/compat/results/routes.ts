import { AnalysisParams } from '#features/analyses/index';
import { BatchParams, summarizeBatch } from '#features/batches/index';
import { type App, jsonText, routes } from '#platform/http/index';
import { filterResults, sortByRarity } from './results.ts';
import { AnalysisThumbnails, BatchResults, FilterBatchBody } from './schema.ts';
import type { Results } from './service.ts';

export function resultsRoutes(app: App, results: Results): void {
  const route = routes(app, { tag: 'Older clients', scope: 'read', folderKeys: true });

  route.post(
    '/api/batch/:batch_id/filter_batch',
    {
      id: 'filterBatch',
      scope: 'read',
      summary: 'Get the events of a batch by approval',
      description: 'Returns the results that have events in the given approval states, limited to those events.',
      params: BatchParams,
      body: FilterBatchBody,
      response: BatchResults,
      errors: [404],
    },
    async ({ caller, params, body }) => {
      const { batch, results: all } = await results.ofBatch(caller, params.batchId);
      return { batchMetadata: summarizeBatch(batch), results: filterResults(all, body.filter ?? null) };
    },
  );

  route.post(
    '/api/batch/:batch_id/sort_edge_cases',
    {
      id: 'sortBatch',
      scope: 'read',
      summary: 'Get the events of a batch, rarest first',
      description:
        'Returns all results. `uniqueness_rating` of an event, from 0 to 1, states how rare its kind is in the batch, and `uniqueness_reasoning` explains it. The rarest events are first, equal ones by confidence.',
      params: BatchParams,
      response: BatchResults,
      errors: [404],
    },
    async ({ caller, params }) => {
      const { batch, results: all } = await results.ofBatch(caller, params.batchId);
      return { batchMetadata: summarizeBatch(batch), results: sortByRarity(all) };
    },
  );

  route.post(
    '/api/videos/:video_id/analyses/:analysis_id/generate-thumbnails',
    {
      id: 'getAnalysisThumbnails',
      // Nothing is written: images are drawn when they are fetched.
      scope: 'read',
      summary: 'Get the images of an analysis',
      description:
        'Returns the events with the signed URL of an image each. Images are drawn when they are fetched, so this request changes nothing and can be repeated.',
      params: AnalysisParams,
      response: AnalysisThumbnails,
      errors: [404, 409],
    },
    async ({ caller, params }, reply) => {
      const events = await results.thumbnails(caller, params.videoId, params.analysisId);
      return jsonText(reply, JSON.stringify({ events }));
    },
  );
}
