import type { Events } from '#features/events/index';
import { isTransientRefusal, type ProviderName, pauseAskedFor, uriOf } from '#features/integrations/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Interruption, JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { createGate } from './gate.ts';
import { LANES, transferRows } from './jobs.ts';
import * as lanes from './lane-store.ts';
import { problems } from './problems.ts';
import * as rowStore from './row-store.ts';
import { readerOf, type Sources } from './source.ts';
import * as store from './store.ts';
import type { Arriving, ImportJob, Kinds, ObjectKind, Row } from './types.ts';

/** How long a lane works before it makes room for other imports. */
const SHIFT_MS = 60_000;
/** How many objects of one provider a node reads at once, of all imports. */
const PROVIDER_AT_ONCE = 12;
const MAX_ATTEMPTS = 5;
const LONGEST_PAUSE_S = 300;
/** How soon a lane looks again while the bucket is still being listed. */
const LISTING_S = 2;
const CANCELLED_AT_ONCE = 200;

export type LanesDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  jobs: Pick<Jobs, 'sendMany' | 'send'>;
  sources: Sources;
  kinds: Kinds;
  log: Log;
  /** Seconds until an object that did not come is tried again for the first time; each further pause is twice as long. Default: 2. */
  firstPauseS?: number;
};

/** The worker's side of an import: rows are taken, their objects brought, and the outcome told in one transaction. */
export function createLanes({ database, events, jobs, sources, kinds, log, firstPauseS = 2 }: LanesDeps) {
  const { db } = database;
  const gates = new Map<ProviderName, ReturnType<typeof createGate>>();

  /** Sends the lanes of an import that has this many objects to bring. */
  async function send(trx: Transaction, jobId: string, objects: number): Promise<void> {
    const count = Math.min(LANES, objects);
    await jobs.sendMany(
      trx,
      transferRows,
      Array.from({ length: count }, (_, lane) => ({ jobId, lane })),
    );
  }

  /** One shift of a lane. */
  async function work({ jobId, lane }: { jobId: string; lane: number }, context: JobContext): Promise<void> {
    const holder = { jobId, lane, worker: context.jobId };
    await lanes.release(db, holder);
    const until = Date.now() + SHIFT_MS;
    let job: ImportJob | null = null;
    let bucket: Awaited<ReturnType<Sources['ofJob']>> | null = null;
    try {
      for (;;) {
        context.signal.throwIfAborted();
        const tired = Date.now() >= until;
        const row = tired ? null : await lanes.take(db, holder);
        if (!row) return await handOver(holder, tired);
        job ??= (await store.findJob(db, jobId))!;
        try {
          bucket ??= await sources.ofJob(job);
        } catch (error) {
          await end(job, row, holder, problemOf(error));
          continue;
        }
        await bring(job, row, holder, bucket, context.signal);
      }
    } finally {
      bucket?.close();
    }
  }

  /** Goes on later, where there is or will be something to do. */
  async function handOver(holder: lanes.Holder, tired: boolean): Promise<void> {
    const { jobId, lane } = holder;
    const job = await store.findJob(db, jobId);
    if (job?.status !== 'importing' || (await lanes.isTaken(db, holder))) return;
    const dueS = await lanes.nextDue(db, jobId);
    if (dueS === null && job.listed) return;
    const startAfterS = tired && dueS === 0 ? 0 : Math.min(Math.max(1, Math.ceil(dueS ?? LISTING_S)), 60);
    await database.transaction((trx) => jobs.send(trx, transferRows, { jobId, lane }, { startAfterS }));
  }

  /** One try of one row. */
  async function bring(
    job: ImportJob,
    row: lanes.Taken,
    holder: lanes.Holder,
    bucket: Parameters<typeof readerOf>[0],
    closing: AbortSignal,
  ): Promise<void> {
    const gone = new AbortController();
    const timer = setInterval(() => {
      lanes.renew(db, row, holder).then(
        (ours) => ours || gone.abort({ kind: 'lost' } satisfies Interruption),
        () => {},
      );
    }, lanes.RENEW_MS);
    const signal = AbortSignal.any([closing, gone.signal]);
    const gate = gates.get(job.provider) ?? createGate(PROVIDER_AT_ONCE);
    gates.set(job.provider, gate);
    try {
      const kind = kindOf(kinds, row.key);
      const object = arriving(job, row);
      if (!(await begin(kind, object, row))) throw problems.import_deleted();
      const ready = await gate(signal, () => kind.receive(object, readerOf(bucket, signal), signal));
      await settle(job, row, holder, null, async (trx) => {
        if (!(await ready(trx))) throw problems.import_deleted();
      });
    } catch (error) {
      if (gone.signal.aborted) return;
      if (closing.aborted) {
        // Another worker may take it at once; this try does not count.
        await lanes.giveBack(db, row, holder, { afterS: 0, attempts: row.attempts - 1 });
        throw error;
      }
      await failed(job, row, holder, error);
    } finally {
      clearInterval(timer);
    }
  }

  /** Makes the record, or makes it anew after a try that failed. False when it was deleted: it is not to come back. */
  async function begin(kind: ObjectKind, object: Arriving, { begun, attempts }: Row): Promise<boolean> {
    const fresh = !begun && attempts === 1;
    const state = fresh ? null : await kind.stateOf(object.id);
    if (state === 'arriving') return true;
    if (state === null && begun) return false;
    if (state === 'failed') {
      // In this order a crash in between is no deletion.
      await database.transaction((trx) => lanes.setBegun(trx, object.id, false));
      await kind.discard(object.id);
    }
    await database.transaction(async (trx) => {
      await kind.begin(trx, object);
      await lanes.setBegun(trx, object.id, true);
    });
    return true;
  }

  async function failed(job: ImportJob, row: Row, holder: lanes.Holder, error: unknown): Promise<void> {
    const passing = !(error instanceof Problem) || error.status >= 500 || isTransientRefusal(error) || isMoved(error);
    if (passing && row.attempts < MAX_ATTEMPTS) {
      const asked = (pauseAskedFor(error) ?? 0) / 1000;
      const pause = Math.max(asked, firstPauseS * 2 ** (row.attempts - 1));
      const afterS = Math.min(pause, LONGEST_PAUSE_S);
      return lanes.giveBack(db, row, holder, { afterS, attempts: row.attempts });
    }
    const problem = problemOf(error);
    log[problem.status < 500 ? 'info' : 'error']({ err: error, videoId: row.videoId }, 'an object was not imported');
    await end(job, row, holder, problem);
  }

  async function end(job: ImportJob, row: Row, holder: lanes.Holder, problem: Problem): Promise<void> {
    await settle(job, row, holder, problem, (trx) => kindOf(kinds, row.key).fail(trx, row.videoId, problem));
  }

  /** Ends a row with its record, and tells of a set whose last view has come. Nothing of it happens when another worker has the row by now. */
  async function settle(
    { orgId }: ImportJob,
    row: Row,
    holder: lanes.Holder,
    problem: Problem | null,
    record: (trx: Transaction) => Promise<void>,
  ): Promise<void> {
    const ended = database.transaction(async (trx) => {
      await record(trx);
      if (!(await lanes.settle(trx, row, holder, problem))) throw new Lost();
      if (!row.setId || problem) return;
      const set = await rowStore.views(trx, [row.setId]);
      if (!set.every(({ status }) => status === 'UPLOADED')) return;
      const views = set.map(({ view, videoId }) => ({ role: view ?? 'front', label: null, videoId, offsetS: 0 }));
      await events.publish(trx, 'views.linked', { orgId, primaryVideoId: row.setId, views });
    });
    await ended.catch((error) => {
      if (!(error instanceof Lost)) throw error;
    });
  }

  return {
    send,
    work,

    /** Ends what waits of a cancelled import, a part at a time. */
    async cancel(jobId: string): Promise<void> {
      const problem = problems.import_cancelled();
      for (let more = true; more; ) {
        more = await database.transaction(async (trx) => {
          // Tried again already: what waits now is meant to come.
          if ((await store.lockJob(trx, jobId)) !== 'cancelled') return false;
          const rows = await lanes.failWaiting(trx, jobId, problem, CANCELLED_AT_ONCE);
          for (const { key, videoId, begun } of rows) if (begun) await kindOf(kinds, key).fail(trx, videoId, problem);
          await store.count(trx, jobId, { failed: rows.length });
          return rows.length > 0;
        });
      }
    },

    /** A video is deleted: if it was on its way, its row ends. */
    async onVideoDeleted(trx: Transaction, { videoId }: { videoId: string }): Promise<void> {
      const row = await lanes.failDeleted(trx, videoId, problems.import_deleted());
      if (row) await store.count(trx, row.jobId, { failed: 1 });
    },
  };
}

export type Lanes = ReturnType<typeof createLanes>;

/** The row is another worker's by now: what was done for it is undone, and nobody is told. */
class Lost extends Error {}

/** The folder went after the row was taken: the next try goes into none. */
const isMoved = (error: Problem): boolean => error.code === 'folder_not_found';

const problemOf = (error: unknown): Problem =>
  error instanceof Problem ? error : problems.import_failed(undefined, { cause: error });

const arriving = (job: ImportJob, { videoId, key, sizeBytes, folderId }: lanes.Taken): Arriving => ({
  id: videoId,
  key,
  uri: uriOf(job.provider, job.bucket, key),
  sizeBytes,
  job: { ...job, folderId },
});

/** The kind that takes an object: the one its name says, else the first. */
export const kindOf = (kinds: Kinds, key: string): ObjectKind => namedKind(kinds, key) ?? kinds[0];

/** The kind that an object's name says it is, by its ending alone. */
export const namedKind = (kinds: Kinds, key: string): ObjectKind | undefined =>
  kinds.find(({ extensions }) => extensions.some((extension) => key.toLowerCase().endsWith(extension)));
