import { type ExpressionBuilder, sql } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { type AnalysisRow, ROW, rowOf, selectRow } from '../store.ts';

/**
 * Identity of one attempt at an analysis. Writes with the fence of an attempt that is no longer current change nothing.
 */
export type AttemptFence = { analysisId: string; jobId: string; attempt: number };

/** Claims the analysis for an attempt; null if it has ended, or another job or a later attempt has claimed it. */
export async function claim(db: Queryable, { analysisId, jobId, attempt }: AttemptFence): Promise<AnalysisRow | null> {
  const ours = (eb: ExpressionBuilder<DB, 'analyses'>) =>
    eb.and([eb.and({ id: analysisId, jobId, status: 'PROCESSING' }), eb('attempt', '<=', attempt)]);
  // The first attempt is stored with the analysis, so there is nothing to write.
  const row =
    attempt === 0
      ? await selectRow(db).where(ours).executeTakeFirst()
      : await db.updateTable('analyses').set({ attempt }).where(ours).returning(ROW).executeTakeFirst();
  return row ? rowOf(row) : null;
}

/** An update of the analysis while the attempt is current. */
export const fenced = (db: Queryable, { analysisId, jobId, attempt }: AttemptFence) =>
  db
    .updateTable('analyses')
    .where('id', '=', analysisId)
    .where('jobId', '=', jobId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'PROCESSING');

/**
 * Stores the stage and progress; an earlier stage changes nothing. Returns the stored values; null if the attempt is no
 * longer current.
 */
export async function advance(
  db: Queryable,
  fence: AttemptFence,
  stage: string,
  progress: number,
): Promise<{ stage: string; progress: number } | null> {
  const row = await fenced(db, fence)
    .set({
      stage: sql`case when ${progress}::real >= progress then ${stage} else stage end`,
      progress: sql`greatest(progress, ${progress}::real)`,
    })
    .returning(['stage', 'progress'])
    .executeTakeFirst();
  return row ? { stage: row.stage ?? stage, progress: row.progress } : null;
}

/** Moves the analysis to a job that starts later. False if the attempt is no longer current. */
export async function defer(db: Queryable, fence: AttemptFence, jobId: string): Promise<boolean> {
  const row = await fenced(db, fence).set({ stage: 'waiting', jobId, attempt: 0 }).returning('id').executeTakeFirst();
  return row !== undefined;
}

/** `missed`: why no part of the video was searched; null if it was. */
export async function complete(
  db: Queryable,
  fence: AttemptFence,
  document: string,
  missed: string | null,
): Promise<boolean> {
  const row = await fenced(db, fence)
    .set({
      status: 'COMPLETED',
      stage: null,
      progress: 100,
      document,
      missed,
      eventsIndexed: true,
      completedAt: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export type AnalysisFailure = { code: string; message: string; document: string };

export async function fail(
  db: Queryable,
  analysisId: string,
  fence: AttemptFence | null,
  failure: AnalysisFailure,
): Promise<boolean> {
  const update = fence
    ? fenced(db, fence)
    : db.updateTable('analyses').where('id', '=', analysisId).where('status', '=', 'PROCESSING');
  const row = await update
    .set({
      status: 'FAILED',
      stage: null,
      problemCode: failure.code,
      problemMessage: failure.message,
      document: failure.document,
      completedAt: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves waiting analyses to new jobs, in the same order. */
export async function reassign(trx: Transaction, analysisIds: readonly string[], jobIds: readonly string[]) {
  await sql`
    update analyses set job_id = next.job_id, attempt = 0
    from unnest(${analysisIds}::text[], ${jobIds}::text[]) as next (id, job_id)
    where analyses.id = next.id`.execute(trx);
}
