import { type Integrations, type ProviderName, toProvider } from '#features/integrations/index';
import { canRead } from '#platform/access/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import { cancelRows, listObjects } from '../background-jobs.ts';
import { kindForKey } from '../object-kinds.ts';
import { problems } from '../problems.ts';
import { withDefaultPrefix } from '../request.ts';
import type { ObjectSelection } from '../selection.ts';
import type { BucketRequest, SourceBuckets } from '../source-bucket.ts';
import type { TransferWorkers } from '../transfer/index.ts';
import * as rowStore from '../transfer/row-store.ts';
import type {
  ImportDestination,
  ImportJob,
  ImportRow,
  ImportRowsPage,
  ObjectKinds,
  Processing,
  RequestedObjects,
  StartedImport,
} from '../types.ts';
import type { createDirectoryStarter, RecordingsRequest } from './directory-starter.ts';
import type { ImportStarter } from './import-starter.ts';
import * as jobStore from './job-store.ts';
import { previewImport } from './preview.ts';

export type ImportJobsDeps = {
  database: Database;
  integrations: Pick<Integrations, 'requireUsable'>;
  jobs: Pick<Jobs, 'send'>;
  sources: Pick<SourceBuckets, 'withRequested'>;
  starter: Pick<ImportStarter, 'start'>;
  startDirectories: ReturnType<typeof createDirectoryStarter>;
  workers: Pick<TransferWorkers, 'start' | 'retryFailedRows'>;
  kinds: ObjectKinds;
};

/** Import jobs of the API: start, read, cancel and retry. */
export function createImportJobs(deps: ImportJobsDeps) {
  const { database, integrations, jobs, sources, starter, startDirectories, workers, kinds } = deps;
  const { db } = database;

  /** The job, if the caller may see it. Throws `import_not_found` (404) or `import_forbidden` (403). */
  async function get(caller: Caller, id: string): Promise<ImportJob> {
    const job = await jobStore.findJob(db, id);
    if (!job) throw problems.import_not_found(`There is no import job with the id ${id.slice(0, 64)}.`);
    if (!canRead(caller, job)) throw problems.import_forbidden();
    return job;
  }

  /** Counts the recordings of an import by directory that are not yet processed, or failed; null for other imports. */
  async function getProcessing({ id, format }: ImportJob): Promise<Processing | null> {
    if (format === null) return null;
    const ids = await rowStore.listRecordIds(db, id);
    const counts = await Promise.all(kinds.map((kind) => kind.countProcessing?.(ids) ?? { pending: 0, failed: 0 }));
    return counts.reduce((sum, each) => ({ pending: sum.pending + each.pending, failed: sum.failed + each.failed }));
  }

  /** The videos that the recordings among these rows became, by row. */
  async function listVideosOfRecordings(rows: readonly ImportRow[]): Promise<Map<string, string[]>> {
    const ofKinds = Map.groupBy(rows, ({ key }) => kindForKey(kinds, key));
    const found = await Promise.all(
      [...ofKinds].map(([kind, ofKind]) => kind.listVideos?.(ofKind.map(rowStore.toShownVideoId)) ?? new Map()),
    );
    return new Map(found.flatMap((videos) => [...videos]));
  }

  async function listViewsBySet(rows: ImportRow[]): Promise<Map<string, ImportRow[]>> {
    const views = await rowStore.listViews(
      db,
      rows.map(({ videoId }) => videoId),
    );
    return Map.groupBy(views, ({ setId }) => setId!);
  }

  return {
    get,
    getProcessing,

    /** Starts an import of recordings by directory. Throws as `createDirectoryStarter` does. */
    async startRecordings(caller: Caller, request: RecordingsRequest, signal: AbortSignal) {
      const { jobId, recordings } = await startDirectories(caller, request, signal);
      return { job: await get(caller, jobId), recordings };
    },

    /**
     * Starts an import. Objects that cannot be read become failed rows. Throws the reason if none can be read, and
     * `import_invalid` (400) for an invalid request.
     */
    async start(
      caller: Caller,
      request: BucketRequest,
      objects: RequestedObjects,
      destination: ImportDestination,
      signal: AbortSignal,
    ): Promise<StartedImport> {
      const { jobId, videoIds } = await starter.start(caller, request, objects, destination, signal);
      return { job: await get(caller, jobId), videoIds };
    },

    /** Provider of the bucket that an integration opens. Throws `integration_not_found` (404). */
    async getProvider(caller: Caller, integrationId: string | null): Promise<ProviderName> {
      if (!integrationId) throw problems.import_invalid('The field `integration_id` or `source` is required.');
      return toProvider((await integrations.requireUsable(caller, integrationId)).type);
    },

    /** Lists the objects that a selection would import, page by page from the cursor `from`. */
    preview: (
      caller: Caller,
      request: BucketRequest,
      selection: ObjectSelection | null,
      from: string | null,
      signal: AbortSignal,
    ) =>
      sources.withRequested(caller, request, (source) =>
        previewImport(source, kinds, withDefaultPrefix(selection, source), from, signal),
      ),

    /** Newest first. */
    async list(caller: Caller, after: string | null, limit: number): Promise<{ jobs: ImportJob[]; hasMore: boolean }> {
      const found = await jobStore.listJobs(db, { caller, after, limit: limit + 1 });
      return { jobs: found.slice(0, limit), hasMore: found.length > limit };
    },

    /** A page of a job's rows, in a stable order. Throws `import_cursor_invalid` or `import_invalid` (400). */
    async listRows(
      caller: Caller,
      id: string,
      { cursor, offset, limit }: { cursor: string | null; offset: number | null; limit: number },
    ): Promise<ImportRowsPage> {
      if (cursor !== null && offset !== null) {
        throw problems.import_invalid('The parameters `cursor` and `offset` exclude each other. Give one of them.');
      }
      const job = await get(caller, id);
      if (job.multiView && offset !== null) {
        throw problems.import_invalid('An import of sets does not support `offset`. Use `cursor` instead.');
      }
      const from = cursor === null ? { offset: offset ?? 0 } : { cursor };
      const { rows: found, total } = await rowStore.listRows(db, id, from, limit + 1);
      if (found.length === 0 && cursor !== null && !(await rowStore.hasRow(db, id, cursor))) {
        throw problems.import_cursor_invalid();
      }
      const rows = found.slice(0, limit);
      const sets = job.multiView ? await listViewsBySet(rows) : null;
      const videos = await listVideosOfRecordings(rows);
      return {
        job: { ...job, total: total ?? job.total },
        rows: rows.map((row) => ({
          ...row,
          kind: kindForKey(kinds, row.key).name,
          views: sets?.get(row.videoId) ?? null,
          videoIds: videos.get(rowStore.toShownVideoId(row)) ?? null,
        })),
        hasMore: found.length > limit,
      };
    },

    /** Imported objects stay; pending rows fail. Throws `import_not_running` (409). */
    async cancel(caller: Caller, id: string): Promise<ImportJob> {
      await get(caller, id);
      await database.transaction(async (trx) => {
        if ((await jobStore.lockJob(trx, id)) !== 'importing') throw problems.import_not_running();
        await jobStore.setStatus(trx, id, 'cancelled');
        await jobs.send(trx, cancelRows, { jobId: id });
      });
      return get(caller, id);
    },

    /**
     * Retries failed rows under the same ids: all of them and an interrupted listing, or only those of `videoIds`.
     * Throws `import_running`, `import_nothing_failed` or `import_row_not_failed` (409).
     */
    async retry(caller: Caller, id: string, videoIds: readonly string[] | null): Promise<ImportJob> {
      const { orgId, integrationId, public: isPublic, listed, selection, problem } = await get(caller, id);
      if (!integrationId && !isPublic) throw problems.import_integration_gone();
      await database.transaction(async (trx) => {
        if ((await jobStore.lockJob(trx, id)) === 'importing') throw problems.import_running();
        const rows = await workers.retryFailedRows(trx, id, videoIds);
        const failedRows = rows.length;
        const retried = new Set(rows.flatMap((row) => [row.videoId, row.setId]));
        const other = videoIds?.find((videoId) => !retried.has(videoId));
        if (other) throw problems.import_row_not_failed(`The video ${other} is not a failed row of this import.`);
        const isPartlyListed = videoIds === null && selection !== null && (!listed || problem !== null);
        if (failedRows === 0 && !isPartlyListed) throw problems.import_nothing_failed();
        await jobStore.setStatus(trx, id, 'importing');
        if (isPartlyListed) {
          await jobStore.resumeListing(trx, id);
          await jobs.send(trx, listObjects, { jobId: id }, { orgId });
        }
        await workers.start(trx, { id, orgId }, isPartlyListed ? Number.MAX_SAFE_INTEGER : failedRows);
        await jobStore.addToCounters(trx, id, { failed: -failedRows });
      });
      return get(caller, id);
    },
  };
}

export type ImportJobsService = ReturnType<typeof createImportJobs>;
