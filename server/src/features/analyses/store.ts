import { CompiledQuery, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { Box } from '#platform/media/index';
import type { Header } from './document.ts';

/** Identity of one attempt at an analysis: a write carries it, and changes nothing once the analysis was given to another. */
export type Fence = { analysisId: string; jobId: string; attempt: number };

export type AnalysisRow = Omit<Header, 'engineVersion'> & {
  orgId: string;
  ownerId: string;
  scope: 'user' | 'org';
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED';
  stage: string | null;
  progress: number;
  /** The plan the client sent; null when it sent none. */
  plan: unknown;
  problemCode: string | null;
  problemMessage: string | null;
  completedAt: Date | null;
};

export type NewAnalysis = Pick<
  AnalysisRow,
  'analysisId' | 'videoId' | 'batchId' | 'query' | 'mode' | 'orgId' | 'ownerId' | 'scope' | 'plan'
> & { position: number; jobId: string };

const ROW = [
  'id as analysisId',
  'org_id as orgId',
  'owner_id as ownerId',
  'video_id as videoId',
  'batch_id as batchId',
  'scope',
  'query',
  'mode',
  'plan',
  'status',
  'stage',
  'progress',
  'problem_code as problemCode',
  'problem_message as problemMessage',
  'created_at as createdAt',
  'completed_at as completedAt',
] as const;

/** The database knows texts where we know which texts they are. */
type Selected = {
  [Column in keyof AnalysisRow]: Column extends 'scope' | 'mode' | 'status' ? string : AnalysisRow[Column];
};
const rowOf = <Row extends Selected>(row: Row) => row as Row & AnalysisRow;

function selectRow(db: Queryable) {
  return db.selectFrom('analyses').select(ROW);
}

export async function insertAnalyses(trx: Transaction, analyses: readonly NewAnalysis[]): Promise<void> {
  const values = analyses.map((a) => ({
    id: a.analysisId,
    org_id: a.orgId,
    owner_id: a.ownerId,
    video_id: a.videoId,
    batch_id: a.batchId,
    position: a.position,
    scope: a.scope,
    query: a.query,
    mode: a.mode,
    plan: a.plan === null ? null : JSON.stringify(a.plan),
    status: 'PROCESSING',
    job_id: a.jobId,
  }));
  // PostgreSQL takes at most 65,535 parameters in a statement.
  for (let i = 0; i < values.length; i += 1000) {
    await trx
      .insertInto('analyses')
      .values(values.slice(i, i + 1000))
      .execute();
  }
}

/** Takes the analysis for this attempt; null when it has ended or was given to another job or a later attempt. */
export async function claim(db: Queryable, { analysisId, jobId, attempt }: Fence): Promise<AnalysisRow | null> {
  const ours = (eb: ExpressionBuilder<DB, 'analyses'>) =>
    eb.and([eb.and({ id: analysisId, job_id: jobId, status: 'PROCESSING' }), eb('attempt', '<=', attempt)]);
  // Analyses wait for their first attempt: that has nothing to write.
  const row =
    attempt === 0
      ? await selectRow(db).where(ours).executeTakeFirst()
      : await db.updateTable('analyses').set({ attempt }).where(ours).returning(ROW).executeTakeFirst();
  return row ? rowOf(row) : null;
}

const fenced = (db: Queryable, { analysisId, jobId, attempt }: Fence) =>
  db
    .updateTable('analyses')
    .where('id', '=', analysisId)
    .where('job_id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'PROCESSING');

/** Writes how far it is; progress never falls, and a stage that is behind changes nothing. Returns what holds now, or null when the attempt no longer counts. */
export async function advance(
  db: Queryable,
  fence: Fence,
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

/** Hands the analysis to a job that starts later. False when the attempt no longer counts. */
export async function park(db: Queryable, fence: Fence, jobId: string): Promise<boolean> {
  const row = await fenced(db, fence)
    .set({ stage: 'waiting', job_id: jobId, attempt: 0 })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function complete(db: Queryable, fence: Fence, document: string): Promise<boolean> {
  const row = await fenced(db, fence)
    .set({ status: 'COMPLETED', stage: null, progress: 100, document, completed_at: sql<Date>`now()` })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export type Failure = { code: string; message: string; document: string };

export async function fail(db: Queryable, analysisId: string, fence: Fence | null, failure: Failure): Promise<boolean> {
  const update = fence
    ? fenced(db, fence)
    : db.updateTable('analyses').where('id', '=', analysisId).where('status', '=', 'PROCESSING');
  const row = await update
    .set({
      status: 'FAILED',
      stage: null,
      problem_code: failure.code,
      problem_message: failure.message,
      document: failure.document,
      completed_at: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Analyses of these videos that have not ended, locked. `waitingOnly`: those that wait for their video or for another analysis of it. */
export async function lockProcessing(
  trx: Transaction,
  videoIds: readonly string[],
  waitingOnly: boolean,
): Promise<(AnalysisRow & { jobId: string | null })[]> {
  const rows = await selectRow(trx)
    .select('job_id as jobId')
    .where('video_id', '=', sql<string>`any(${videoIds}::text[])`)
    .where('status', '=', 'PROCESSING')
    .$if(waitingOnly, (query) => query.where('stage', '=', 'waiting'))
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(rowOf);
}

/** Gives waiting analyses to new jobs, in the same order. */
export async function reassign(trx: Transaction, analysisIds: readonly string[], jobIds: readonly string[]) {
  await sql`
    update analyses set job_id = next.job_id, attempt = 0
    from unnest(${analysisIds}::text[], ${jobIds}::text[]) as next (id, job_id)
    where analyses.id = next.id`.execute(trx);
}

/** Hides the documents of a video's ended analyses while it is deleted, but for those that say so; or shows them again. */
export async function hideDocuments(trx: Transaction, videoId: string, hidden: boolean): Promise<void> {
  await trx
    .updateTable('analyses')
    .set({ hidden })
    .where('video_id', '=', videoId)
    .where((or) => or.or([or('problem_code', 'is', null), or('problem_code', '<>', 'video_deleted')]))
    .execute();
}

/** Drops the documents of a video's ended analyses. Returns the ids of all its analyses. */
export async function forgetDocuments(trx: Transaction, videoId: string): Promise<string[]> {
  const rows = await trx
    .updateTable('analyses')
    .set((eb) => ({
      document: eb.case().when('problem_code', '=', 'video_deleted').then(eb.ref('document')).else(null).end(),
    }))
    .where('video_id', '=', videoId)
    .where('status', '<>', 'PROCESSING')
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function findById(db: Queryable, analysisId: string): Promise<AnalysisRow | null> {
  const row = await selectRow(db).where('id', '=', analysisId).executeTakeFirst();
  return row ? rowOf(row) : null;
}

type ShownRow = Omit<AnalysisRow, 'plan'> & { text: string | null; answer: string | null };

/** Plain SQL, written once: on the hottest path, putting a query together costs more than running it. */
const SHOWN_COLUMNS = ROW.filter((column) => column !== 'plan')
  .map((column) => column.replace(/ as (\w+)$/, ' as "$1"'))
  .join(', ');
const selectShown = (part: 'document' | 'events') =>
  `select ${SHOWN_COLUMNS}, case when not hidden then ${part} end as text, case when not hidden then answer end as answer
   from analyses where id = $1 and video_id = $2`;
const SELECT_WITH = { document: selectShown('document'), events: selectShown('events') };

/** The row with the text of its document or of the document's events, and the answer. */
export async function findWith(
  db: Queryable,
  videoId: string,
  analysisId: string,
  part: keyof typeof SELECT_WITH,
): Promise<ShownRow | null> {
  const { rows } = await db.executeQuery<ShownRow>(CompiledQuery.raw(SELECT_WITH[part], [analysisId, videoId]));
  return rows[0] ?? null;
}

type Frame = { videoId: string; timeS: number; boxes: Box[] };

/** One evidence frame by its place in the analysis's document; null when there is no such frame, or no document (any more). */
export async function findFrame(
  db: Queryable,
  analysisId: string,
  { event, frame }: { event: number; frame: number },
): Promise<Frame | null> {
  const path = sql.val([event, 'data', 'evidence', 'frames', frame].map(String));
  const row = await db
    .selectFrom('analyses')
    .select(['video_id as videoId', sql<string | null>`events #> ${path}::text[]`.as('text')])
    .where('id', '=', analysisId)
    .where('hidden', '=', false)
    .executeTakeFirst();
  if (!row || row.text === null) return null;
  const { time_s, boxes } = JSON.parse(row.text) as { time_s: number; boxes: Box[] };
  return { videoId: row.videoId, timeS: time_s, boxes };
}

/** Whether its document, and so its pictures, may be seen: its video is there. */
export async function isShown(db: Queryable, analysisId: string): Promise<boolean> {
  const row = await db
    .selectFrom('analyses')
    .select('id')
    .where('id', '=', analysisId)
    .where('hidden', '=', false)
    .executeTakeFirst();
  return row !== undefined;
}

/** Id of the video's newest analysis that this caller may read. */
export async function latest(
  db: Queryable,
  videoId: string,
  caller: { orgId: string; userId: string },
  wholeOrg: boolean,
): Promise<string | null> {
  const row = await db
    .selectFrom('analyses')
    .select('id')
    .where('video_id', '=', videoId)
    .where('org_id', '=', caller.orgId)
    .where(sql<SqlBool>`(${wholeOrg} or scope = 'org' or owner_id = ${caller.userId})`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
