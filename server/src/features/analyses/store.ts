import { CompiledQuery, sql } from 'kysely';
import type { ActionWorkflow, CaptionMode, LanguageModelUsage, PreliminaryEvent, VerifyMode } from '#engine/index';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { LabeledBox } from '#platform/media/index';
import type { VideoClock } from './recorded-times.ts';
import type { AnalysisClass, AnalysisHeader } from './types.ts';

export type AnalysisRow = Omit<AnalysisHeader, 'engineVersion'> & {
  orgId: string;
  ownerId: string;
  scope: 'user' | 'org';
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED';
  stage: string | null;
  progress: number;
  /** The plan that the client sent; null if it sent none. */
  plan: unknown;
  /** The checked schema of requested fields; null without one. */
  outputSchema: unknown;
  /** API key that requested it; null if a user did. */
  keyId: string | null;
  /** Which events of observers a vision-language model verifies. */
  verify: VerifyMode;
  /** Captions of the whole video for this kind of footage, instead of an answer to the query; null for a query. */
  captionMode: CaptionMode | null;
  /** The actions of the video, instead of an answer to the query; null for a query. */
  workflow: ActionWorkflow | null;
  /** Name of the vision profile that the request states; null: that of the folder, else of the service. */
  visionProfile: string | null;
  /** Name of the detector that the request states; null: that of the service. */
  detector: string | null;
  /** The class of its job: who waits for it. */
  jobClass: AnalysisClass;
  /** Use of the language model that read the prompt before the analysis started; null without one. */
  reading: LanguageModelUsage | null;
  /** Time zone of the person who asks; null: that of the video. */
  timeZone: string | null;
  /** Moment from which "yesterday" counts; null: that of its creation. */
  requestedAt: Date | null;
  /** Events that were reported before the analysis ends; null if none were requested. */
  preliminary: PreliminaryEvent[] | null;
  problemCode: string | null;
  problemMessage: string | null;
  completedAt: Date | null;
};

export type NewAnalysis = Pick<
  AnalysisRow,
  | 'analysisId'
  | 'videoId'
  | 'batchId'
  | 'query'
  | 'mode'
  | 'minConfidence'
  | 'orgId'
  | 'ownerId'
  | 'scope'
  | 'plan'
  | 'outputSchema'
  | 'keyId'
  | 'verify'
  | 'captionMode'
  | 'workflow'
  | 'visionProfile'
  | 'detector'
  | 'jobClass'
  | 'reading'
  | 'timeZone'
  | 'requestedAt'
  | 'preliminary'
> & { position: number; jobId: string };

export const ROW = [
  'id as analysisId',
  'orgId',
  'ownerId',
  'videoId',
  'batchId',
  'scope',
  'query',
  'mode',
  'minConfidence',
  'plan',
  'outputSchema',
  'keyId',
  'verify',
  'captionMode',
  'workflow',
  'visionProfile',
  'detector',
  'jobClass',
  'reading',
  'timeZone',
  'requestedAt',
  'preliminary',
  'status',
  'stage',
  'progress',
  'problemCode',
  'problemMessage',
  'createdAt',
  'completedAt',
] as const;

/** The database types enumerations as text. */
type Selected = {
  [Column in keyof AnalysisRow]: Column extends 'scope' | 'mode' | 'status' | 'verify' | 'jobClass'
    ? string
    : Column extends 'captionMode' | 'workflow'
      ? string | null
      : Column extends 'reading' | 'preliminary'
        ? unknown
        : AnalysisRow[Column];
};
export const rowOf = <Row extends Selected>(row: Row) => row as Row & AnalysisRow;

export function selectRow(db: Queryable) {
  return db.selectFrom('analyses').select(ROW);
}

export async function insertAnalyses(trx: Transaction, analyses: readonly NewAnalysis[]): Promise<void> {
  const values = analyses.map((a) => ({
    id: a.analysisId,
    orgId: a.orgId,
    ownerId: a.ownerId,
    videoId: a.videoId,
    batchId: a.batchId,
    position: a.position,
    scope: a.scope,
    query: a.query,
    mode: a.mode,
    minConfidence: a.minConfidence,
    plan: a.plan === null ? null : JSON.stringify(a.plan),
    captionMode: a.captionMode,
    workflow: a.workflow,
    visionProfile: a.visionProfile,
    detector: a.detector,
    jobClass: a.jobClass,
    reading: a.reading === null ? null : JSON.stringify(a.reading),
    outputSchema: a.outputSchema === null ? null : JSON.stringify(a.outputSchema),
    keyId: a.keyId,
    verify: a.verify,
    timeZone: a.timeZone,
    requestedAt: a.requestedAt,
    preliminary: a.preliminary === null ? null : JSON.stringify(a.preliminary),
    status: 'PROCESSING',
    jobId: a.jobId,
  }));
  // PostgreSQL takes at most 65,535 parameters in a statement.
  for (let i = 0; i < values.length; i += 1000) {
    await trx
      .insertInto('analyses')
      .values(values.slice(i, i + 1000))
      .execute();
  }
}

export type CompletedAnalysis = Pick<
  AnalysisRow,
  'analysisId' | 'orgId' | 'ownerId' | 'videoId' | 'batchId' | 'scope' | 'query' | 'mode' | 'minConfidence' | 'plan'
> & { document: string };

/** Stores an analysis that no job runs. */
export async function insertCompleted(
  trx: Transaction,
  { analysisId: id, plan, ...analysis }: CompletedAnalysis,
): Promise<void> {
  await trx
    .insertInto('analyses')
    .values({
      ...analysis,
      id,
      position: 0,
      plan: JSON.stringify(plan),
      status: 'COMPLETED',
      progress: 100,
      eventsIndexed: true,
      completedAt: sql<Date>`now()`,
    })
    .execute();
}

/** Number of analyses of a user and class that have not ended. */
export async function countWaiting(db: Queryable, ownerId: string, jobClass: AnalysisClass): Promise<number> {
  const { count } = await db
    .selectFrom('analyses')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('ownerId', '=', ownerId)
    .where('jobClass', '=', jobClass)
    .where('status', '=', 'PROCESSING')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Locks the running analyses of these videos. With `waitingOnly` those that wait for their video or another analysis.
 */
export async function lockProcessing(
  trx: Transaction,
  videoIds: readonly string[],
  waitingOnly: boolean,
): Promise<(AnalysisRow & { jobId: string | null })[]> {
  const rows = await selectRow(trx)
    .select('jobId')
    .where('videoId', '=', sql<string>`any(${videoIds}::text[])`)
    .where('status', '=', 'PROCESSING')
    .$if(waitingOnly, (query) => query.where('stage', '=', 'waiting'))
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(rowOf);
}

/** Locks the running analyses of a batch. */
export async function lockBatch(trx: Transaction, batchId: string) {
  const rows = await selectRow(trx)
    .select('jobId')
    .where('batchId', '=', batchId)
    .where('status', '=', 'PROCESSING')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(rowOf);
}

/**
 * Hides or shows the documents of a video's ended analyses. Documents that state the deletion of the video stay
 * visible.
 */
export async function hideDocuments(trx: Transaction, videoId: string, hidden: boolean): Promise<void> {
  await trx
    .updateTable('analyses')
    .set({ hidden })
    .where('videoId', '=', videoId)
    .where((or) => or.or([or('problemCode', 'is', null), or('problemCode', '<>', 'video_deleted')]))
    .execute();
}

/** Deletes the documents of a video's ended analyses. Returns the ids of these analyses. */
export async function deleteDocuments(trx: Transaction, videoId: string): Promise<string[]> {
  const rows = await trx
    .updateTable('analyses')
    .set((eb) => ({
      document: eb.case().when('problemCode', '=', 'video_deleted').then(eb.ref('document')).else(null).end(),
    }))
    .where('videoId', '=', videoId)
    .where('status', '<>', 'PROCESSING')
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Locks the analysis; null if it does not exist. */
export async function lockById(
  trx: Transaction,
  videoId: string,
  analysisId: string,
): Promise<(AnalysisRow & { jobId: string | null }) | null> {
  const query = selectRow(trx).select('jobId').where('id', '=', analysisId).where('videoId', '=', videoId);
  const row = await query.forUpdate().executeTakeFirst();
  return row ? rowOf(row) : null;
}

export async function deleteAnalysis(trx: Transaction, analysisId: string): Promise<void> {
  await trx.deleteFrom('analyses').where('id', '=', analysisId).execute();
}

export async function findById(db: Queryable, analysisId: string): Promise<AnalysisRow | null> {
  const row = await selectRow(db).where('id', '=', analysisId).executeTakeFirst();
  return row ? rowOf(row) : null;
}

type ShownRow = Omit<
  AnalysisRow,
  | 'plan'
  | 'outputSchema'
  | 'keyId'
  | 'verify'
  | 'captionMode'
  | 'workflow'
  | 'visionProfile'
  | 'detector'
  | 'preliminary'
> &
  VideoClock & {
    text: string | null;
    answer: string | null;
  };

/** Plain SQL: on the hottest path, building a query costs more than running it. */
const SHOWN_COLUMNS = `a.id as analysis_id, a.org_id, a.owner_id, a.video_id, a.batch_id, a.scope, a.query, a.mode, a.min_confidence, a.status,
  a.stage, a.progress, a.problem_code, a.problem_message, a.created_at, a.completed_at, videos.recorded_at, videos.time_zone, videos.clock`;
const selectShown = (part: 'document' | 'events') =>
  `select ${SHOWN_COLUMNS}, case when not hidden then a.${part} end as text, case when not hidden then a.answer end as answer
   from analyses a left join videos on videos.id = a.video_id where a.id = $1 and a.video_id = $2`;
const SELECT_WITH = { document: selectShown('document'), events: selectShown('events') };

/** The row with its answer, and the text of its document or of its events. */
export async function findWith(
  db: Queryable,
  videoId: string,
  analysisId: string,
  part: keyof typeof SELECT_WITH,
): Promise<ShownRow | null> {
  const { rows } = await db.executeQuery<ShownRow>(CompiledQuery.raw(SELECT_WITH[part], [analysisId, videoId]));
  return rows[0] ?? null;
}

type Frame = { videoId: string; timeS: number; boxes: LabeledBox[] };

/** An evidence frame by its indexes in the document; null if there is no such frame or document. */
export async function findFrame(
  db: Queryable,
  analysisId: string,
  { event, frame, kind }: { event: number; frame: number; kind: 'event' | 'candidate' },
): Promise<Frame | null> {
  const path = sql.val([event, 'data', 'evidence', 'frames', frame].map(String));
  const events = kind === 'event' ? sql`events` : sql`document #> '{analysis,candidates}'`;
  const row = await db
    .selectFrom('analyses')
    .select(['videoId', sql<string | null>`${events} #> ${path}::text[]`.as('text')])
    .where('id', '=', analysisId)
    .where('hidden', '=', false)
    .executeTakeFirst();
  if (!row || row.text === null) return null;
  const { time_s, boxes } = JSON.parse(row.text) as { time_s: number; boxes: LabeledBox[] };
  return { videoId: row.videoId, timeS: time_s, boxes };
}

/** Those of the videos to which a subtitle file was added. */
export async function withSubtitles(db: Queryable, videoIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from videos where id = any(${videoIds}::text[]) and metadata ? 'subtitles'`.execute(db);
  return rows.map(({ id }) => id);
}

/** The organizations of videos. */
export async function findOrganizations(
  db: Queryable,
  videoIds: readonly string[],
): Promise<{ videoId: string; orgId: string }[]> {
  const { rows } = await sql<{ videoId: string; orgId: string }>`
    select id as video_id, org_id from videos where id = any(${videoIds}::text[])`.execute(db);
  return rows;
}

/** True if the document and images may be read, that is, the video is not deleted. */
export async function isVisible(db: Queryable, analysisId: string): Promise<boolean> {
  const row = await db
    .selectFrom('analyses')
    .select('id')
    .where('id', '=', analysisId)
    .where('hidden', '=', false)
    .executeTakeFirst();
  return row !== undefined;
}

/** Id of the newest query of the video that the caller may read. */
export async function findLatestId(db: Queryable, videoId: string, caller: Principal): Promise<string | null> {
  const row = await db
    .selectFrom('analyses')
    .select('id')
    .where('videoId', '=', videoId)
    .where('captionMode', 'is', null)
    .where(isReadable(caller, 'analyses'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Queries of the video that the caller may read, newest first, before `before` (null: from the newest). */
export async function listByVideo(
  db: Queryable,
  { videoId, caller, before, limit }: { videoId: string; caller: Principal; before: string | null; limit: number },
): Promise<(AnalysisRow & { answer: string | null; eventCount: number })[]> {
  const rows = await selectRow(db)
    .select(['answer', sql<number>`coalesce(json_array_length(events), 0)`.as('eventCount')])
    .where('videoId', '=', videoId)
    .where('captionMode', 'is', null)
    .where(isReadable(caller, 'analyses'))
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(rowOf);
}
