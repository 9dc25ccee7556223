import { sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { ScoreFilter } from '../scores/score-store.ts';
import type { SampledAnalysis } from './drawing.ts';
import type { SampledCounts } from './estimate.ts';

export type SampleVerdict = 'clear' | 'missed' | 'unsure';
export type NewSample = {
  analysisId: string;
  startS: number;
  endS: number;
  orgId: string;
  userId: string;
  verdict: SampleVerdict;
};

/** Analyses of which samples are drawn at once. */
const MAX_ANALYSES = 500;

/** Times that the engine reported, whatever reviewers corrected. */
const FROM = sql`coalesce((e.review #>> '{original,start_s}')::float8, e.start_s)`;
const UNTIL = sql`coalesce((e.review #>> '{original,end_s}')::float8, e.end_s)`;

/** Completed queries of videos that the caller may read, of one prompt, folder or batch. */
const inScope = (caller: Caller, { query = null, folderId = null, batchId = null }: ScoreFilter) => sql`
  a.org_id = ${caller.orgId} and a.status = 'COMPLETED' and not a.hidden and a.events_indexed
  and a.caption_mode is null and a.workflow is null and ${isReadable(caller, 'a')}
  and v.deleted_at is null and v.duration_s > 0 and ${isReadable(caller, 'v')}
  and (${query}::text is null or trim(a.query) = trim(${query}))
  and (${folderId}::text is null or v.folder_id = ${folderId})
  and (${batchId}::text is null or a.batch_id = ${batchId})`;

/** Analyses to draw samples of, at random if there are many. */
export async function listCandidates(db: Queryable, caller: Caller, filter: ScoreFilter): Promise<SampledAnalysis[]> {
  const range = (from: unknown, until: unknown) => sql`jsonb_build_object('startS', ${from}, 'endS', ${until})`;
  const { rows } = await sql<SampledAnalysis>`
    select a.id as analysis_id, v.id as video_id, v.name as video_name, a.query, v.duration_s,
      coalesce((select jsonb_agg(${range(FROM, UNTIL)}) from analysis_events e
        where e.analysis_id = a.id and not e.added), '[]')
      || coalesce((select jsonb_agg(${range(sql`s.start_s`, sql`s.end_s`)}) from review_samples s
        where s.analysis_id = a.id), '[]') as covered
    from analyses a join videos v on v.id = a.video_id
    where ${inScope(caller, filter)}
    order by random() limit ${MAX_ANALYSES}`.execute(db);
  return rows;
}

/** True if another sample of the analysis shares more than `slackS` seconds with the range. */
export async function overlapsSample(
  trx: Transaction,
  { analysisId, startS, endS }: Pick<NewSample, 'analysisId' | 'startS' | 'endS'>,
  slackS: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('reviewSamples')
    .select('startS')
    .where('analysisId', '=', analysisId)
    .where('startS', '<>', startS)
    .where('startS', '<', endS - slackS)
    .where('endS', '>', startS + slackS)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the verdict on a sample, in place of an earlier one. */
export async function saveSample(trx: Transaction, sample: NewSample): Promise<void> {
  await trx
    .insertInto('reviewSamples')
    .values(sample)
    .onConflict((on) => on.columns(['analysisId', 'startS']).doUpdateSet({ ...sample, createdAt: sql<Date>`now()` }))
    .execute();
}

/** Counts samples, and the time and events of all analyses of the prompts, engines and folders that have some. */
export async function countSamples(db: Queryable, caller: Caller, filter: ScoreFilter): Promise<SampledCounts[]> {
  const { rows } = await sql<SampledCounts>`
    with scoped as materialized (
      select a.id, trim(a.query) as query, coalesce(a.document #>> '{analysis,engine_version}', '') as version,
        v.folder_id, v.duration_s
      from analyses a join videos v on v.id = a.video_id
      where ${inScope(caller, filter)}
        and trim(a.query) in (
          select trim(b.query) from review_samples s join analyses b on b.id = s.analysis_id
          where s.org_id = ${caller.orgId})
    ), sampled as (
      select c.query, c.version, c.folder_id,
        count(*) filter (where s.verdict <> 'unsure')::integer as ranges,
        count(*) filter (where s.verdict = 'missed')::integer as missed,
        coalesce(sum(greatest(1, (
          select count(*) from analysis_events e
          where e.analysis_id = s.analysis_id and e.added and e.approval = 'approved'
            and e.start_s >= s.start_s and e.start_s < s.end_s
        ))) filter (where s.verdict = 'missed'), 0)::integer as events,
        coalesce(sum(s.end_s - s.start_s) filter (where s.verdict <> 'unsure'), 0)::float8 as sampled_s
      from scoped c join review_samples s on s.analysis_id = c.id group by 1, 2, 3
    ), events as (
      select c.id, count(*) filter (where e.approval = 'approved' and not e.added) as approved,
        count(*) filter (where e.approval = 'rejected' and not e.added) as rejected,
        count(*) filter (where e.approval = 'pending' and not e.added) as pending,
        count(*) filter (where e.approval = 'approved' and e.added) as added,
        range_agg(numrange(least(${FROM}, ${UNTIL}, c.duration_s)::numeric,
          least(greatest(${FROM}, ${UNTIL}), c.duration_s)::numeric)) filter (where not e.added) as covered
      from scoped c join analysis_events e on e.analysis_id = c.id group by c.id
    ), analyses as (
      select c.*, e.approved, e.rejected, e.pending, e.added,
        c.duration_s - coalesce((select sum(upper(r) - lower(r)) from unnest(e.covered) r where not isempty(r)), 0)::float8
          as unmatched_s
      from scoped c left join events e on e.id = c.id
    )
    select s.query, s.version as engine_version, s.folder_id, f.name as folder_name,
      s.ranges, s.missed, s.events, s.sampled_s, sum(greatest(0, a.unmatched_s))::float8 as unmatched_s,
      coalesce(sum(a.approved), 0)::integer as approved, coalesce(sum(a.rejected), 0)::integer as rejected,
      coalesce(sum(a.pending), 0)::integer as pending, coalesce(sum(a.added), 0)::integer as added
    from sampled s
      join analyses a on a.query = s.query and a.version = s.version and a.folder_id is not distinct from s.folder_id
      left join folders f on f.id = s.folder_id
    group by s.query, s.version, s.folder_id, f.name, s.ranges, s.missed, s.events, s.sampled_s`.execute(db);
  return rows;
}
