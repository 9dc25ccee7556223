import { sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { Queryable } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { ScoredBin } from './scores.ts';

export type ScoreFilter = { query?: string | null; folderId?: string | null; batchId?: string | null };

/** Counts the reviewed events that the caller may see, by prompt, engine, folder and tenth of confidence. */
export async function countReviewed(db: Queryable, caller: Caller, filter: ScoreFilter): Promise<ScoredBin[]> {
  const { query, folderId, batchId } = filter;
  const start = sql`coalesce((e.review #>> '{original,start_s}')::float8, e.start_s)`;
  const end = sql`coalesce((e.review #>> '{original,end_s}')::float8, e.end_s)`;
  const { rows } = await sql<ScoredBin>`
    with reviewed as materialized (
      select id, trim(query) as query, coalesce(document #>> '{analysis,engine_version}', '') as version
      from analyses
      where org_id = ${caller.orgId} and review_count > 0
        and (${query ?? null}::text is null or trim(query) = trim(${query ?? null}))
        and (${batchId ?? null}::text is null or batch_id = ${batchId ?? null})
    ), events as (
      select a.query, a.version, e.*, ${start} as from_s, ${end} as until_s
      from reviewed a join analysis_events e on e.analysis_id = a.id
      where ${isReadable(caller, 'e')} and (${folderId ?? null}::text is null or e.folder_id = ${folderId ?? null})
    ), compared as (
      select *, approval = 'approved' and not added as is_right,
        case when greatest(end_s, until_s) <= least(start_s, from_s) then 1
          else greatest(0, least(end_s, until_s) - greatest(start_s, from_s))
            / (greatest(end_s, until_s) - least(start_s, from_s)) end as iou
      from events
    )
    select c.query, version as engine_version, c.folder_id, f.name as folder_name,
      least(9, floor(c.confidence::numeric * 10))::integer as bin,
      count(*) filter (where is_right)::integer as approved,
      count(*) filter (where approval = 'rejected' and not added)::integer as rejected,
      count(*) filter (where approval = 'unsure' and not added)::integer as unsure,
      count(*) filter (where approval = 'pending' and not added)::integer as pending,
      count(*) filter (where approval = 'approved' and added)::integer as added,
      coalesce(sum(c.confidence) filter (where not added and approval in ('approved', 'rejected')), 0)::float8 as confidence,
      coalesce(sum(iou) filter (where is_right), 0)::float8 as overlap,
      coalesce(sum(iou * iou) filter (where is_right), 0)::float8 as overlap_squares
    from compared c left join folders f on f.id = c.folder_id
    group by c.query, version, c.folder_id, f.name, bin`.execute(db);
  return rows;
}
