import { type RawBuilder, sql } from 'kysely';
import { PASSAGE_KINDS, type Passage, type PassageKind } from '#engine/index';
import { isAdmin, isReadable, type Principal } from '#platform/access/index';
import { PLANNED_BY_VALUES, type Queryable, type Transaction } from '#platform/db/index';
import { refreshWords } from '../event-index/index.ts';
import type { FoundPassage, PassageFilter, PassageSource } from './types.ts';

/** Longest text of a passage in characters; more is not searched. */
const MAX_TEXT = 2_000;
/** Passages that are stored of an observation; a text in view for a day would have more. */
const MAX_PASSAGES = 50_000;

/**
 * Stores the passages of an observation that is ready, in place of those of other versions, and derives the words of
 * the video's events again. Subtitles replace recognized speech. Lock the video first.
 */
export async function storePassages(
  trx: Transaction,
  { videoId, kind, version }: { videoId: string; kind: PassageKind; version: string },
  passages: readonly Passage[],
): Promise<void> {
  const stored = passages.slice(0, MAX_PASSAGES);
  await sql`
    update observations set passages_stored = true
    where video_id = ${videoId} and kind = ${kind} and version = ${version}`.execute(trx);
  await sql`
    delete from video_passages where video_id = ${videoId}
      and (kind = ${kind} or (${kind} = 'subtitles' and ${stored.length > 0} and kind = 'speech'))`.execute(trx);
  await sql`
    insert into video_passages (video_id, kind, version, position, org_id, owner_id, scope, folder_id, hidden, start_s,
      end_s, text, words)
    select v.id, ${kind}, ${version}, place - 1, v.org_id, v.owner_id, ${SCOPE}, v.folder_id,
      v.deleted_at is not null, start_s, end_s, text, event_words(v.org_id, passage_words(text))
    from videos v cross join unnest(
      ${stored.map(({ startS }) => startS)}::float8[], ${stored.map(({ endS }) => endS)}::float8[],
      ${stored.map(({ text }) => text.replaceAll('\0', '').slice(0, MAX_TEXT))}::text[]
    ) with ordinality as passage (start_s, end_s, text, place)
    where v.id = ${videoId} and (${kind} <> 'speech' or not exists (
      select from video_passages where video_id = ${videoId} and kind = 'subtitles'))`.execute(trx);
  await refreshWords(trx, videoId);
}

/** Everybody of the organization reads samples, as shared videos. */
const SCOPE = sql`case when v.scope = 'user' then 'user' else 'org' end`;

/** Takes over the folder, the visibility and the deletion of a video. */
export async function updateOfVideo(trx: Transaction, videoId: string): Promise<void> {
  await sql`
    update video_passages p set folder_id = v.folder_id, scope = ${SCOPE}, hidden = v.deleted_at is not null
    from videos v where v.id = ${videoId} and p.video_id = v.id`.execute(trx);
}

export type EarlierObservation = { videoId: string; kind: PassageKind; version: string; storageKey: string };

/** Observations whose passages are not stored yet, the oldest first, so that the newest version stays. */
export async function findWithoutPassages(db: Queryable, limit: number): Promise<EarlierObservation[]> {
  const rows = await db
    .selectFrom('observations')
    .select(['videoId', 'kind', 'version', 'storageKey'])
    .where('status', '=', 'ready')
    .where('passagesStored', '=', false)
    .where('kind', 'in', [...PASSAGE_KINDS])
    .orderBy('createdAt')
    .orderBy('videoId')
    .limit(limit)
    .execute();
  return rows as EarlierObservation[];
}

/** Locks an observation whose passages are not stored yet. False if another node stored them, or it was deleted. */
export async function lockWithoutPassages(
  trx: Transaction,
  { videoId, kind, version }: EarlierObservation,
): Promise<boolean> {
  const row = await trx
    .selectFrom('observations')
    .select('kind')
    .where('videoId', '=', videoId)
    .where('kind', '=', kind)
    .where('version', '=', version)
    .where('passagesStored', '=', false)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** End of a page. */
export type PassagePosition = { videoId: string; startS: number; kind: string; position: number };

/** The passages of a page: newest videos first, in order of their start. Read from at most two indexes. */
export async function findPassages(
  db: Queryable,
  caller: Principal,
  filter: PassageFilter,
  { after, limit }: { after: PassagePosition | null; limit: number },
): Promise<FoundPassage[]> {
  const page = readable(caller, filter, after, limit);
  const { rows } = await sql<FoundPassage>`
    select page.video_id, page.kind, page.position, page.start_s, page.end_s, page.text, videos.name as video_name,
      videos.duration_s as video_duration_s, folders.id as folder_id, folders.name as folder_name
    from (${page}) page
      join videos on videos.id = page.video_id and videos.deleted_at is null
      left join folders on folders.id = videos.folder_id
    order by ${ORDER} ${sql.raw(PLANNED_BY_VALUES)}`.execute(db);
  return rows;
}

const ORDER = sql`video_id desc, start_s, kind, position`;

function readable(
  caller: Principal,
  filter: PassageFilter,
  after: PassagePosition | null,
  limit: number,
): RawBuilder<unknown> {
  const conditions = filters(caller, filter, after);
  const read = (scope?: 'user' | 'org') => sql`
    select video_id, kind, position, start_s, end_s, text from video_passages
    where ${sql.join([isReadable(caller, 'videoPassages', scope), ...conditions], sql` and `)}
    order by ${ORDER} limit ${limit}`;
  if (isAdmin(caller) || filter.folderId || filter.videoId) return read();
  return sql`select * from ((${read('org')}) union all (${read('user')})) both_scopes order by ${ORDER} limit ${limit}`;
}

const KINDS: Record<PassageSource, readonly PassageKind[]> = { transcript: ['speech', 'subtitles'], text: ['text'] };
export const sourceOf = (kind: string): PassageSource => (kind === 'text' ? 'text' : 'transcript');

function filters(
  caller: Principal,
  { q, source, folderId, videoId }: PassageFilter,
  after: PassagePosition | null,
): RawBuilder<unknown>[] {
  return [
    sql`not hidden`,
    ...(q ? [sql`words @@ event_query(${caller.orgId}, ${q})`] : []),
    ...(source ? [sql`kind = any(${[...KINDS[source]]}::text[])`] : []),
    ...(folderId ? [sql`folder_id = ${folderId}`] : []),
    ...(videoId ? [sql`video_id = ${videoId}`] : []),
    // The first condition starts at the cursor in the index.
    ...(after
      ? [
          sql`video_id <= ${after.videoId} and (video_id < ${after.videoId}
            or (start_s, kind, position) > (${after.startS}::float8, ${after.kind}, ${after.position}::integer))`,
        ]
      : []),
  ];
}
