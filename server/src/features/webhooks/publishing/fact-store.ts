import { sql } from 'kysely';
import type { EventKey } from '#features/analyses/index';
import type { Transaction } from '#platform/db/index';

/** Texts of messages are shortened to this length, so that a message has a bounded size. */
export const MAX_TEXT = 1_000;

export async function findVideos(trx: Transaction, ids: readonly string[]) {
  return trx
    .selectFrom('videos')
    .select(['id', 'name', 'folderId', 'durationS', 'sizeBytes', 'source', 'problemCode', 'problemMessage'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

export async function findAnalysis(trx: Transaction, id: string) {
  return trx
    .selectFrom('analyses')
    .innerJoin('videos', 'videos.id', 'analyses.videoId')
    .select(['videos.name as videoName', 'videos.folderId', 'analyses.mode'])
    .select(sql<string>`left(analyses.query, ${MAX_TEXT})`.as('query'))
    .where('analyses.id', '=', id)
    .executeTakeFirst();
}

const selectEvents = (trx: Transaction) =>
  trx
    .selectFrom('analysisEvents')
    .innerJoin('videos', 'videos.id', 'analysisEvents.videoId')
    .select(['analysisId', 'position', 'batchId', 'videoId', 'videos.name as videoName', 'videos.folderId', 'type'])
    .select(sql<string>`left(label, ${MAX_TEXT})`.as('label'))
    .select(['severity', 'confidence', 'startS', 'endS', 'approval', 'added', 'incidentId']);

export type EventFacts = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number];

/** The first events of an analysis, in their order. */
export const findEventsOf = (trx: Transaction, analysisId: string, limit: number): Promise<EventFacts[]> =>
  selectEvents(trx).where('analysisId', '=', analysisId).orderBy('position').limit(limit).execute();

export async function findEvents(trx: Transaction, events: readonly EventKey[]): Promise<EventFacts[]> {
  const ids = events.map(({ analysisId }) => analysisId);
  const positions = events.map(({ position }) => position);
  const keys = sql`select * from unnest(${ids}::text[], ${positions}::integer[])`;
  return selectEvents(trx)
    .where(sql<boolean>`(analysis_id, position) in (${keys})`)
    .orderBy('analysisId')
    .orderBy('position')
    .execute();
}

/** E-mail address of a member; null if the user does not exist. */
export async function findMember(trx: Transaction, id: string): Promise<string | null> {
  const row = await trx.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst();
  return row?.email ?? null;
}
