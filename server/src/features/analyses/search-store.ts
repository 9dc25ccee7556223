import { sql } from 'kysely';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable } from '#platform/db/index';

/** Words that a search can find, without stop words such as "the". */
export async function searchableWords(db: Queryable, words: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as word where numnode(plainto_tsquery('english', word)) > 0`.execute(db);
  return rows.map(({ word }) => word);
}

/** An event that contains words of a search. */
export type EventMatch = {
  videoId: string;
  analysisId: string;
  /** Index of the event in its analysis. */
  index: number;
  description: string;
  /** Words of the search that the event contains. */
  words: string[];
};

/** Scope of a search: the videos of a folder, or batches and other videos. */
export type SearchedVideos = { folderId: string } | { batchIds: readonly string[]; videoIds: readonly string[] };

/**
 * Events of the newest of these analyses that contain any of the words (by
 * PostgreSQL's English dictionary), those with the most words first. An event of several prompts is returned once.
 */
export async function searchEvents(
  db: Queryable,
  caller: Principal,
  {
    among,
    words,
    analyses,
    limit,
  }: { among: SearchedVideos; words: readonly string[]; analyses: number; limit: number },
): Promise<EventMatch[]> {
  const readable = isReadable(caller, 'a');
  const searched =
    'folderId' in among
      ? sql`v.folder_id = ${among.folderId} and ${readable}`
      : sql`(a.batch_id = any(${[...among.batchIds]}::text[])
          or (a.video_id = any(${[...among.videoIds]}::text[]) and ${readable}))`;
  const { rows } = await sql<EventMatch>`
    with searched as (select word, plainto_tsquery('english', word) as query from unnest(${words}::text[]) as word),
    newest as (
      select a.id, a.video_id, a.events from analyses a join videos v on v.id = a.video_id
      where ${searched} and v.deleted_at is null and a.status = 'COMPLETED' and not a.hidden
      order by a.id desc limit ${analyses}
    ),
    listed as (
      select video_id, newest.id, (place - 1)::integer as index, event ->> 'description' as description,
        to_tsvector('english', concat_ws(' ', event ->> 'type', event ->> 'description', event ->> 'aiAnalysis')) as words,
        event ->> 'start_s' as start_s
      from newest, json_array_elements(events) with ordinality as element (event, place)
    ),
    found as (
      select distinct on (video_id, description, start_s) video_id, id, index, description,
        (select array_agg(word order by word) from searched where listed.words @@ searched.query) as words
      from listed where exists (select from searched where listed.words @@ searched.query)
      order by video_id, description, start_s, id desc
    )
    select video_id, id as analysis_id, index, description, words from found
    order by cardinality(words) desc, id desc, index limit ${limit}`.execute(db);
  return rows;
}
