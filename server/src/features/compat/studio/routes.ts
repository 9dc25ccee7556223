import {
  DatasetParams,
  TaxonomyParams,
  TaxonomyStatus,
  toEventResource,
  toTaxonomyStatus,
} from '#features/datasets/index';
import { type App, routes } from '#platform/http/index';
import {
  CriteriaRequest,
  ResolvedCriteria,
  StudioDatasetList,
  StudioDatasetRequest,
  StudioDatasetResource,
} from './schema.ts';
import type { Studio, StudioDataset } from './service.ts';

export function studioRoutes(app: App, studio: Studio): void {
  const route = routes(app, { tag: 'Older clients', scope: 'read' });

  route.post(
    '/api/datasets',
    {
      id: 'createStudioDataset',
      summary: 'Create a dataset of batches or folders',
      description:
        'Creates a dataset whose events are explored. Fields that its queries requested with `output_schema` are its first taxonomy.',
      body: StudioDatasetRequest,
      response: StudioDatasetResource,
      errors: [404],
    },
    async ({ caller, body: { title, description, vertical, batchIds, folderIds } }) =>
      toResource(
        await studio.create(caller, {
          title,
          description: description ?? null,
          vertical: vertical ?? null,
          batchIds: batchIds ?? [],
          folderIds: folderIds ?? [],
        }),
      ),
  );

  route.get(
    '/api/datasets/mine',
    {
      id: 'listStudioDatasets',
      summary: 'List your datasets with their fields',
      description: 'Lists the datasets that you created, newest first.',
      response: StudioDatasetList,
    },
    async ({ caller }) => ({ datasets: (await studio.listOwn(caller)).map(toResource) }),
  );

  route.get(
    '/api/public/datasets/:dataset_id',
    {
      id: 'getStudioDataset',
      summary: 'Get a dataset with its fields',
      description: 'Returns a dataset that you may read, with the fields by which its events are classified.',
      params: DatasetParams,
      response: StudioDatasetResource,
      errors: [404],
    },
    async ({ caller, params }) => toResource(await studio.get(caller, params.datasetId)),
  );

  route.post(
    '/api/marketplace/datasets/:dataset_id/resolve-criteria',
    {
      id: 'resolveStudioCriteria',
      scope: 'read',
      summary: 'Select events of a dataset by a query',
      description: 'Returns all events that match a query in plain words.',
      params: DatasetParams,
      body: CriteriaRequest,
      response: ResolvedCriteria,
      errors: [404],
    },
    async ({ caller, params, body: { query, minMatchPct }, disconnected }) => {
      const request = { query, minShare: (minMatchPct ?? 0) / 100 };
      const selected = await studio.select(caller, params.datasetId, request, disconnected);
      const { events, ranking, degraded: rankingDegraded, isTruncated: truncated } = selected;
      return { events: events.map(toEventResource), ranking, rankingDegraded, truncated };
    },
  );

  route.post(
    '/api/marketplace/datasets/:dataset_id/taxonomy/:run_id/materialize',
    {
      id: 'publishStudioTaxonomy',
      scope: 'read',
      summary: 'Publish a taxonomy',
      description: 'Sent by existing clients after the end: values can be used as soon as they are filled.',
      params: TaxonomyParams,
      response: TaxonomyStatus,
      errors: [404, 409],
    },
    async ({ caller, params, disconnected }) =>
      toTaxonomyStatus(await studio.publishTaxonomy(caller, params.datasetId, params.runId, disconnected)),
  );
}

const toResource = ({ name, searchDescription, totals, batchIds, taxonomies, ...dataset }: StudioDataset) => ({
  ...dataset,
  title: name,
  description: searchDescription,
  stats: { videoCount: totals.videoCount, eventCount: totals.eventCounts.total },
  outputSchemas: taxonomies.map(({ id, label, fields, reason, ...taxonomy }) => ({
    ...taxonomy,
    taxonomyId: id,
    source: id === null ? 'batch' : 'manual',
    error: reason,
    schema: { label, fields },
  })),
  buckets: batchIds.map((id) => ({ subBatchId: id })),
});
