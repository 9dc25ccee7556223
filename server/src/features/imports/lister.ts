import type { Bucket, ObjectFacts } from '#features/integrations/index';
import { isTransientRefusal } from '#features/integrations/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import { Problem } from '#platform/problem';
import { namedKind } from './kinds.ts';
import { withKnown } from './known.ts';
import type { Lanes } from './lanes.ts';
import * as rowStore from './row-store.ts';
import { type Selection, selects } from './selection.ts';
import type { Sources } from './source.ts';
import * as store from './store.ts';
import * as syncStore from './sync-store.ts';
import type { ImportJob, Kinds } from './types.ts';

export type ListerDeps = {
  database: Database;
  sources: Pick<Sources, 'ofJob'>;
  lanes: Pick<Lanes, 'send'>;
  kinds: Kinds;
};

/** Whether an object is one that a selection brings: of a kind that is imported, and not empty. */
export const isWanted = (kinds: Kinds, selection: Selection, { key, size }: ObjectFacts): boolean =>
  size > 0 && selects(selection, key) && namedKind(kinds, key) !== undefined;

/** Reads what a selection means from the bucket, a page at a time: each page's rows and the place after it are one transaction. */
export function createLister({ database, sources, lanes, kinds }: ListerDeps) {
  const { db } = database;

  async function page(job: ImportJob, bucket: Bucket, signal: AbortSignal): Promise<void> {
    const selection = job.selection!;
    const { objects, cursor } = await bucket.list({ prefix: selection.prefix, cursor: job.listCursor }, signal);
    const found = objects.filter((object) => isWanted(kinds, selection, object));
    const wanted = job.syncId ? await unseen(job.syncId, found) : found;
    await database.transaction(async (trx) => {
      const before = await store.advance(trx, job, cursor);
      if (before === null) return;
      const listed = wanted.map(({ key, version, size }, i) => ({
        ...{ videoId: newId(), position: before + i + 1, setId: null, view: null, problem: null },
        ...{ key, version: version || null, sizeBytes: size },
      }));
      const rows = await withKnown(trx, kinds, job, listed);
      const skipped = rows.filter(({ knownVideoId }) => knownVideoId !== null).length;
      await rowStore.insertRows(trx, job, rows, false);
      // The lanes are there from the first row on, and wait for more until all is listed.
      if (before === 0 && rows.length > 0)
        await lanes.send(trx, job, cursor ? Number.MAX_SAFE_INTEGER : rows.length - skipped);
      // A run of a sync that brings nothing leaves nothing.
      if (job.syncId && cursor === null && before + rows.length === 0) {
        await store.removeJob(trx, job.id);
        return syncStore.setLastJob(trx, job.syncId, await store.lastOfSync(trx, job.orgId, job.syncId));
      }
      await store.count(trx, job.id, { total: rows.length, objects: rows.length, uploaded: skipped, skipped });
    });
  }

  /** Those that no earlier run brought or tried: another version or size is new. */
  async function unseen(syncId: string, objects: ObjectFacts[]): Promise<ObjectFacts[]> {
    const rows = await rowStore.seen(
      db,
      syncId,
      objects.map(({ key }) => key),
    );
    const known = new Map(rows.map((row) => [row.key, row]));
    return objects.filter(({ key, version, size }) => {
      const before = known.get(key);
      return !before || ![before.version, before.readVersion].includes(version) || before.sizeBytes !== size;
    });
  }

  return async (jobId: string, signal: AbortSignal, lastAttempt: boolean): Promise<void> => {
    let bucket: Bucket | null = null;
    try {
      for (;;) {
        signal.throwIfAborted();
        const job = await store.findJob(db, jobId);
        if (job?.status !== 'importing' || job.listed) return;
        bucket ??= await sources.ofJob(job);
        await page(job, bucket, signal);
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || (isTransientRefusal(error) && !lastAttempt)) throw error;
      await database.transaction(async (trx) => {
        await store.endListing(trx, jobId, error);
        await store.count(trx, jobId, {});
      });
    } finally {
      bucket?.close();
    }
  };
}
