import { sql } from 'kysely';
import { toCalendarFilter, type Videos, videoConditions } from '#features/videos/index';
import { isReadable, isUsable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { QuestionRun, RunStatus, SavedQuestion, Silence } from './types.ts';

export type RunnableVideo = Pick<
  NonNullable<Awaited<ReturnType<Videos['find']>>>,
  'id' | 'orgId' | 'ownerId' | 'scope'
> & {
  folderId: string | null;
  cameraId: string | null;
};

export async function findVideos(trx: Transaction, ids: readonly string[]): Promise<RunnableVideo[]> {
  const rows = await trx
    .selectFrom('videos')
    .select(['id', 'orgId', 'ownerId', 'scope', 'folderId', 'cameraId'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
  return rows as RunnableVideo[];
}

/** When the videos of a question must have been recorded. */
const recordedConditions = ({ recorded, timeZone }: Pick<SavedQuestion, 'recorded' | 'timeZone'>) =>
  recorded === null ? [] : videoConditions(toCalendarFilter({ ...recorded, timeZone }));

/** Those of the videos that were recorded when a question asks for. */
export async function filterRecorded(
  trx: Transaction,
  ids: readonly string[],
  question: Pick<SavedQuestion, 'recorded' | 'timeZone'>,
): Promise<readonly string[]> {
  const conditions = recordedConditions(question);
  if (conditions.length === 0 || ids.length === 0) return ids;
  const { rows } = await sql<{ id: string }>`
    select id from videos where id = any(${ids}::text[]) and ${sql.join(conditions, sql` and `)}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Inserts waiting runs, except those of videos that the question has run on. Returns the ids of the new runs. */
export async function insertWaiting(
  trx: Transaction,
  runs: readonly Pick<QuestionRun, 'questionId' | 'videoId'>[],
): Promise<string[]> {
  if (runs.length === 0) return [];
  // Arrays, since a statement has at most 65,535 parameters.
  const ids = runs.map(() => newId());
  const questionIds = runs.map(({ questionId }) => questionId);
  const videoIds = runs.map(({ videoId }) => videoId);
  const { rows } = await sql<{ id: string }>`
    insert into saved_question_runs (id, question_id, video_id, status, announces)
    select id, question_id, video_id, 'waiting', true
    from unnest(${ids}::text[], ${questionIds}::text[], ${videoIds}::text[]) as run (id, question_id, video_id)
    on conflict (question_id, video_id) do nothing
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Inserts started runs of a batch, and starts failed ones again. Returns the number of runs that were free. */
export async function insertStarted(
  trx: Transaction,
  {
    questionId,
    videoIds,
    ...run
  }: { questionId: string; videoIds: readonly string[]; batchId: string; announces: boolean },
): Promise<number> {
  const again = { ...run, status: 'processing', problemCode: null, problemMessage: null, endedAt: null };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('savedQuestionRuns')
    .values(videoIds.map((videoId) => ({ ...run, id: newId(), questionId, videoId, status: 'processing' })))
    .onConflict((conflict) =>
      conflict.columns(['questionId', 'videoId']).doUpdateSet(again).where('savedQuestionRuns.status', '=', 'failed'),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

/** A run that has not started yet. */
export async function findWaiting(
  db: Queryable,
  id: string,
): Promise<Pick<QuestionRun, 'questionId' | 'videoId'> | null> {
  const row = await db
    .selectFrom('savedQuestionRuns')
    .select(['questionId', 'videoId'])
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst();
  return row ?? null;
}

/** Marks a waiting run as started. False if another worker has started it. */
export async function markStarted(trx: Transaction, id: string, batchId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('savedQuestionRuns')
    .set({ status: 'processing', batchId })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a run that has not started. */
export async function failWaiting(
  db: Queryable,
  id: string,
  problem: { code: string; message: string },
): Promise<void> {
  await db
    .updateTable('savedQuestionRuns')
    .set({ status: 'failed', problemCode: problem.code, problemMessage: problem.message, endedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute();
}

/** The run of an analysis in a batch that has not ended. */
export async function findStarted(
  trx: Transaction,
  batchId: string,
  videoId: string,
): Promise<{ id: string; questionId: string; announces: boolean } | null> {
  const row = await trx
    .selectFrom('savedQuestionRuns')
    .select(['id', 'questionId', 'announces'])
    .where('batchId', '=', batchId)
    .where('videoId', '=', videoId)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  return row ?? null;
}

export type RunResult = {
  status: Extract<RunStatus, 'completed' | 'failed'>;
  analysisId: string;
  problemCode: string | null;
  problemMessage: string | null;
} & Partial<Pick<QuestionRun, 'eventCount' | 'matchingCount' | 'alertCount' | 'silenced'>>;

export async function endRun(trx: Transaction, id: string, result: RunResult): Promise<void> {
  await trx
    .updateTable('savedQuestionRuns')
    .set({ ...result, endedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Videos of a question that it has not run on, or failed on, oldest first. */
export async function listVideosToRun(
  db: Queryable,
  { id, folderId, ...question }: Pick<SavedQuestion, 'id' | 'folderId' | 'recorded' | 'timeZone'>,
  owner: Principal,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('videos.id')
    .where(isUsable(owner, 'videos'))
    .where('videos.status', '=', 'UPLOADED')
    .where('videos.deletedAt', 'is', null)
    .$if(folderId !== null, (query) => query.where('videos.folderId', '=', folderId))
    .where((eb) => eb.and(recordedConditions(question)))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('savedQuestionRuns')
            .select('savedQuestionRuns.id')
            .whereRef('savedQuestionRuns.videoId', '=', 'videos.id')
            .where('savedQuestionRuns.questionId', '=', id)
            .where('savedQuestionRuns.status', '<>', 'failed'),
        ),
      ),
    )
    .orderBy('videos.id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Runs on videos that the caller may read, newest first, before the id `before` (null: from the newest). */
export async function listRuns(
  db: Queryable,
  caller: Principal,
  { questionId, before, limit }: { questionId: string; before: string | null; limit: number },
): Promise<QuestionRun[]> {
  const rows = await db
    .selectFrom('savedQuestionRuns as run')
    .innerJoin('videos', 'videos.id', 'run.videoId')
    .selectAll('run')
    .select('videos.name as videoName')
    .where('run.questionId', '=', questionId)
    .where('videos.deletedAt', 'is', null)
    .where(isReadable(caller, 'videos'))
    .$if(before !== null, (query) => query.where('run.id', '<', before!))
    .orderBy('run.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ announces: _, ...row }) => ({
    ...row,
    status: row.status as RunStatus,
    silenced: row.silenced as Silence | null,
  }));
}
