import type { Client } from 'openapi-fetch';
import type { operations, paths } from '../api.generated.ts';
import { errorOf, SightlineError } from '../errors.ts';
import type {
  Dataset,
  DatasetChange,
  DatasetRequest,
  DatasetVersion,
  DatasetVersionRequest,
  DeletedDataset,
} from '../resources.generated.ts';
import type { Settle, SettleOptions } from '../settle.ts';

export type DatasetDownloadOptions = NonNullable<operations['downloadDataset']['parameters']['query']> & {
  /** Number of a version. */
  version?: number;
  signal?: AbortSignal;
};

/** Curated datasets: named sets of batches, videos and clips. */
export interface DatasetOperations {
  /**
   * Creates a dataset and waits until its batches have ended. Aborting stops waiting; the dataset stays. A dataset of
   * which a batch was deleted is returned, too: see its `status` and `failed_batches`.
   */
  createDataset(request: DatasetRequest, options?: SettleOptions<Dataset>): Promise<Dataset>;
  /** Yields your datasets (`user`, the default) or those that are shared (`org`), newest first. */
  datasets(scope?: 'user' | 'org', options?: { signal?: AbortSignal }): AsyncGenerator<Dataset>;
  /** Renames a dataset, or adds and removes batches, videos and clips. */
  changeDataset(datasetId: string, change: DatasetChange): Promise<Dataset>;
  /** Deletes a dataset. Its batches and videos stay. */
  deleteDataset(datasetId: string): Promise<DeletedDataset>;
  /**
   * Streams a dataset as JSON (`DatasetFile`) with the verdicts of this moment, or one of its versions
   * (`DatasetVersionFile`), for which `approval` and splits are ignored. Throws a `SightlineError` while one of its
   * batches is processed, or until the version is ready.
   */
  downloadDataset(datasetId: string, options?: DatasetDownloadOptions): Promise<ReadableStream<Uint8Array>>;
  /**
   * Freezes a version of a dataset and waits until it is `ready` or `failed`. Aborting stops waiting, and the version
   * stays. `api` lists and deletes versions.
   */
  freezeDataset(
    datasetId: string,
    request?: DatasetVersionRequest,
    options?: SettleOptions<DatasetVersion>,
  ): Promise<DatasetVersion>;
}

const PAGE = 100;
const VERSIONS = '/api/datasets/{dataset_id}/versions';

/** `fetch` opens the signed URL of a download, without a key. */
export function createDatasetOperations(
  api: Client<paths>,
  fetch: typeof globalThis.fetch,
  settled: Settle,
): DatasetOperations {
  return {
    async createDataset(request, options = {}) {
      const { signal } = options;
      const { id } = (await api.POST('/api/data-curation/datasets', { body: request, signal })).data!;
      const params = { path: { dataset_id: id } };
      const state = async () => (await api.GET('/api/data-curation/datasets/{dataset_id}', { params, signal })).data!;
      return settled(state, ({ status }) => status !== 'processing', options);
    },

    async *datasets(scope = 'user', { signal } = {}) {
      for (let before: string | undefined; ; ) {
        const body = { scope, before, limit: PAGE };
        const page: Dataset[] = (await api.POST('/api/data-curation/datasets/list', { body, signal })).data!;
        yield* page;
        if (page.length < PAGE) return;
        before = page.at(-1)!.id;
      }
    },

    async changeDataset(dataset_id, change) {
      const request = { params: { path: { dataset_id } }, body: change };
      return (await api.PATCH('/api/data-curation/datasets/{dataset_id}', request)).data!;
    },

    async deleteDataset(dataset_id) {
      const params = { path: { dataset_id } };
      return (await api.DELETE('/api/data-curation/datasets/{dataset_id}', { params })).data!;
    },

    async downloadDataset(dataset_id, { signal, version, ...query } = {}) {
      const path = { dataset_id };
      const { data } =
        version === undefined
          ? await api.GET('/api/data-curation/datasets/{dataset_id}/download', { params: { path, query }, signal })
          : await api.GET(`${VERSIONS}/{version}/download`, { params: { path: { dataset_id, version } }, signal });
      const { download_url } = data!;
      if (!download_url) throw new SightlineError(409, { message: 'The dataset is still processed.' });
      const response = await fetch(download_url, { signal });
      if (response.ok && response.body) return response.body;
      throw await errorOf(response);
    },

    async freezeDataset(dataset_id, request = {}, options = {}) {
      const { signal } = options;
      const { number } = (await api.POST(VERSIONS, { params: { path: { dataset_id } }, body: request, signal })).data!;
      const params = { path: { dataset_id, version: number } };
      const state = async () => (await api.GET(`${VERSIONS}/{version}`, { params, signal })).data!;
      return settled(state, ({ status }) => status !== 'processing', options);
    },
  };
}
