import { type App, routes } from '#platform/http/index';
import { DatasetParams } from '../schema.ts';
import {
  DatasetSearchRequest,
  DatasetSearchResult,
  FacetRowsResource,
  FilteredEvents,
  FilterRequest,
} from './event-schema.ts';
import {
  FilterSchema,
  StartedTaxonomy,
  TaxonomyParams,
  TaxonomyRequest,
  TaxonomyStatus,
  TaxonomyStatusQuery,
} from './schema.ts';
import type { DatasetEvents, FoundEvent } from './service.ts';
import type { Taxonomy } from './types.ts';

const PATH = '/api/marketplace/datasets/:dataset_id';
const DEFAULTS = { page: 100, matches: 50 };

export function datasetEventsRoutes(app: App, datasetEvents: DatasetEvents): void {
  const route = routes(app, { tag: 'Datasets', scope: 'read' });

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
    async ({ caller, params }) => ({ fields: await datasetEvents.filterFields(caller, params.datasetId) }),
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
      const { events, ...rest } = await datasetEvents.filter(caller, params.datasetId, where, page);
      return { ...rest, events: events.map(toEventResource) };
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
      const found = await datasetEvents.search(caller, params.datasetId, request, disconnected);
      const { events, total, ranking, degraded: rankingDegraded } = found;
      return { events: events.map(toEventResource), total, indexStatus: 'ready', ranking, rankingDegraded };
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
      const { fields, rows, events, isTruncated } = await datasetEvents.facets(caller, params.datasetId);
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
      const { id, status } = await datasetEvents.addTaxonomy(caller, datasetId, { label: label ?? null, fields });
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
      return toTaxonomyStatus(await datasetEvents.taxonomy(caller, params.datasetId, params.runId, options));
    },
  );
}

/** An event as responses of this room have it. */
export const toEventResource = ({ label, startS, endS, fieldValues, reason, ...event }: FoundEvent) => ({
  ...event,
  description: label,
  startTime: startS,
  endTime: endS,
  values: fieldValues,
  matchReason: reason,
});

export const toTaxonomyStatus = ({ fields, reason, ...taxonomy }: Taxonomy) => ({
  ...taxonomy,
  error: reason,
  completedFields: taxonomy.status === 'done' ? fields.map(({ name }) => name) : [],
  totalFields: fields.length,
});
