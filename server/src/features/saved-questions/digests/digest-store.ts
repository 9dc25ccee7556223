import { sql } from 'kysely';
import { calendarConditions } from '#features/videos/index';
import { isUsable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { DigestEvent } from './summary.ts';

/** The content of a digest without its recap. */
export type DigestContent = { lines: string[]; eventCount: number; videoCount: number };
export type WaitingDigest = { questionId: string; day: string; exportId: string | null; content: DigestContent };

const MAX_EVENTS = 10_000;

/** The latest day of each of these questions that has a digest. */
export async function findLatestDays(db: Queryable, questionIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('savedQuestionDigests')
    .select(['questionId', sql<string>`max(day)`.as('day')])
    .where('questionId', '=', sql<string>`any(${questionIds}::text[])`)
    .groupBy('questionId')
    .execute();
  return new Map(rows.map(({ questionId, day }) => [questionId, day]));
}

/** Reserves the digest of a day. False if there is one. */
export async function insertDigest(trx: Transaction, questionId: string, day: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('savedQuestionDigests')
    .values({ questionId, day, status: 'rendering', content: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function setContent(
  trx: Transaction,
  { questionId, day, exportId, content }: WaitingDigest,
): Promise<void> {
  await trx
    .updateTable('savedQuestionDigests')
    .set({ exportId, content: JSON.stringify(content) })
    .where('questionId', '=', questionId)
    .where('day', '=', day)
    .execute();
}

/** Digests that wait for their recap, oldest first, with their age in seconds. */
export async function listWaiting(db: Queryable): Promise<(WaitingDigest & { ageS: number })[]> {
  const rows = await db
    .selectFrom('savedQuestionDigests')
    .select(['questionId', 'day', 'exportId', 'content'])
    .select(sql<number>`extract(epoch from now() - created_at)::float8`.as('ageS'))
    .where('status', '=', 'rendering')
    .orderBy('createdAt')
    .execute();
  return rows as (WaitingDigest & { ageS: number })[];
}

/** Marks a digest as sent. False if another worker has. */
export async function markSent(trx: Transaction, questionId: string, day: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('savedQuestionDigests')
    .set({ status: 'sent' })
    .where('questionId', '=', questionId)
    .where('day', '=', day)
    .where('status', '=', 'rendering')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Results of a question about a day. */
export type DigestResults = {
  /** Videos that were recorded on that day, and events of that day, whenever they were analyzed. */
  recorded: { videoCount: number; events: StoredDigestEvent[] };
  /** Videos that were analyzed on that day and of which it is not known when they were recorded. */
  undated: { videos: string[]; events: StoredDigestEvent[] };
  /** Videos that were analyzed on that day and recorded on another one. */
  late: { videoCount: number; eventCount: number };
};
type StoredDigestEvent = DigestEvent & { category: string };

/** Results of a question about a day, on videos that its owner may use. */
export async function findResults(
  trx: Transaction,
  { questionId, owner, from, to }: { questionId: string; owner: Principal; from: Date; to: Date },
): Promise<DigestResults> {
  const ofDay = { recordedAfter: from, recordedBefore: to };
  const inDay = sql<boolean>`${sql.join(
    calendarConditions(ofDay, { startS: sql`0`, endS: sql`coalesce(videos.duration_s, 0)` }),
    sql` and `,
  )}`;
  const endedInDay = sql<boolean>`run.ended_at >= ${from} and run.ended_at < ${to}`;
  const runs = await trx
    .selectFrom('savedQuestionRuns as run')
    .innerJoin('videos', 'videos.id', 'run.videoId')
    .select(['run.analysisId', 'videos.name', sql<boolean>`videos.recorded_at is not null`.as('isDated')])
    .select(sql<boolean>`coalesce(${inDay}, false)`.as('isOfDay'))
    .where('run.questionId', '=', questionId)
    .where('run.status', '=', 'completed')
    .where(sql<boolean>`(${endedInDay} or ${inDay})`)
    .where('videos.deletedAt', 'is', null)
    .where(isUsable(owner, 'videos'))
    .orderBy('videos.name')
    .execute();
  const idsOf = (own: typeof runs) => own.flatMap(({ analysisId }) => analysisId ?? []);
  const ofDate = runs.filter(({ isOfDay }) => isOfDay);
  const undated = runs.filter(({ isDated }) => !isDated);
  const late = runs.filter(({ isDated, isOfDay }) => isDated && !isOfDay);
  const at = sql`event.start_s`;
  const events = selectEvents(trx, idsOf(ofDate));
  const conditions = calendarConditions(ofDay, { startS: at, endS: at });
  return {
    recorded: {
      videoCount: ofDate.length,
      events: await conditions.reduce((query, condition) => query.where(condition), events).execute(),
    },
    undated: { videos: undated.map(({ name }) => name), events: await selectEvents(trx, idsOf(undated)).execute() },
    late: { videoCount: late.length, eventCount: (await selectEvents(trx, idsOf(late)).execute()).length },
  };
}

const selectEvents = (trx: Transaction, analysisIds: readonly string[]) =>
  trx
    .selectFrom('analysisEvents as event')
    .innerJoin('videos', 'videos.id', 'event.videoId')
    .select(['event.analysisId', 'event.position', 'event.videoId', 'videos.name as videoName', 'event.label'])
    .select(['event.type as category', 'event.confidence', 'event.startS', 'event.approval'])
    .where('event.analysisId', '=', sql<string>`any(${analysisIds}::text[])`)
    .orderBy('event.confidence', 'desc')
    .orderBy('event.analysisId')
    .orderBy('event.position')
    .limit(MAX_EVENTS);
