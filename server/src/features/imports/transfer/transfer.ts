import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Events } from '#features/events/index';
import { type Bucket, isTransientBucketError, retryAfterMs, toObjectUri } from '#features/integrations/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Interruption } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { publishEnd } from '../jobs/publish-end.ts';
import { kindForKey } from '../object-kinds.ts';
import { problems } from '../problems.ts';
import type { ImportJob, ImportRow, ObjectKind, ObjectKinds, SourceObject } from '../types.ts';
import * as leaseStore from './lease-store.ts';
import { publishCompleteSets } from './linked-views.ts';
import { createObjectReader } from './object-reader.ts';

/** Longest time a worker holds a batch before it completes the stored rows and releases the rest. */
const FLUSH_AFTER_MS = 2_000;
/** Greatest number of objects of one provider that a node reads concurrently for one organization. */
const MAX_READS_PER_PROVIDER = 12;
/** Number of concurrency limits that a node caches. */
const MAX_CACHED_LIMITS = 1_000;
const MAX_ATTEMPTS = 5;
const MAX_RETRY_DELAY_S = 300;

export type TransferDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  kinds: ObjectKinds;
  log: Log;
  /** Seconds until the first retry of an object; doubles with each retry. Default 2. */
  firstRetryDelayS?: number;
};

/** Claimed rows, with all that their transfer needs. */
type TransferBatch = {
  job: ImportJob;
  rows: readonly leaseStore.ClaimedRow[];
  lease: leaseStore.TransferLease;
  bucket: Bucket;
  /** Aborts when the worker closes. */
  closing: AbortSignal;
};
type BatchContext = Pick<TransferBatch, 'job' | 'lease'>;
/** A stored object whose row is not completed yet. */
type StoredObject = { id: string; row: ImportRow; kind: ObjectKind; stored: unknown };

/** Transfers the objects of claimed rows. Each row is completed in the transaction that makes its record ready. */
export function createTransfer({ database, events, kinds, log, firstRetryDelayS = 2 }: TransferDeps) {
  const { db } = database;
  const limits = new LRUCache<string, LimitFunction>({ max: MAX_CACHED_LIMITS });

  function getLimit({ orgId, provider }: Pick<ImportJob, 'orgId' | 'provider'>) {
    const key = `${orgId} ${provider}`;
    const limit = limits.get(key) ?? pLimit(MAX_READS_PER_PROVIDER);
    limits.set(key, limit);
    return limit;
  }

  /**
   * Attempts each row once, one after the other, and completes the stored ones together. After `FLUSH_AFTER_MS` it
   * completes what is stored so far and releases the rows not started, so that a slow object delays no other.
   */
  async function transferBatch(batch: TransferBatch): Promise<void> {
    const { rows, lease } = batch;
    const pending = [...rows];
    const stored: StoredObject[] = [];
    let lastFlush = Promise.resolve();
    const flush = () => {
      const released = pending.splice(0);
      const completed = stored.splice(0);
      lastFlush = lastFlush.then(async () => {
        await complete(batch, completed);
        await leaseStore.releaseRows(db, released, lease, { delayS: 0, countAttempt: false });
      });
      return lastFlush;
    };
    const flushTimer = setTimeout(() => flush().catch(() => {}), FLUSH_AFTER_MS);
    try {
      const created = await createAllRecords(batch);
      for (let row = pending.shift(); row; row = pending.shift()) {
        const object = await transferObject(batch, row, created.has(row));
        if (object) stored.push(object);
      }
    } finally {
      clearTimeout(flushTimer);
      await flush();
    }
  }

  /** Attempts one row. Returns null if the object was not stored. */
  async function transferObject(
    batch: TransferBatch,
    row: leaseStore.ClaimedRow,
    hasRecord: boolean,
  ): Promise<StoredObject | null> {
    const { job, lease, bucket, closing } = batch;
    const leaseLost = new AbortController();
    const timer = setInterval(() => {
      leaseStore.renewLease(db, row, lease).then(
        (renewed) => renewed || leaseLost.abort({ kind: 'lost' } satisfies Interruption),
        () => {},
      );
    }, leaseStore.RENEW_INTERVAL_MS);
    const signal = AbortSignal.any([closing, leaseLost.signal]);
    try {
      const kind = kindForKey(kinds, row.key);
      const object = toSourceObject(job, row);
      if (!hasRecord && !(await createRecord(kind, object, row))) throw problems.import_deleted();
      const reader = createObjectReader(bucket, row, signal);
      const stored = await getLimit(job)(() => {
        signal.throwIfAborted();
        return kind.store(object, reader, signal);
      });
      return { id: row.videoId, row: { ...row, ...reader.versions.get(row.key) }, kind, stored };
    } catch (error) {
      if (leaseLost.signal.aborted) return null;
      if (closing.aborted) {
        await leaseStore.releaseRows(db, [row], lease, { delayS: 0, countAttempt: false });
        throw error;
      }
      await retryOrFail(lease, row, error);
      return null;
    } finally {
      clearInterval(timer);
    }
  }

  /** Creates the records of first attempts together. Returns their rows; none if that fails: each is retried alone. */
  async function createAllRecords({ job, rows }: TransferBatch): Promise<Set<ImportRow>> {
    const firstAttempts = rows.filter(isFirstAttempt);
    if (firstAttempts.length === 0) return new Set();
    const created = database.transaction(async (trx) => {
      for (const [kind, ofKind] of Map.groupBy(firstAttempts, ({ key }) => kindForKey(kinds, key))) {
        const objects = ofKind.map((row) => toSourceObject(job, row));
        await kind.createRecords(trx, objects);
      }
      await leaseStore.setRecordCreated(trx, firstAttempts, true);
    });
    return created.then(
      () => new Set(firstAttempts),
      () => new Set(),
    );
  }

  /** Creates the record, or recreates it after a failed attempt. Returns false if it was deleted. */
  async function createRecord(kind: ObjectKind, object: SourceObject, row: ImportRow): Promise<boolean> {
    const state = isFirstAttempt(row) ? null : await kind.getRecordState(object.id);
    if (state === 'pending') return true;
    if (state === null && row.recordCreated) return false;
    if (state === 'failed') {
      // In this order, a crash in between does not look like a deletion.
      await database.transaction((trx) => leaseStore.setRecordCreated(trx, [row], false));
      await kind.discard(object.id);
    }
    await database.transaction(async (trx) => {
      await kind.createRecords(trx, [object]);
      await leaseStore.setRecordCreated(trx, [row], true);
    });
    return true;
  }

  async function retryOrFail(lease: leaseStore.TransferLease, row: ImportRow, error: unknown): Promise<void> {
    if (!isRetryable(error) || row.attempts >= MAX_ATTEMPTS) return failRow(lease, row, error);
    const requestedS = (retryAfterMs(error) ?? 0) / 1000;
    const delayS = Math.min(Math.max(requestedS, firstRetryDelayS * 2 ** (row.attempts - 1)), MAX_RETRY_DELAY_S);
    await leaseStore.releaseRows(db, [row], lease, { delayS, countAttempt: true });
  }

  /** Fails a row and its record. */
  async function failRow(lease: leaseStore.TransferLease, row: ImportRow, error: unknown): Promise<void> {
    const problem = error instanceof Problem ? error : problems.import_failed(undefined, { cause: error });
    log[problem.isFault ? 'error' : 'info']({ err: error, videoId: row.videoId }, 'an object was not imported');
    const failed = database.transaction(async (trx) => {
      await kindForKey(kinds, row.key).markFailed(trx, row.videoId, problem);
      if (!(await leaseStore.completeRows(trx, [row], lease, problem))) throw new LeaseLostError();
      await publishEnd(trx, events, lease.jobId);
    });
    await failed.catch((error) => {
      if (!(error instanceof LeaseLostError)) throw error;
    });
  }

  /** Completes the rows of stored objects: together, or one by one if that fails. */
  async function complete(context: BatchContext, objects: readonly StoredObject[]): Promise<void> {
    const [first, ...others] = objects;
    if (!first) return;
    try {
      await database.transaction((trx) => completeAll(trx, context, objects));
    } catch (error) {
      if (others.length > 0) for (const object of objects) await complete(context, [object]);
      else if (!(error instanceof LeaseLostError)) await retryOrFail(context.lease, first.row, error);
    }
  }

  /** Completes rows with their records, and publishes sets whose last view was imported. */
  async function completeAll(
    trx: Transaction,
    { job, lease }: BatchContext,
    objects: readonly StoredObject[],
  ): Promise<void> {
    for (const [kind, ofKind] of Map.groupBy(objects, ({ kind }) => kind)) {
      if (!(await kind.markReady(trx, ofKind))) throw problems.import_deleted();
    }
    const rows = objects.map(({ row }) => row);
    if (!(await leaseStore.completeRows(trx, rows, lease, null))) throw new LeaseLostError();
    await publishCompleteSets(trx, events, job.orgId, new Set(rows.flatMap(({ setId }) => setId ?? [])));
    await publishEnd(trx, events, job.id);
  }

  return { transferBatch, failRow };
}

/** Another worker has the row now: the transaction is rolled back and its result dropped. */
class LeaseLostError extends Error {}

/** True if the row never had a record. */
const isFirstAttempt = ({ recordCreated, attempts }: ImportRow) => !recordCreated && attempts === 1;

const isRetryable = (error: unknown): boolean =>
  !(error instanceof Problem) ||
  error.isFault ||
  isTransientBucketError(error) ||
  // The folder was deleted after the row was claimed: the next attempt imports into no folder.
  error.code === 'folder_not_found';

const toSourceObject = (
  job: ImportJob,
  { videoId, name, key, content, objectId, version, sizeBytes, folderId }: leaseStore.ClaimedRow,
): SourceObject => ({
  id: videoId,
  name,
  key,
  content,
  uri: toObjectUri(job.provider, job.bucket, key),
  objectId,
  version,
  sizeBytes,
  job: { ...job, folderId },
});
