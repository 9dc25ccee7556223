import { type RawBuilder, sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { Person } from '#platform/http/index';
import { idAt } from '#platform/ids';
import { videoConditions } from '../clock/index.ts';
import type { VideoFilters } from '../types.ts';

type Condition = RawBuilder<boolean>;
/** Filters whose facets show what other values of them would find. */
export const OWN_FILTERS = ['status', 'source', 'duration', 'queried', 'createdAfter'] as const;
type OwnFilter = (typeof OWN_FILTERS)[number];

/** Whether the caller may read an analysis of the video. */
export const isQueried = (caller: Person): Condition =>
  sql`exists (select from analyses where analyses.video_id = videos.id and ${isReadable(caller, 'analyses')})`;

/** Conditions that indexes or the order of a list serve, for rows of `videos`. */
export const indexedConditions = (
  { nameContains, tag, cameraId, held, createdBefore, ...calendar }: VideoFilters,
  caller: Person,
): Condition[] => [
  ...(nameContains ? [hasInName(caller.orgId, nameContains)] : []),
  // The second condition matches the partial index on tags.
  ...(tag ? [sql<boolean>`tags @> array[${tag}]::text[] and tags <> '{}'`] : []),
  ...(cameraId ? [sql<boolean>`videos.camera_id = ${cameraId}`] : []),
  ...(held == null ? [] : [held ? sql<boolean>`videos.held_at is not null` : sql<boolean>`videos.held_at is null`]),
  ...(createdBefore ? [sql<boolean>`created_at < ${createdBefore} and videos.id < ${idAt(createdBefore, 1)}`] : []),
  ...videoConditions(calendar),
];

/** One condition for each other filter, for rows of `videos`; a filter that is not set has none. */
export function ownConditions(
  { status, source, minDurationS, maxDurationS, queried, createdAfter }: VideoFilters,
  caller: Person,
): Partial<Record<OwnFilter, Condition>> {
  const lengths = [
    ...(minDurationS == null ? [] : [sql`duration_s >= ${minDurationS}::double precision`]),
    ...(maxDurationS == null ? [] : [sql`duration_s < ${maxDurationS}::double precision`]),
  ];
  return {
    ...(status ? { status: sql<boolean>`status = ${status}` } : {}),
    ...(source ? { source: sql<boolean>`source = ${source}` } : {}),
    ...(lengths.length > 0 ? { duration: sql<boolean>`(${sql.join(lengths, sql` and `)})` } : {}),
    ...(queried == null ? {} : { queried: queried ? isQueried(caller) : sql<boolean>`not ${isQueried(caller)}` }),
    ...(createdAfter
      ? { createdAfter: sql<boolean>`(created_at >= ${createdAfter} and videos.id > ${idAt(createdAfter, -1)})` }
      : {}),
  };
}

/** Length of the parts of names that are indexed. */
const PART_LENGTH = 3;

/**
 * Case-insensitive. The index finds the parts of the text. The planner takes `position` to match a third of all rows,
 * and `like` fewer than a list of many videos needs, which it would then search in all of them.
 */
function hasInName(orgId: string, text: string): Condition {
  const contains = sql<boolean>`position(lower(${text}) in lower(name)) > 0`;
  if (text.length < PART_LENGTH) return contains;
  return sql`name_parts(org_id, name) @> name_parts(${orgId}, ${text}) and ${contains}`;
}
