import { sql } from 'kysely';
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

/** Videos whose run of a question was completed in an interval and that its owner may use, and their events. */
export async function findResults(
  trx: Transaction,
  { questionId, owner, from, to }: { questionId: string; owner: Principal; from: Date; to: Date },
): Promise<{ videoCount: number; events: (DigestEvent & { category: string })[] }> {
  const runs = await trx
    .selectFrom('savedQuestionRuns as run')
    .innerJoin('videos', 'videos.id', 'run.videoId')
    .select('run.analysisId')
    .where('run.questionId', '=', questionId)
    .where('run.status', '=', 'completed')
    .where('run.endedAt', '>=', from)
    .where('run.endedAt', '<', to)
    .where('videos.deletedAt', 'is', null)
    .where(isUsable(owner, 'videos'))
    .execute();
  const analysisIds = runs.flatMap(({ analysisId }) => analysisId ?? []);
  const events = await trx
    .selectFrom('analysisEvents as event')
    .innerJoin('videos', 'videos.id', 'event.videoId')
    .select(['event.analysisId', 'event.position', 'event.videoId', 'videos.name as videoName', 'event.label'])
    .select(['event.type as category', 'event.confidence', 'event.startS', 'event.approval'])
    .where('event.analysisId', '=', sql<string>`any(${analysisIds}::text[])`)
    .orderBy('event.confidence', 'desc')
    .orderBy('event.analysisId')
    .orderBy('event.position')
    .limit(MAX_EVENTS)
    .execute();
  return { videoCount: runs.length, events };
}
