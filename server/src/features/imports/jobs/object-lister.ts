import type { Events } from '#features/events/index';
import { type Bucket, isTransientBucketError, type ObjectInfo } from '#features/integrations/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import { Problem } from '#platform/problem';
import { kindByExtension } from '../object-kinds.ts';
import { matchesSelection, type ObjectSelection } from '../selection.ts';
import type { SourceBuckets } from '../source-bucket.ts';
import * as syncStore from '../syncs/sync-store.ts';
import type { TransferWorkers } from '../transfer/index.ts';
import * as rowStore from '../transfer/row-store.ts';
import type { ImportJob, ObjectKinds } from '../types.ts';
import { findExistingVideos } from './existing-objects.ts';
import * as jobStore from './job-store.ts';
import { publishEnd } from './publish-end.ts';

export type ObjectListerDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  sources: Pick<SourceBuckets, 'openForJob'>;
  workers: Pick<TransferWorkers, 'start'>;
  kinds: ObjectKinds;
};

/** True if a selection imports the object: it matches, has a known extension and is not empty. */
export const isImportable = (kinds: ObjectKinds, selection: ObjectSelection, { key, size }: ObjectInfo): boolean =>
  size > 0 && matchesSelection(selection, key) && kindByExtension(kinds, key) !== undefined;

/** Lists the objects of a selection. The rows of a page and the cursor after it are written in one transaction. */
export function createObjectLister({ database, events, sources, workers, kinds }: ObjectListerDeps) {
  const { db } = database;

  async function importPage(job: ImportJob, bucket: Bucket, signal: AbortSignal): Promise<void> {
    const selection = job.selection!;
    const { objects, cursor } = await bucket.list({ prefix: selection.prefix, cursor: job.listCursor }, signal);
    const matching = objects.filter((object) => isImportable(kinds, selection, object));
    const selected = job.syncId ? await filterNewObjects(job.syncId, matching) : matching;
    await database.transaction(async (trx) => {
      const rowsBefore = await jobStore.advanceListing(trx, job, cursor);
      if (rowsBefore === null) return;
      const listed = selected.map(({ key, version, size }, i) => ({
        videoId: newId(),
        position: rowsBefore + i + 1,
        setId: null,
        view: null,
        problem: null,
        key,
        name: null,
        folderId: null,
        content: null,
        version: version || null,
        sizeBytes: size,
      }));
      const rows = await findExistingVideos(trx, kinds, job, listed);
      const skipped = rows.filter(({ existingVideoId }) => existingVideoId !== null).length;
      await rowStore.insertRows(trx, job, rows, false);
      // Workers start with the first row and wait for more until the bucket is listed.
      if (rowsBefore === 0 && rows.length > 0) {
        await workers.start(trx, job, cursor ? Number.MAX_SAFE_INTEGER : rows.length - skipped);
      }
      // A scheduled run that finds nothing new leaves no job.
      if (job.syncId && cursor === null && rowsBefore + rows.length === 0) {
        await jobStore.deleteJob(trx, job.id);
        const latestJobId = await jobStore.findLatestJobOfSync(trx, job.orgId, job.syncId);
        return syncStore.setLastJob(trx, job.syncId, latestJobId);
      }
      await jobStore.addToCounters(trx, job.id, {
        total: rows.length,
        objects: rows.length,
        uploaded: skipped,
        skipped,
      });
      await publishEnd(trx, events, job.id);
    });
  }

  /** Objects that no earlier run of the sync has seen in this version and size. */
  async function filterNewObjects(syncId: string, objects: ObjectInfo[]): Promise<ObjectInfo[]> {
    const rows = await rowStore.findRowsOfSync(
      db,
      syncId,
      objects.map(({ key }) => key),
    );
    const latestByKey = new Map(rows.map((row) => [row.key, row]));
    return objects.filter(({ key, version, size }) => {
      const latest = latestByKey.get(key);
      return !latest || ![latest.version, latest.importedVersion].includes(version) || latest.sizeBytes !== size;
    });
  }

  return async (jobId: string, signal: AbortSignal, lastAttempt: boolean): Promise<void> => {
    let bucket: Bucket | null = null;
    try {
      for (;;) {
        signal.throwIfAborted();
        const job = await jobStore.findJob(db, jobId);
        if (job?.status !== 'importing' || job.listed) return;
        bucket ??= await sources.openForJob(job);
        await importPage(job, bucket, signal);
      }
    } catch (error) {
      const isFinal = error instanceof Problem && (lastAttempt || !isTransientBucketError(error));
      if (signal.aborted || !isFinal) throw error;
      await database.transaction(async (trx) => {
        await jobStore.endListing(trx, jobId, error);
        await jobStore.addToCounters(trx, jobId, {});
        await publishEnd(trx, events, jobId);
      });
    } finally {
      bucket?.close();
    }
  };
}
