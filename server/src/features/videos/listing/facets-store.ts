import { type RawBuilder, sql } from 'kysely';
import { isAdmin, isReadable } from '#platform/access/index';
import { PLANNED_BY_VALUES, type Queryable } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { VideoFilters } from '../types.ts';
import { indexedConditions, isQueried, OWN_FILTERS, ownConditions } from './filter-store.ts';

export type FacetRequest = VideoFilters & {
  caller: Caller;
  scope: 'user' | 'org' | null;
  /** A folder that the caller may see; its videos have its scope and owner. */
  folderId: string | null;
  deleted: boolean;
};

/** Lower edges of the ranges of durations in seconds, after the first one, which starts at 0. */
export const DURATION_EDGES_S = [60, 600, 3600];
/** Largest number of tags and of sources. */
const MAX_VALUES = 50;

export type VideoFacetField =
  | 'read'
  | 'total'
  | 'status'
  | 'source'
  | 'scope'
  | 'queried'
  | 'duration'
  | 'created'
  | 'tag';
export type VideoFacetRow = { field: VideoFacetField; value: string; count: number };

/**
 * Counts videos by field among the newest `limit` that the caller may see, of the folder, with the name and the tag.
 * The field of a filter is counted without that filter. `duration` and `created` are numbers of ranges, from 0;
 * `createdEdges` are the starts of those from 1, ascending. `read` is the number of videos that were read.
 */
export async function countVideos(
  db: Queryable,
  request: FacetRequest,
  { limit, createdEdges }: { limit: number; createdEdges: readonly Date[] },
): Promise<VideoFacetRow[]> {
  const { caller, scope } = request;
  const own = ownConditions(request, caller);
  const filters = ['scope', ...OWN_FILTERS] as const;
  /** True for videos that match all filters but one. */
  const matchesBut = (field?: (typeof filters)[number]) =>
    sql.join(
      filters.filter((each) => each !== field).map((each) => sql.ref(`matches_${each}`)),
      sql` and `,
    );
  const count = (field: VideoFacetField, value: RawBuilder<unknown>, but?: (typeof filters)[number]) => sql`
    select ${field} as field, ${value} as value, count(*)::integer as count from counted where ${matchesBut(but)} group by 2`;
  const matches = filters.map((each) => {
    const condition = each === 'scope' ? (scope ? sql`scope = ${scope}` : undefined) : own[each];
    return sql`${condition ?? sql`true`} as ${sql.ref(`matches_${each}`)}`;
  });
  const columns = sql`videos.id, status, source, scope, tags, duration_s, created_at, ${isQueried(caller)} as queried,
    ${sql.join(matches)}`;
  const { rows } = await sql<VideoFacetRow>`
    with counted as materialized (${newest(request, columns, limit)}),
    fields as (
      select 'read' as field, '' as value, count(*)::integer as count from counted
      union all ${count('total', sql`''`)}
      union all ${count('status', sql`status`, 'status')}
      union all ${count('source', sql`source`, 'source')}
      union all ${count('scope', sql`scope`, 'scope')}
      union all ${count('queried', sql`queried::text`, 'queried')}
      union all ${count('duration', sql`width_bucket(duration_s, ${DURATION_EDGES_S}::double precision[])::text`, 'duration')}
      union all ${count('created', sql`width_bucket(created_at, ${createdEdges}::timestamptz[])::text`, 'createdAfter')}
      union all select 'tag', tag, count(*)::integer from counted, unnest(tags) tag where ${matchesBut()} group by 2
    ),
    ranked as (select *, row_number() over (partition by field order by count desc, value) as rank from fields)
    select field, coalesce(value, '') as value, count from ranked where rank <= ${MAX_VALUES}
    order by field, rank ${sql.raw(PLANNED_BY_VALUES)}`.execute(db);
  return rows;
}

/** The newest videos that the caller may see, like a page of a list: from at most two indexes. */
function newest(request: FacetRequest, columns: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const { caller, folderId, deleted } = request;
  const conditions = [
    deleted ? sql`deleted_at is not null and erase_after > now()` : sql`deleted_at is null`,
    ...(folderId === null ? [] : [sql`folder_id = ${folderId}`]),
    ...indexedConditions(request, caller),
  ];
  const read = (access: RawBuilder<boolean>) => sql`
    select ${columns} from videos where ${sql.join([access, ...conditions], sql` and `)} order by videos.id desc limit ${limit}`;
  if (folderId !== null || isAdmin(caller)) {
    // Samples are listed only as such, or in their folder.
    return read(folderId === null ? sql`${isReadable(caller, 'videos')} and scope <> 'sample'` : sql`true`);
  }
  const of = (only: 'user' | 'org') => sql`(${read(isReadable(caller, 'videos', only))})`;
  return sql`select * from (${of('org')} union all ${of('user')}) both_scopes order by id desc limit ${limit}`;
}
