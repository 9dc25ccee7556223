import { sql } from 'kysely';
import type { Queryable } from '#platform/db/index';

/** Those of the words that a search can find: not "the" or "of". */
export async function searchableWords(db: Queryable, words: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as word where numnode(plainto_tsquery('english', word)) > 0`.execute(db);
  return rows.map(({ word }) => word);
}

/** An event of some analysis that has words of a search in it. */
export type FoundEvent = {
  videoId: string;
  analysisId: string;
  /** Its place among the analysis's events, from 0. */
  index: number;
  description: string;
  /** Words of the search that are in it. */
  words: string[];
};

/** Whose analyses are searched: those that their organisation shares, and their own; with `whole` everyone's. */
type Searcher = { userId: string; whole: boolean };

/**
 * Events of the newest analyses of a folder's videos that the searcher may read, and that have any of the words (as PostgreSQL's English dictionary reads them), those with the
 * most of them first. An event that two prompts found is told once.
 */
export async function searchEvents(
  db: Queryable,
  {
    folderId,
    searcher,
    words,
    analyses,
    limit,
  }: { folderId: string; searcher: Searcher; words: readonly string[]; analyses: number; limit: number },
): Promise<FoundEvent[]> {
  const { rows } = await sql<FoundEvent>`
    with asked as (select word, plainto_tsquery('english', word) as query from unnest(${words}::text[]) as word),
    newest as (
      select a.id, a.video_id, a.events from analyses a join videos v on v.id = a.video_id
      where v.folder_id = ${folderId} and v.deleted_at is null and a.status = 'COMPLETED' and not a.hidden
        and (a.scope = 'org' or a.owner_id = ${searcher.userId} or ${searcher.whole})
      order by a.id desc limit ${analyses}
    ),
    told as (
      select video_id, newest.id, (place - 1)::integer as index, event ->> 'description' as description,
        to_tsvector('english', concat_ws(' ', event ->> 'type', event ->> 'description', event ->> 'aiAnalysis')) as words,
        event ->> 'start_s' as start_s
      from newest, json_array_elements(events) with ordinality as listed (event, place)
    ),
    found as (
      select distinct on (video_id, description, start_s) video_id, id, index, description,
        (select array_agg(word order by word) from asked where told.words @@ asked.query) as words
      from told where exists (select from asked where told.words @@ asked.query)
      order by video_id, description, start_s, id desc
    )
    select video_id as "videoId", id as "analysisId", index, description, words from found
    order by cardinality(words) desc, id desc, index limit ${limit}`.execute(db);
  return rows;
}
