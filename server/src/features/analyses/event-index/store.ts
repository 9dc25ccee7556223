import { type RawBuilder, sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';

/**
 * Derives rows from the documents of completed analyses; existing rows stay. An analysis of a personal video of
 * somebody else is visible to admins only, so its rows have no owner.
 */
const derive = (condition: RawBuilder<boolean>) => sql`
  insert into analysis_events (analysis_id, position, org_id, owner_id, scope, video_id, folder_id, batch_id,
    type, label, severity, confidence, start_s, end_s, image, created_at, words)
  select a.id, place - 1, a.org_id, case when v.scope <> 'user' or v.owner_id = a.owner_id then a.owner_id end, a.scope,
    a.video_id, v.folder_id, a.batch_id,
    coalesce(e.type, ''), coalesce(e.description, ''), coalesce(e.severity, 'low'),
    coalesce((e.data ->> 'confidence')::real, 0), coalesce(e.start_s, 0), coalesce(e.end_s, 0),
    substring(e.data ->> 'annotated_thumbnail_url' from ':([^:!]+)!$'), a.created_at,
    event_words(a.org_id, concat_ws(' ', e.type, e.description, a.query))
  from analyses a join videos v on v.id = a.video_id
    cross join lateral json_array_elements(a.events) with ordinality as element (event, place)
    cross join lateral json_to_record(event) as
      e (type text, description text, severity text, start_s float8, end_s float8, data json)
  where ${condition} and a.status = 'COMPLETED' and not a.hidden and v.deleted_at is null
  on conflict do nothing`;

/**
 * Locks the video, so that it is neither moved nor deleted while rows with its folder are stored. Lock it before its
 * analyses: a deletion locks in the same order.
 */
export async function lockVideo(trx: Transaction, videoId: string): Promise<void> {
  await sql`select from videos where id = ${videoId} for share`.execute(trx);
}

/** Stores the events of a completed analysis. */
export async function insertOfAnalysis(trx: Transaction, analysisId: string): Promise<void> {
  await derive(sql`a.id = ${analysisId}`).execute(trx);
}

/** Stores the events of all analyses of a video, after it was restored. */
export async function insertOfVideo(trx: Transaction, videoId: string): Promise<void> {
  await derive(sql`a.video_id = ${videoId}`).execute(trx);
}

export async function deleteOfVideo(trx: Transaction, videoId: string): Promise<void> {
  await trx.deleteFrom('analysisEvents').where('videoId', '=', videoId).execute();
}

/** Takes the folder and the visibility of the events from their video, after it was moved. */
export async function moveOfVideo(trx: Transaction, videoId: string): Promise<void> {
  await sql`
    update analysis_events e
    set folder_id = v.folder_id, owner_id = case when v.scope <> 'user' or v.owner_id = a.owner_id then a.owner_id end
    from videos v, analyses a where v.id = ${videoId} and e.video_id = v.id and a.id = e.analysis_id`.execute(trx);
}

/** Completed analyses whose events are not stored yet, newest first. */
export async function findNotIndexed(db: Queryable, limit: number): Promise<{ id: string; videoId: string }[]> {
  return db
    .selectFrom('analyses')
    .select(['id', 'videoId'])
    .where('status', '=', 'COMPLETED')
    .where('eventsIndexed', '=', false)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Stores the events of an analysis from an earlier version, unless another node has. */
export async function indexAnalysis(trx: Transaction, { id, videoId }: { id: string; videoId: string }): Promise<void> {
  await lockVideo(trx, videoId);
  const { numUpdatedRows } = await trx
    .updateTable('analyses')
    .set({ eventsIndexed: true })
    .where('id', '=', id)
    .where('eventsIndexed', '=', false)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await insertOfAnalysis(trx, id);
}
