import type { Transaction } from '#platform/db/index';
import type { JobContext, Jobs, SendOptions } from '#platform/jobs/index';
import { Problem } from '#platform/problem';
import { transferRows, WORKERS_PER_IMPORT } from '../background-jobs.ts';
import * as jobStore from '../jobs/job-store.ts';
import { publishEnd } from '../jobs/publish-end.ts';
import { kindForKey } from '../object-kinds.ts';
import { problems } from '../problems.ts';
import type { SourceBuckets } from '../source-bucket.ts';
import type { ImportJob } from '../types.ts';
import * as leaseStore from './lease-store.ts';
import { createTransfer, type TransferDeps } from './transfer.ts';

/** Longest run of a transfer worker; it then yields to other imports. */
const MAX_RUN_MS = 60_000;
/** Greatest number of small objects that a worker claims at once. */
const MAX_BATCH = 8;
/** Delay of a worker that waits for more rows while the bucket is listed. */
const LISTING_DELAY_S = 2;
const MAX_DELAY_S = 60;
const CANCEL_BATCH = 200;

export type TransferWorkersDeps = TransferDeps & { jobs: Pick<Jobs, 'sendMany' | 'send'>; sources: SourceBuckets };

/** Transfer workers of imports: claim rows, transfer their objects and complete the rows. */
export function createTransferWorkers(deps: TransferWorkersDeps) {
  const { database, events, jobs, sources, kinds } = deps;
  const { db } = database;
  const { transferBatch, failRow } = createTransfer(deps);

  /** Claims and transfers rows until there are none or the run is over. Returns true if the run is over. */
  async function transferRowsOf(lease: leaseStore.TransferLease, signal: AbortSignal): Promise<boolean> {
    const deadline = Date.now() + MAX_RUN_MS;
    let job: ImportJob | null = null;
    let bucket: Awaited<ReturnType<SourceBuckets['openForJob']>> | null = null;
    let batchSize = 1;
    try {
      for (;;) {
        signal.throwIfAborted();
        if (Date.now() >= deadline) return true;
        const { rows, remaining } = await leaseStore.claimRows(db, lease, batchSize);
        if (rows.length === 0) return false;
        // Small batches near the end, so that all workers stay busy.
        batchSize = Math.max(1, Math.min(MAX_BATCH, Math.floor(remaining / (2 * WORKERS_PER_IMPORT))));
        job ??= (await jobStore.findJob(db, lease.jobId))!;
        try {
          bucket ??= await sources.openForJob(job);
        } catch (error) {
          // An internal error does not fail rows: the background job is retried and claims them again.
          if (!(error instanceof Problem)) throw error;
          for (const row of rows) await failRow(lease, row, error);
          continue;
        }
        await transferBatch({ job, rows, lease, bucket, closing: signal });
      }
    } finally {
      bucket?.close();
    }
  }

  /** Schedules the worker's next run if rows are pending or still being listed. */
  async function scheduleNextRun(lease: leaseStore.TransferLease, isRunOver: boolean): Promise<void> {
    const { jobId, worker } = lease;
    const job = await jobStore.findJob(db, jobId);
    if (job?.status !== 'importing' || (await leaseStore.isWorkerActive(db, lease))) return;
    const dueInS = await leaseStore.secondsUntilNextRow(db, jobId);
    if (dueInS === null && job.listed) return;
    const delayS = Math.min(Math.max(1, Math.ceil(dueInS ?? LISTING_DELAY_S)), MAX_DELAY_S);
    const startAfterS = isRunOver && dueInS === 0 ? 0 : delayS;
    await database.transaction((trx) =>
      jobs.send(trx, transferRows, { jobId, worker }, { startAfterS, orgId: job.orgId }),
    );
  }

  return {
    retryFailedRows: leaseStore.retryFailedRows,

    /** Starts the workers of an import that has this many objects to transfer. */
    async start(
      trx: Transaction,
      { id: jobId, orgId }: Pick<ImportJob, 'id' | 'orgId'>,
      objects: number,
      options?: SendOptions,
    ): Promise<void> {
      const count = Math.min(WORKERS_PER_IMPORT, objects);
      const payloads = Array.from({ length: count }, (_, worker) => ({ jobId, worker }));
      await jobs.sendMany(trx, transferRows, payloads, { ...options, orgId });
    },

    /** One run of a worker. */
    async run({ jobId, worker }: { jobId: string; worker: number }, context: JobContext): Promise<void> {
      const lease = { jobId, worker, leaseHolder: context.jobId };
      await leaseStore.expireLeases(db, lease);
      const isRunOver = await transferRowsOf(lease, context.signal);
      await scheduleNextRun(lease, isRunOver);
    },

    /** Fails the pending rows of a canceled import, batch by batch. */
    async cancel(jobId: string): Promise<void> {
      const problem = problems.import_cancelled();
      for (let hasMore = true; hasMore; ) {
        hasMore = await database.transaction(async (trx) => {
          // A retried import is running again: its pending rows are to be transferred.
          if ((await jobStore.lockJob(trx, jobId)) !== 'cancelled') return false;
          const rows = await leaseStore.failPendingRows(trx, jobId, problem, CANCEL_BATCH);
          for (const { key, videoId, recordCreated } of rows) {
            if (recordCreated) await kindForKey(kinds, key).markFailed(trx, videoId, problem);
          }
          await jobStore.addToCounters(trx, jobId, { failed: rows.length });
          return rows.length > 0;
        });
      }
    },

    /** Fails the pending row of a deleted video. */
    async onVideoDeleted(trx: Transaction, { videoId }: { videoId: string }): Promise<void> {
      const row = await leaseStore.failRowOfVideo(trx, videoId, problems.import_deleted());
      if (!row) return;
      await jobStore.addToCounters(trx, row.jobId, { failed: 1 });
      await publishEnd(trx, events, row.jobId);
    },
  };
}

export type TransferWorkers = ReturnType<typeof createTransferWorkers>;
