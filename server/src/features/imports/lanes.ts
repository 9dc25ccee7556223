import type { Transaction } from '#platform/db/index';
import type { JobContext, Jobs, SendOptions } from '#platform/jobs/index';
import { Problem } from '#platform/problem';
import { createHands, type HandsDeps } from './hands.ts';
import { LANES, transferRows } from './jobs.ts';
import { kindOf } from './kinds.ts';
import * as lanes from './lane-store.ts';
import { problems } from './problems.ts';
import type { Sources } from './source.ts';
import * as store from './store.ts';
import type { ImportJob } from './types.ts';

/** How long a lane works before it makes room for other imports. */
const SHIFT_MS = 60_000;
/** How many small objects a lane takes at once. */
const HAND = 8;
/** How soon a lane looks again while the bucket is still being listed. */
const LISTING_S = 2;
const CANCELLED_AT_ONCE = 200;

export type LanesDeps = HandsDeps & { jobs: Pick<Jobs, 'sendMany' | 'send'>; sources: Sources };

/** The worker's side of an import: rows are taken, their objects brought, and the outcome told in one transaction. */
export function createLanes(deps: LanesDeps) {
  const { database, jobs, sources, kinds } = deps;
  const { db } = database;
  const hands = createHands(deps);

  /** Sends the lanes of an import that has this many objects to bring. */
  async function send(
    trx: Transaction,
    { id: jobId, orgId }: Pick<ImportJob, 'id' | 'orgId'>,
    objects: number,
    options?: SendOptions,
  ): Promise<void> {
    const count = Math.min(LANES, objects);
    await jobs.sendMany(
      trx,
      transferRows,
      Array.from({ length: count }, (_, lane) => ({ jobId, lane })),
      { ...options, orgId },
    );
  }

  /** One shift of a lane. */
  async function work({ jobId, lane }: { jobId: string; lane: number }, context: JobContext): Promise<void> {
    const holder = { jobId, lane, worker: context.jobId };
    await lanes.release(db, holder);
    const until = Date.now() + SHIFT_MS;
    let job: ImportJob | null = null;
    let bucket: Awaited<ReturnType<Sources['ofJob']>> | null = null;
    let most = 1;
    try {
      for (;;) {
        context.signal.throwIfAborted();
        const tired = Date.now() >= until;
        const { rows, left } = tired ? { rows: [], left: 0 } : await lanes.take(db, holder, most);
        if (rows.length === 0) return await handOver(holder, tired);
        // So many that the others have as much to do: while few are left, one.
        most = Math.max(1, Math.min(HAND, Math.floor(left / (2 * LANES))));
        job ??= (await store.findJob(db, jobId))!;
        try {
          bucket ??= await sources.ofJob(job);
        } catch (error) {
          // Ours is no fault of the rows: the job is tried again, and has them again.
          if (!(error instanceof Problem)) throw error;
          for (const row of rows) await hands.end({ holder }, row, error);
          continue;
        }
        await hands.bring({ job, rows, holder, bucket, closing: context.signal });
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
    const { orgId } = job;
    const dueS = await lanes.nextDue(db, jobId);
    if (dueS === null && job.listed) return;
    const startAfterS = tired && dueS === 0 ? 0 : Math.min(Math.max(1, Math.ceil(dueS ?? LISTING_S)), 60);
    await database.transaction((trx) => jobs.send(trx, transferRows, { jobId, lane }, { startAfterS, orgId }));
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
