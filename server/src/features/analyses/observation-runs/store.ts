import { sql } from 'kysely';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { ObservationRun, ObservationStatus, RunVideo, RunVideoStatus } from './types.ts';

/** Identifies one attempt at one video of a run: writes of another one change nothing. */
export type RunFence = { runId: string; videoId: string; jobId: string; attempt: number };

const count = (statuses: readonly RunVideoStatus[]) =>
  sql<number>`count(*) filter (where v.status in (${sql.join(statuses)}))::integer`;

const selectRuns = (db: Queryable) =>
  db
    .selectFrom('observationRuns')
    .innerJoin('observationRunVideos as v', 'v.runId', 'observationRuns.id')
    .selectAll('observationRuns')
    .select([
      sql<number>`count(*)::integer`.as('total'),
      count(['completed']).as('completed'),
      count(['failed']).as('failed'),
      count(['canceled']).as('canceled'),
      sql<number>`avg(case when v.status in ('waiting', 'running') then v.progress else 1 end)::real`.as('progress'),
    ])
    .groupBy('observationRuns.id');

type Row = Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number];

function toRun({ id, canceled, ...row }: Row): ObservationRun {
  const { total, completed, failed } = row;
  const isRunning = completed + failed + canceled < total;
  const ended: ObservationStatus = canceled > 0 ? 'canceled' : completed > 0 ? 'completed' : 'failed';
  return {
    ...row,
    observationId: id,
    scope: row.scope as ObservationRun['scope'],
    status: isRunning ? 'processing' : ended,
  };
}

export async function findRun(db: Queryable, id: string): Promise<ObservationRun | null> {
  const row = await selectRuns(db).where('observationRuns.id', '=', id).executeTakeFirst();
  return row ? toRun(row) : null;
}

/** Runs that the caller may read, newest first, those before an id. */
export async function listRuns(
  db: Queryable,
  caller: Principal,
  { before, limit }: { before: string | null; limit: number },
): Promise<ObservationRun[]> {
  const readable = selectRuns(db).where(isReadable(caller, 'observationRuns'));
  const page = before === null ? readable : readable.where('observationRuns.id', '<', before);
  return (await page.orderBy('observationRuns.id', 'desc').limit(limit).execute()).map(toRun);
}

export async function listVideos(db: Queryable, runId: string): Promise<RunVideo[]> {
  const rows = await db
    .selectFrom('observationRunVideos')
    .select(['videoId', 'status', 'progress', 'problemCode', 'problemMessage'])
    .where('runId', '=', runId)
    .orderBy('position')
    .execute();
  return rows.map(({ problemCode, problemMessage, status, progress, videoId }) => ({
    videoId,
    status: status as RunVideoStatus,
    progress: status === 'completed' ? 1 : progress,
    problem: problemCode === null ? null : { code: problemCode, message: problemMessage ?? '' },
  }));
}

export type NewRun = Pick<ObservationRun, 'orgId' | 'ownerId' | 'scope' | 'observers' | 'detector'> & { id: string };

/** Inserts a run and its videos, in their order. A video without a job is completed. */
export async function insertRun(
  trx: Transaction,
  run: NewRun,
  videos: readonly { videoId: string; jobId: string | null }[],
): Promise<void> {
  await trx.insertInto('observationRuns').values(run).execute();
  await trx
    .insertInto('observationRunVideos')
    .values(
      videos.map(({ videoId, jobId }, position) => ({
        runId: run.id,
        videoId,
        position,
        jobId,
        status: jobId === null ? 'completed' : 'waiting',
      })),
    )
    .execute();
}

const fenced = (db: Queryable, { runId, videoId, jobId, attempt }: RunFence) =>
  db
    .updateTable('observationRunVideos')
    .where('runId', '=', runId)
    .where('videoId', '=', videoId)
    .where('jobId', '=', jobId)
    .where('attempt', '<=', attempt)
    .where('status', 'in', ['waiting', 'running']);

/** Claims a video for an attempt. Returns its run; null if it has ended or moved to another job. */
export async function claim(db: Queryable, fence: RunFence): Promise<ObservationRun | null> {
  const { numUpdatedRows } = await fenced(db, fence)
    .set({ status: 'running', attempt: fence.attempt })
    .executeTakeFirst();
  return numUpdatedRows > 0n ? findRun(db, fence.runId) : null;
}

export async function setProgress(db: Queryable, fence: RunFence, progress: number): Promise<void> {
  await fenced(db, fence).set({ progress }).execute();
}

/** Moves a video to another job, of which no attempt has started. False if it has ended. */
export async function reassign(trx: Transaction, fence: RunFence, jobId: string): Promise<boolean> {
  const moved = await fenced(trx, fence).set({ status: 'waiting', jobId, attempt: 0 }).executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** Ends a video with an outcome. With a fence, only for the current attempt. */
export async function end(
  db: Queryable,
  { runId, videoId, ...job }: Pick<RunFence, 'runId' | 'videoId'> & Partial<RunFence>,
  problem: { code: string; message: string } | null,
): Promise<void> {
  const update = 'jobId' in job ? fenced(db, { runId, videoId, ...job } as RunFence) : unended(db, runId, videoId);
  await update
    .set({
      status: problem ? 'failed' : 'completed',
      jobId: null,
      problemCode: problem?.code ?? null,
      problemMessage: problem?.message ?? null,
    })
    .execute();
}

const unended = (db: Queryable, runId: string, videoId: string) =>
  db
    .updateTable('observationRunVideos')
    .where('runId', '=', runId)
    .where('videoId', '=', videoId)
    .where('status', 'in', ['waiting', 'running']);

/** Cancels what has not ended. Returns the jobs. */
export async function cancel(trx: Transaction, runId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('observationRunVideos')
    .select(['videoId', 'jobId'])
    .where('runId', '=', runId)
    .where('status', 'in', ['waiting', 'running'])
    .orderBy('videoId')
    .forUpdate()
    .execute();
  await trx
    .updateTable('observationRunVideos')
    .set({ status: 'canceled', jobId: null })
    .where('runId', '=', runId)
    .where('status', 'in', ['waiting', 'running'])
    .execute();
  return rows.flatMap(({ jobId }) => jobId ?? []);
}
