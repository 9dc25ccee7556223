import { isDeepStrictEqual } from 'node:util';
import { type SqlBool, sql } from 'kysely';
import type { VerifyMode } from '#engine/index';
import type { StoredClock } from '#features/videos/index';
import type { Queryable } from '#platform/db/index';
import type { VideoClock } from './recorded-times.ts';

/** The document unless it is hidden. */
const SHOWN = sql<string | null>`case when not analyses.hidden then document end`;

export type BatchDocument = VideoClock & {
  videoId: string;
  analysisId: string;
  document: string | null;
  sourceUri: string | null;
};

/** Documents are read in groups of at most this many bytes, in their compressed size. */
const GROUP_BYTES = 2 * 2 ** 20;

/**
 * Documents of a batch's analyses of the given videos, in the order of the batch. They are read in groups, as a
 * document may have megabytes.
 */
export async function* streamBatchDocuments(
  db: Queryable,
  batchId: string,
  videoIds: readonly string[],
  sourceUri: boolean,
): AsyncGenerator<BatchDocument[]> {
  const sizes = await db
    .selectFrom('analyses')
    .select(['id', sql<number>`coalesce(pg_column_size(document), 0)`.as('bytes')])
    .where('batchId', '=', batchId)
    .where(sql<SqlBool>`video_id = any(${videoIds}::text[])`)
    .orderBy('position')
    .execute();
  const uri = sourceUri ? sql<string | null>`document #>> '{metadata,import_source_uri}'` : sql<null>`null`;
  for (let next = 0; next < sizes.length; ) {
    const ids: string[] = [];
    for (let bytes = 0; next < sizes.length && bytes < GROUP_BYTES; next++) {
      ids.push(sizes[next]!.id);
      bytes += sizes[next]!.bytes;
    }
    yield await db
      .selectFrom('analyses')
      .leftJoin('videos', 'videos.id', 'analyses.videoId')
      .select(['videoId', 'analyses.id as analysisId', SHOWN.as('document'), uri.as('sourceUri')])
      .select(['videos.recordedAt', 'videos.timeZone', sql<StoredClock | null>`videos.clock`.as('clock')])
      .where(sql<SqlBool>`analyses.id = any(${ids}::text[])`)
      .orderBy('position')
      .execute();
  }
}

export type BatchAnalysis = {
  videoId: string;
  analysisId: string;
  status: string;
  stage: string | null;
  progress: number;
  problemCode: string | null;
  problemMessage: string | null;
  /** The reason why nothing of the video was searched; null if it was. */
  missed: Missed | null;
};

/** `outside`: recorded at another time than the prompt names; `no_clock`: it is not known when. */
type Missed = 'outside' | 'no_clock';

/** Analyses of a batch in its order, without documents. */
export async function listBatchAnalyses(db: Queryable, batchId: string): Promise<BatchAnalysis[]> {
  const rows = await db
    .selectFrom('analyses')
    .select(['videoId', 'id as analysisId', 'status', 'stage', 'progress', 'problemCode', 'problemMessage', 'missed'])
    .where('batchId', '=', batchId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({ ...row, missed: row.missed as Missed | null }));
}

/** Videos that can be queried again, and the settings of their query. */
export type FailedVideos = {
  videoIds: string[];
  plan: unknown;
  /** Plans by the ids of the videos, where they differ; else null. */
  plans: Map<string, unknown> | null;
  minConfidence: number | null;
  outputSchema: unknown;
  verify: VerifyMode | null;
  visionProfile: string | null;
  detector: string | null;
  timeZone: string | null;
  /** The moment of asking. */
  requestedAt: Date | null;
  preliminary: boolean;
};

/** Existing videos of a batch whose analysis failed, in its order. */
export async function listFailedVideos(db: Queryable, batchId: string): Promise<FailedVideos> {
  const rows = await db
    .selectFrom('analyses')
    .innerJoin('videos', 'videos.id', 'analyses.videoId')
    .select(['analyses.videoId', 'analyses.plan', 'analyses.minConfidence', 'analyses.outputSchema', 'analyses.verify'])
    .select(['analyses.visionProfile', 'analyses.detector', 'analyses.timeZone'])
    .select(sql<Date>`coalesce(analyses.requested_at, analyses.created_at)`.as('requestedAt'))
    .select(({ eb }) => eb('analyses.preliminary', 'is not', null).as('preliminary'))
    .where('analyses.batchId', '=', batchId)
    .where('analyses.status', '=', 'FAILED')
    .where('videos.deletedAt', 'is', null)
    .orderBy('position')
    .execute();
  const [first] = rows;
  const videoIds = rows.map(({ videoId }) => videoId);
  const { plan = null, minConfidence = null, outputSchema = null, verify = null } = first ?? {};
  const { visionProfile = null, detector = null, timeZone = null, requestedAt = null } = first ?? {};
  const preliminary = first?.preliminary === true;
  const models = { visionProfile, detector, verify: verify as VerifyMode | null };
  const differ = rows.some((row) => !isDeepStrictEqual(row.plan, plan));
  const plans = differ ? new Map(rows.map((row) => [row.videoId, row.plan])) : null;
  return { videoIds, plan, plans, minConfidence, outputSchema, timeZone, requestedAt, preliminary, ...models };
}
