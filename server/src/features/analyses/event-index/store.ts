import { type RawBuilder, sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';

/** Longest text of an event's passages in characters: a long event may have the transcript of a whole video. */
const MAX_PASSAGES = 100_000;

/** The passages during an event, as one text. */
const passagesIn = (videoId: RawBuilder<unknown>, startS: RawBuilder<unknown>, endS: RawBuilder<unknown>) => sql`
  (select left(string_agg(passage_words(passage.text), ' '), ${sql.lit(MAX_PASSAGES)}) from video_passages passage
   where passage.video_id = ${videoId} and ${isDuring(startS, endS)})`;

/** True for passages that overlap an event; either may be a single moment. */
export const isDuring = (startS: RawBuilder<unknown>, endS: RawBuilder<unknown>) => sql<boolean>`(
  passage.start_s < greatest(${endS}, ${startS} + 0.001)
  and greatest(passage.end_s, passage.start_s + 0.001) > ${startS})`;

/**
 * Derives rows from the documents of completed analyses; `onConflict` says what becomes of existing rows. An analysis
 * of a personal video of somebody else is visible to admins only, so its rows have no owner.
 */
const derive = (condition: RawBuilder<boolean>, onConflict = sql`do nothing`) => sql`
  insert into analysis_events (analysis_id, position, org_id, owner_id, scope, video_id, folder_id, batch_id,
    type, label, severity, confidence, start_s, end_s, image, created_at, words, approval, added, disputed,
    reviewer_ids, review)
  select a.id, place - 1, a.org_id, case when v.scope <> 'user' or v.owner_id = a.owner_id then a.owner_id end, a.scope,
    a.video_id, v.folder_id, a.batch_id,
    coalesce(e.type, ''), coalesce(e.description, ''), coalesce(e.severity, 'low'),
    coalesce((e.data ->> 'confidence')::real, 0), coalesce(e.start_s, 0), coalesce(e.end_s, 0),
    substring(e.data ->> 'annotated_thumbnail_url' from ':([^:!]+)!$'), a.created_at,
    event_words(a.org_id, concat_ws(' ', e.type, e.description,
      case when a.caption_mode is null and a.workflow is null then a.query end, e.review ->> 'note',
      array_to_string(v.tags, ' '), ${passagesIn(sql`a.video_id`, sql`coalesce(e.start_s, 0)`, sql`coalesce(e.end_s, 0)`)})),
    coalesce(e.approval, 'pending'), coalesce((e.review ->> 'added')::boolean, false),
    coalesce((e.review ->> 'disputed')::boolean, false),
    array(select verdict ->> 'user_id' from jsonb_array_elements(e.review -> 'verdicts') as verdict), e.review
  from analyses a join videos v on v.id = a.video_id
    cross join lateral json_array_elements(a.events) with ordinality as element (event, place)
    cross join lateral json_to_record(event) as
      e (type text, description text, severity text, start_s float8, end_s float8, data json, approval text, review jsonb)
  where ${condition} and a.status = 'COMPLETED' and not a.hidden and v.deleted_at is null
  on conflict (analysis_id, position) ${onConflict}`;

/** Columns that reviewers change. */
const REVIEWED = sql.raw(
  'label severity start_s end_s image words approval added disputed reviewer_ids review'
    .split(' ')
    .map((column) => `${column} = excluded.${column}`)
    .join(', '),
);
/** After a change, the incident of an event is computed again. */
const STALE = sql.raw('incident_subject = null');

/**
 * Locks the video, so that it is neither moved nor deleted while rows with its folder are stored, and so that no other
 * transaction changes its incidents. Lock it before its analyses: a deletion locks in the same order.
 */
export async function lockVideo(trx: Transaction, videoId: string): Promise<void> {
  await lockVideos(trx, [videoId]);
}

export async function lockVideos(trx: Transaction, videoIds: readonly string[]): Promise<void> {
  await sql`select from videos where id = any(${videoIds}::text[]) order by id for no key update`.execute(trx);
}

/**
 * Derives the rows of these events again, after a review changed them in the document. Their incidents have to be
 * computed again.
 */
export async function refreshEvents(trx: Transaction, analysisId: string, positions: readonly number[]): Promise<void> {
  const condition = sql<boolean>`a.id = ${analysisId} and place - 1 = any(${positions}::integer[])`;
  await derive(condition, sql`do update set ${REVIEWED}, ${STALE}`).execute(trx);
}

/**
 * Derives the words of a video's events again, after its tags or what is spoken and read in it changed. Lock the video
 * first. Reviews lock the analysis before they write events, and leases lock events in this order.
 */
export async function refreshWords(trx: Transaction, videoId: string): Promise<void> {
  await sql`select from analyses where video_id = ${videoId} order by id for share`.execute(trx);
  const locked = await sql`
    select from analysis_events where video_id = ${videoId} order by analysis_id, position for update`.execute(trx);
  if (locked.rows.length > 0)
    await derive(sql`a.video_id = ${videoId}`, sql`do update set words = excluded.words`).execute(trx);
}

/** Stores the events of a completed analysis. */
export async function insertOfAnalysis(trx: Transaction, analysisId: string): Promise<void> {
  await derive(sql`a.id = ${analysisId}`, sql`do update set words = excluded.words`).execute(trx);
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
