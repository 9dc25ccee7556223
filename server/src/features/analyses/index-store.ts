import { sql } from 'kysely';
import type { CaptionMode, CausationAnnotation } from '#engine/index';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable } from '#platform/db/index';

/** The index of a video: the captions of an analysis of the whole video. Times are seconds from the first frame. */
export type StoredIndex = {
  videoId: string;
  analysisId: string;
  batchId: string | null;
  status: 'PROCESSING' | 'COMPLETED' | 'FAILED';
  captions: { startS: number; endS: number; text: string }[];
  /** Limits of the captions. */
  warnings: string[];
  /** Reason of a failure. */
  problem: { code: string; message: string } | null;
};

type Event = { start_s: number; end_s: number; description: string };

/** The newest index of each of these videos in a mode that the caller may read. Those of deleted videos are hidden. */
export async function findIndexes(
  db: Queryable,
  caller: Principal,
  videoIds: readonly string[],
  mode: CaptionMode,
): Promise<StoredIndex[]> {
  const rows = await db
    .selectFrom('analyses')
    .distinctOn('videoId')
    .select(['videoId', 'id as analysisId', 'batchId', 'status', 'problemCode', 'problemMessage', 'events'])
    .select(sql<string | null>`document #>> '{analysis,coverage}'`.as('coverage'))
    .where('captionMode', '=', mode)
    .where('videoId', '=', sql<string>`any(${videoIds}::text[])`)
    .where('hidden', '=', false)
    .where(isReadable(caller, 'analyses'))
    .orderBy('videoId')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ videoId, analysisId, batchId, status, problemCode, problemMessage, events, coverage }) => ({
    videoId,
    analysisId,
    batchId,
    status: status as StoredIndex['status'],
    captions: parse<Event>(events).map(({ start_s, end_s, description }) => ({
      startS: start_s,
      endS: end_s,
      text: description,
    })),
    warnings: parse<{ reason: string | null }>(coverage).flatMap(({ reason }) => reason ?? []),
    problem: problemCode === null ? null : { code: problemCode, message: problemMessage ?? '' },
  }));
}

/** Reasons of the vehicle's actions, or the reason why they are not known. */
export type StoredCausation = { annotations: CausationAnnotation[] } | { reason: string | null };

type AnnotationDocument = {
  keyframe_s: number;
  decision: CausationAnnotation['decision'];
  critical_components: CausationAnnotation['criticalComponents'];
  chain_of_causation: string;
};

/** Annotations of the newest captions of a drive that the caller may read; null without captions. */
export async function findCausation(
  db: Queryable,
  caller: Principal,
  videoId: string,
): Promise<StoredCausation | null> {
  const row = await db
    .selectFrom('analyses')
    .select(sql<string | null>`document #>> '{analysis,causation}'`.as('causation'))
    .select(sql<string | null>`document #>> '{analysis,coverage}'`.as('coverage'))
    .where('captionMode', '=', 'driving')
    .where('status', '=', 'COMPLETED')
    .where('videoId', '=', videoId)
    .where('hidden', '=', false)
    .where(isReadable(caller, 'analyses'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  if (row.causation !== null) {
    const annotations = parse<AnnotationDocument>(row.causation).map((each) => ({
      keyframeS: each.keyframe_s,
      decision: each.decision,
      criticalComponents: each.critical_components,
      chainOfCausation: each.chain_of_causation,
    }));
    return { annotations };
  }
  const rows = parse<{ text: string; reason: string | null }>(row.coverage);
  return { reason: rows.find(({ text }) => text === 'causes')?.reason ?? null };
}

/** The database returns JSON columns as text. */
const parse = <T>(json: unknown): T[] => (typeof json === 'string' ? JSON.parse(json) : (json ?? [])) as T[];
