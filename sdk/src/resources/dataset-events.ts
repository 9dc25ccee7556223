import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import type {
  DatasetFacetRows,
  DatasetFilteredEvents,
  DatasetFilterRequest,
  DatasetFilterSchema,
  DatasetSearchRequest,
  DatasetSearchResult,
  TaxonomyRequest,
  TaxonomyStatus,
} from '../resources.generated.ts';
import type { Settle, SettleOptions } from '../settle.ts';

export type DatasetEvent = DatasetFilteredEvents['events'][number];
export type DatasetFilter = DatasetFilterRequest['where'];
/** A combination of values, null for none, and the number of events that have it. */
export type DatasetCoverage = { values: Record<string, string | null>; events: number };

/** Explores the events of datasets. */
export interface DatasetEventOperations {
  /** Fields that filters of a dataset can name. */
  datasetFields(datasetId: string): Promise<DatasetFilterSchema['fields']>;
  /** Yields the events of a dataset that match, ordered by video and start. */
  datasetEvents(
    datasetId: string,
    where: DatasetFilter,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<DatasetEvent>;
  /** The events of a dataset that match a query in plain words, the best first. */
  searchDataset(
    datasetId: string,
    query: string,
    options?: { where?: DatasetFilter; limit?: number; signal?: AbortSignal },
  ): Promise<DatasetSearchResult>;
  /**
   * Counts the events of a dataset by combinations of values of these fields; default: all that have fixed values. An
   * event with several values of a field counts for each. The most frequent come first; what is absent has no events.
   */
  datasetCoverage(
    datasetId: string,
    fields?: readonly string[],
    options?: { signal?: AbortSignal },
  ): Promise<DatasetCoverage[]>;
  /** Classifies the events of a dataset by new fields, and waits until that has ended; see its `status` and `error`. */
  classifyDataset(
    datasetId: string,
    taxonomy: TaxonomyRequest,
    options?: SettleOptions<TaxonomyStatus>,
  ): Promise<TaxonomyStatus>;
}

const PAGE = 500;

export function createDatasetEventOperations(api: Client<paths>, settled: Settle): DatasetEventOperations {
  return {
    async datasetFields(dataset_id) {
      const path = '/api/marketplace/datasets/{dataset_id}/structured-filter-schema';
      return (await api.GET(path, { params: { path: { dataset_id } } })).data!.fields;
    },

    async *datasetEvents(dataset_id, where, { signal } = {}) {
      const path = '/api/marketplace/datasets/{dataset_id}/filter-events';
      for (let offset: number | null = 0; offset !== null; ) {
        const request = { params: { path: { dataset_id } }, body: { where, offset, limit: PAGE }, signal };
        const page: DatasetFilteredEvents = (await api.POST(path, request)).data!;
        yield* page.events;
        offset = page.next_offset;
      }
    },

    async searchDataset(dataset_id, query, { where, limit, signal } = {}) {
      const body: DatasetSearchRequest = { query, structured_where: where, top_k: limit };
      const path = '/api/marketplace/datasets/{dataset_id}/semantic-search';
      return (await api.POST(path, { params: { path: { dataset_id } }, body, signal })).data!;
    },

    async datasetCoverage(dataset_id, fields, { signal } = {}) {
      const path = '/api/marketplace/datasets/{dataset_id}/facet-rows';
      return count((await api.GET(path, { params: { path: { dataset_id } }, signal })).data!, fields);
    },

    async classifyDataset(dataset_id, taxonomy, options = {}) {
      const { signal } = options;
      const request = { params: { path: { dataset_id } }, body: taxonomy, signal };
      const started = (await api.POST('/api/marketplace/datasets/{dataset_id}/taxonomy', request)).data!;
      const run_id = started.fast_taxonomy.sub_batch_id;
      const path = '/api/marketplace/datasets/{dataset_id}/taxonomy/{run_id}/status';
      const state = async () => (await api.GET(path, { params: { path: { dataset_id, run_id } }, signal })).data!;
      return settled(state, ({ status }) => status !== 'processing', options);
    },
  };
}

function count(
  { fields, rows }: DatasetFacetRows,
  names: readonly string[] = fields.map(({ name }) => name),
): DatasetCoverage[] {
  const columns = names.map((name) => fields.findIndex((field) => field.name === name));
  const unknown = names.filter((_, i) => columns[i]! < 0);
  if (unknown.length > 0) {
    const known = fields.map(({ name }) => name).join(', ') || 'none';
    throw new Error(`The dataset has no field with fixed values named ${unknown.join(', ')}. It has: ${known}.`);
  }
  const counts = new Map<string, DatasetCoverage>();
  for (const row of names.length > 0 ? rows : []) {
    for (const cells of combinations(columns.map((column) => [row[column]!].flat()))) {
      const key = cells.join();
      const values = names.map((name, i) => [name, fields[columns[i]!]!.values[cells[i]!] ?? null]);
      const known = counts.get(key) ?? { values: Object.fromEntries(values), events: 0 };
      counts.set(key, { ...known, events: known.events + 1 });
    }
  }
  return [...counts.values()].sort((a, b) => b.events - a.events);
}

const ABSENT = [-1];

/** Every choice of one cell from each list. */
const combinations = (lists: readonly number[][]): number[][] =>
  lists.reduce<number[][]>(
    (chosen, cells) => chosen.flatMap((each) => (cells.length > 0 ? cells : ABSENT).map((cell) => [...each, cell])),
    [[]],
  );
