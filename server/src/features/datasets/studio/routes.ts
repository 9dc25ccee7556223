import { type App, routes } from '#platform/http/index';
import { problems } from '../problems.ts';
import { DatasetParams } from '../schema.ts';
import {
  CriteriaRequest,
  DatasetSearchRequest,
  DatasetSearchResult,
  FacetRowsResource,
  FilteredEvents,
  FilterRequest,
  ResolvedCriteria,
} from './event-schema.ts';
import {
  FilterSchema,
  StartedTaxonomy,
  StudioDatasetList,
  StudioDatasetRequest,
  StudioDatasetResource,
  TaxonomyParams,
  TaxonomyRequest,
  TaxonomyStatus,
  TaxonomyStatusQuery,
} from './schema.ts';
import type { FoundEvent, Studio, StudioDataset } from './service.ts';
import type { Taxonomy } from './types.ts';

/** Paths of the published client, whose own datasets these are too. */
const PATH = '/api/marketplace/datasets/:dataset_id';
const DEFAULTS = { page: 100, matches: 50 };
const MAX_SELECTED = 5_000;

export function studioRoutes(app: App, studio: Studio): void {
  const route = routes(app, { tag: 'Datasets', scope: 'read' });

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

  route.get(
    `${PATH}/structured-filter-schema`,
    {
      id: 'getStudioFilterSchema',
      summary: 'List the fields of a dataset',
      description: 'Lists the fields that a filter can name.',
      params: DatasetParams,
      response: FilterSchema,
      errors: [404],
    },
    async ({ caller, params }) => ({ fields: await studio.filterFields(caller, params.datasetId) }),
  );

  route.post(
    `${PATH}/filter-events`,
    {
      id: 'filterStudioDataset',
      scope: 'read',
      summary: 'Filter the events of a dataset',
      description: 'Returns events by the values of their fields, ordered by video and start.',
      params: DatasetParams,
      body: FilterRequest,
      response: FilteredEvents,
      errors: [404],
    },
    async ({ caller, params, body: { where, offset, limit } }) => {
      const page = { offset: offset ?? 0, limit: limit ?? DEFAULTS.page };
      const { events, ...rest } = await studio.filter(caller, params.datasetId, where, page);
      return { ...rest, events: events.map(toEvent) };
    },
  );

  route.post(
    `${PATH}/semantic-search`,
    {
      id: 'searchStudioDataset',
      scope: 'read',
      summary: 'Search the events of a dataset',
      description: 'Returns the events that match a query in plain words, the best first.',
      params: DatasetParams,
      body: DatasetSearchRequest,
      response: DatasetSearchResult,
      errors: [404],
    },
    async ({ caller, params, body: { query, topK, structuredWhere }, disconnected }) => {
      const request = { query, limit: topK ?? DEFAULTS.matches, where: structuredWhere ?? null };
      const found = await studio.search(caller, params.datasetId, request, disconnected);
      const { events, total, ranking, degraded: rankingDegraded } = found;
      return { events: events.map(toEvent), total, indexStatus: 'ready', ranking, rankingDegraded };
    },
  );

  route.post(
    `${PATH}/resolve-criteria`,
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
      const request = { query, limit: MAX_SELECTED, where: null };
      const found = await studio.search(caller, params.datasetId, request, disconnected);
      const { events, total, ranking, degraded: rankingDegraded } = found;
      const least = (minMatchPct ?? 0) / 100;
      return {
        events: events.filter(({ score }) => (score ?? 0) >= least).map(toEvent),
        ranking,
        rankingDegraded,
        truncated: total >= MAX_SELECTED,
      };
    },
  );

  route.get(
    `${PATH}/facet-rows`,
    {
      id: 'getStudioFacets',
      summary: 'List the values of the events of a dataset',
      description:
        'Lists the values that each event has in the fields of the taxonomies, for counting which combinations there are.',
      params: DatasetParams,
      response: FacetRowsResource,
      errors: [404],
    },
    async ({ caller, params }) => {
      const { fields, rows, events, isTruncated } = await studio.facets(caller, params.datasetId);
      const eventRefs = events.map(({ eventId, videoId, batchId }) => ({ eventId, videoId, batchId }));
      return { available: fields.length > 0, fields, rows, eventRefs, truncated: isTruncated };
    },
  );

  route.post(
    `${PATH}/taxonomy`,
    {
      id: 'addStudioTaxonomy',
      summary: 'Classify the events of a dataset',
      description:
        'Adds fields to your dataset and fills them for its events: from measurements, and by a vision-language model if one is configured. Values are never guessed; a field of which no event has a value fails with the reason.',
      params: DatasetParams,
      body: TaxonomyRequest,
      response: StartedTaxonomy,
      errors: [404, 409],
    },
    async ({ caller, params: { datasetId }, body: { label, fields } }) => {
      const { id, status } = await studio.addTaxonomy(caller, datasetId, { label: label ?? null, fields });
      return { status, datasetId, fastTaxonomy: { subBatchId: id! } };
    },
  );

  route.get(
    `${PATH}/taxonomy/:run_id/status`,
    {
      id: 'getStudioTaxonomy',
      summary: 'Get the state of a taxonomy',
      description: 'Returns the progress, and waits for the end if requested.',
      params: TaxonomyParams,
      query: TaxonomyStatusQuery,
      response: TaxonomyStatus,
      errors: [404],
    },
    async ({ caller, params, query: { waitS }, disconnected: signal }) => {
      const options = { waitS: waitS ?? 0, signal };
      return toStatus(await studio.taxonomy(caller, params.datasetId, params.runId, options));
    },
  );

  route.post(
    `${PATH}/taxonomy/:run_id/materialize`,
    {
      id: 'publishStudioTaxonomy',
      scope: 'read',
      summary: 'Publish a taxonomy',
      description: 'Sent by existing clients after the end: values can be used as soon as they are filled.',
      params: TaxonomyParams,
      response: TaxonomyStatus,
      errors: [404, 409],
    },
    async ({ caller, params, disconnected: signal }) => {
      const taxonomy = await studio.taxonomy(caller, params.datasetId, params.runId, { waitS: 0, signal });
      if (taxonomy.status === 'processing') throw problems.taxonomy_processing();
      return toStatus(taxonomy);
    },
  );
}

const toEvent = ({ label, startS, endS, fieldValues, reason, ...event }: FoundEvent) => ({
  ...event,
  description: label,
  startTime: startS,
  endTime: endS,
  values: fieldValues,
  matchReason: reason,
});

const toStatus = ({ fields, reason, ...taxonomy }: Taxonomy) => ({
  ...taxonomy,
  error: reason,
  completedFields: taxonomy.status === 'done' ? fields.map(({ name }) => name) : [],
  totalFields: fields.length,
});

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
