import type { UrlTokens } from '#features/keys/index';
import { canManage } from '#platform/access/index';
import type { Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { problems } from '../problems.ts';
import { checkShares, type Datasets } from '../service.ts';
import type { SplitShares } from '../splits.ts';
import { lockDataset } from '../store.ts';
import type { DatasetWithState } from '../types.ts';
import { type FreezeDeps, freezeContents } from './freeze.ts';
import { failVersion, freezeVersion } from './jobs.ts';
import * as store from './store.ts';
import type { DatasetVersionState, VersionFilter } from './types.ts';
import { versionJson } from './version-json.ts';

export type NewDatasetVersion = { name: string | null; filter: VersionFilter; splits: SplitShares | null };

/** Frozen versions of datasets. Functions with a caller throw the problems of `Datasets.get`. */
export interface DatasetVersions {
  /**
   * Starts to freeze a dataset of the caller. Throws `dataset_shares_invalid` (400), `dataset_processing` or
   * `dataset_versions_full` (409).
   */
  create(caller: Caller, datasetId: string, version: NewDatasetVersion): Promise<DatasetVersionState>;
  /** Versions of a dataset, newest first. */
  list(caller: Caller, datasetId: string): Promise<DatasetVersionState[]>;
  /** Throws `dataset_version_not_found` (404). */
  get(caller: Caller, datasetId: string, number: number): Promise<DatasetVersionState>;
  /** Deletes a version of a dataset of the caller. Throws as `get` does. */
  remove(caller: Caller, datasetId: string, number: number): Promise<void>;
  /** Signed URL of the file; null until the version is ready. Throws as `get` does. */
  sign(caller: Caller, datasetId: string, number: number): Promise<string | null>;
  /**
   * The file behind a signed URL as JSON text in chunks. Throws `dataset_token_invalid` (403) or
   * `dataset_version_not_found` (404).
   */
  open(datasetId: string, number: number, token: string): Promise<{ filename: string; json: AsyncIterable<string> }>;
  /** Handler of a domain event of the videos room; `compose.ts` subscribes it. */
  onVideoErased(trx: Transaction, event: { videoId: string }): Promise<void>;
  /** Registers the job handlers. */
  registerJobs(): void;
}

const MAX_VERSIONS = 100;
const URL_MS = 24 * 3600 * 1000;
const PURPOSE = 'dataset-version';

type VersionsDeps = FreezeDeps & {
  datasets: Pick<Datasets, 'get'>;
  jobs: Jobs;
  urlTokens: UrlTokens;
  /** Public URL of the API, without a trailing slash. */
  publicUrl: string;
};

export function createDatasetVersions(deps: VersionsDeps): DatasetVersions {
  const { database, datasets, jobs, urlTokens, publicUrl } = deps;
  const { db } = database;

  async function find(datasetId: string, number: number): Promise<DatasetVersionState> {
    const [version] = await store.findVersions(db, { datasetId, number });
    if (!version) throw problems.dataset_version_not_found();
    return version;
  }

  async function requireManageable(caller: Caller, datasetId: string): Promise<DatasetWithState> {
    const dataset = await datasets.get(caller, datasetId);
    if (!canManage(caller, dataset)) throw problems.dataset_forbidden();
    return dataset;
  }

  const versions: DatasetVersions = {
    async create(caller, datasetId, { name, filter, splits }) {
      checkShares(splits);
      const { status } = await requireManageable(caller, datasetId);
      if (status === 'processing') throw problems.dataset_processing();
      const id = newId();
      return database.transaction(async (trx) => {
        const dataset = await lockDataset(trx, datasetId);
        if (!dataset) throw problems.dataset_not_found();
        if ((await store.countVersions(trx, datasetId)) >= MAX_VERSIONS) throw problems.dataset_versions_full();
        const version = { id, datasetId, name, createdBy: caller.userId, filter, splits };
        await store.insertVersion(trx, version);
        await jobs.send(trx, freezeVersion, { versionId: id }, { orgId: caller.orgId });
        return (await store.findVersions(trx, { id }))[0]!;
      });
    },

    async list(caller, datasetId) {
      await datasets.get(caller, datasetId);
      return store.findVersions(db, { datasetId });
    },

    async get(caller, datasetId, number) {
      await datasets.get(caller, datasetId);
      return find(datasetId, number);
    },

    async remove(caller, datasetId, number) {
      await requireManageable(caller, datasetId);
      const { id } = await find(datasetId, number);
      await database.transaction((trx) => store.deleteVersion(trx, id));
    },

    async sign(caller, datasetId, number) {
      const { id, status } = await versions.get(caller, datasetId, number);
      if (status !== 'ready') return null;
      const token = urlTokens.sign(PURPOSE, id, new Date(Date.now() + URL_MS), caller);
      return `${publicUrl}/api/datasets/${datasetId}/versions/${number}/file?token=${token}`;
    },

    async open(datasetId, number, token) {
      const [version] = await store.findVersions(db, { datasetId, number });
      if (!version || (await urlTokens.verify(PURPOSE, version.id, token)) !== 'ok')
        throw problems.dataset_token_invalid();
      const head = await store.findHead(db, version.id);
      if (!head) throw problems.dataset_version_not_found();
      return { filename: `${version.name}.json`, json: versionJson(version, head, store.streamRows(db, version.id)) };
    },

    onVideoErased: (trx, { videoId }) => store.deleteRowsOfVideo(trx, videoId),

    registerJobs() {
      jobs.handle(freezeVersion, ({ versionId }, { signal }) => freezeContents(deps, versionId, signal));
      jobs.handle(failVersion, ({ versionId }) => store.endVersion(db, versionId, { status: 'failed' }));
    },
  };
  return versions;
}
