import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { EventKey } from '../event-index/index.ts';
import { lockVideos } from '../event-index/store.ts';
import { type AnalysisRow, ROW, rowOf, selectRow } from '../store.ts';

/** An analysis with its document as JSON text. */
export type LockedAnalysis = AnalysisRow & { document: string; folderId: string | null };

/** Those of the analyses that exist. */
export async function findAnalyses(db: Queryable, analysisIds: readonly string[]): Promise<AnalysisRow[]> {
  const rows = await selectRow(db).where(sql<SqlBool>`id = any(${analysisIds}::text[])`).execute();
  return rows.map(rowOf);
}

/**
 * Locks completed analyses of existing videos, and their videos first, in the order of their ids. Others are left out.
 */
export async function lockAnalyses(trx: Transaction, analysisIds: readonly string[]): Promise<LockedAnalysis[]> {
  const wanted = sql<SqlBool>`analyses.id = any(${analysisIds}::text[])`;
  await lockVideosOf(trx, wanted);
  const rows = await trx
    .selectFrom('analyses')
    .innerJoin('videos', 'videos.id', 'analyses.videoId')
    .select(ROW.map((column) => `analyses.${column}` as const))
    .select(['analyses.document', 'videos.folderId'])
    .where(wanted)
    .where('analyses.status', '=', 'COMPLETED')
    .where('analyses.hidden', '=', false)
    .where('analyses.document', 'is not', null)
    .orderBy('analyses.id')
    .forUpdate('analyses')
    .execute();
  return rows.map((row) => ({ ...rowOf(row), document: row.document!, folderId: row.folderId }));
}

async function lockVideosOf(trx: Transaction, wanted: RawBuilder<SqlBool>): Promise<void> {
  const videos = await trx.selectFrom('analyses').select('videoId').distinct().where(wanted).execute();
  await lockVideos(
    trx,
    videos.map(({ videoId }) => videoId),
  );
}

export async function saveDocument(trx: Transaction, analysisId: string, document: string): Promise<void> {
  await trx
    .updateTable('analyses')
    .set((eb) => ({ document, reviewCount: eb('reviewCount', '+', 1) }))
    .where('id', '=', analysisId)
    .execute();
}

/**
 * Leases these events to a user, those that the caller may see and that nobody else has; null as user releases them.
 * With `force` also those that somebody else has. Returns the changed ones.
 */
export async function leaseEvents(
  trx: Transaction,
  caller: Caller,
  events: readonly EventKey[],
  { userId, until, force }: { userId: string | null; until: Date | null; force: boolean },
): Promise<EventKey[]> {
  // The incidents of a video change rows in another order.
  const ids = events.map(({ analysisId }) => analysisId);
  await lockVideosOf(trx, sql<SqlBool>`analyses.id = any(${ids}::text[])`);
  const { rows } = await sql<EventKey>`
    update analysis_events set lease_user_id = ${userId}, lease_until = ${until}
    where (analysis_id, position) in (
        select analysis_id, position from analysis_events
        where (analysis_id, position) in (
            select * from unnest(${events.map((e) => e.analysisId)}::text[], ${events.map((e) => e.position)}::integer[]))
          and ${isReadable(caller, 'analysisEvents')}
          and (${caller.folderId ?? null}::text is null or folder_id = ${caller.folderId ?? null})
          and (${force} or lease_user_id is null or lease_user_id = ${caller.userId} or lease_until < now())
        order by analysis_id, position for update)
    returning analysis_id, position`.execute(trx);
  return rows;
}
