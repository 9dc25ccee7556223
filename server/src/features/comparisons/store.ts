import { sql } from 'kysely';
import type { Approval } from '#features/analyses/index';
import { isReadable } from '#platform/access/index';
import type { Queryable } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { Interval } from './matching.ts';
import type { ComparedEvent } from './types.ts';

/** Videos that the caller may read and whose answer to a prompt was reviewed, the newest answers first. */
export async function listReviewedVideos(
  db: Queryable,
  caller: Caller,
  { query, folderId, limit }: { query: string; folderId: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    select a.video_id from analyses a join videos v on v.id = a.video_id
    where a.id in (
        select id from analyses where org_id = ${caller.orgId} and review_count > 0
        union select analysis_id from review_samples where org_id = ${caller.orgId})
      and trim(a.query) = trim(${query}) and a.status = 'COMPLETED' and not a.hidden
      and v.deleted_at is null and ${isReadable(caller, 'v')} and ${isReadable(caller, 'a')}
      and (${folderId}::text is null or v.folder_id = ${folderId})
    group by a.video_id order by max(a.id) desc limit ${limit}`.execute(db);
  return rows.map(({ videoId }) => videoId);
}

export type AnalysisPair = { videoId: string; status: string; candidateId: string; baselineId: string | null };

/** The analyses of a batch, each with the most reviewed answer to the earlier prompt on its video. */
export async function listPairs(
  db: Queryable,
  caller: Caller,
  { batchId, baselineQuery }: { batchId: string; baselineQuery: string },
): Promise<AnalysisPair[]> {
  const { rows } = await sql<AnalysisPair>`
    select distinct on (c.video_id) c.video_id, c.status, c.id as candidate_id, b.id as baseline_id
    from analyses c join videos v on v.id = c.video_id and v.deleted_at is null and ${isReadable(caller, 'v')}
      left join lateral (
        select a.id from analyses a
        where a.video_id = c.video_id and a.org_id = c.org_id and a.batch_id is distinct from c.batch_id
          and trim(a.query) = trim(${baselineQuery}) and a.status = 'COMPLETED' and not a.hidden and a.events_indexed
          and ${isReadable(caller, 'a')}
        order by a.review_count desc, a.id desc limit 1
      ) b on true
    where c.batch_id = ${batchId} order by c.video_id, c.position`.execute(db);
  return rows;
}

export type ReviewedEvent = ComparedEvent & { videoId: string };

/** Events of these analyses that the caller may see, by video and time. */
export async function listEvents(
  db: Queryable,
  caller: Caller,
  analysisIds: readonly string[],
): Promise<ReviewedEvent[]> {
  type Row = Omit<ReviewedEvent, 'corrected' | 'approval'> & { fromS: number; untilS: number; approval: Approval };
  const { rows } = await sql<Row>`
    select analysis_id, position, video_id, approval, added,
      coalesce((review #>> '{original,start_s}')::float8, start_s) as start_s,
      coalesce((review #>> '{original,end_s}')::float8, end_s) as end_s,
      start_s as from_s, end_s as until_s
    from analysis_events e
    where analysis_id = any(${[...analysisIds]}::text[]) and ${isReadable(caller, 'e')}
    order by video_id, start_s, analysis_id, position`.execute(db);
  return rows.map(({ fromS, untilS, ...event }) => ({ ...event, corrected: { startS: fromS, endS: untilS } }));
}

/** Ranges of these analyses in which reviewers saw no event. */
export async function listClearRanges(
  db: Queryable,
  analysisIds: readonly string[],
): Promise<(Interval & { analysisId: string })[]> {
  return db
    .selectFrom('reviewSamples')
    .select(['analysisId', 'startS', 'endS'])
    .where('analysisId', 'in', [...analysisIds])
    .where('verdict', '=', 'clear')
    .execute();
}
