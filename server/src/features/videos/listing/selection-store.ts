import { sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { Queryable } from '#platform/db/index';
import type { Person } from '#platform/http/index';
import { type CalendarFilter, videoConditions } from '../clock/index.ts';
import type { InstantSpan, LibraryPlace, SelectableVideo, VideoFilters } from '../types.ts';
import { indexedConditions, ownConditions } from './filter-store.ts';

export type SelectionRequest = {
  caller: Person;
  place: LibraryPlace;
  filters: VideoFilters;
  /** The time at which videos must have been recorded, besides the filters; null: at any, or it is not known when. */
  span: InstantSpan | null;
};

const NO_CALENDAR: Required<CalendarFilter> = {
  recordedAfter: null,
  recordedBefore: null,
  timeOfDay: null,
  weekday: null,
  timeZone: null,
};

/** True if only videos are chosen about which it is known when they were recorded. */
const needsClock = ({ span, filters }: SelectionRequest): boolean =>
  span !== null || [filters.recordedAfter, filters.recordedBefore, filters.timeOfDay, filters.weekday].some(Boolean);

/** Uploaded videos of the place that match all filters but those of the calendar. */
function isConsidered({ caller, place: { folderId, scope }, filters }: SelectionRequest) {
  const others = { ...filters, ...NO_CALENDAR, status: 'UPLOADED' as const };
  return sql<boolean>`${sql.join(
    [
      sql`videos.deleted_at is null`,
      folderId === null
        ? sql`${isReadable(caller, 'videos', scope ?? undefined)} and videos.scope <> 'sample'`
        : sql`videos.folder_id = ${folderId}`,
      ...indexedConditions(others, caller),
      ...Object.values(ownConditions(others, caller)),
    ],
    sql` and `,
  )}`;
}

/** Recorded at the requested time. */
function isRecordedThen(request: SelectionRequest) {
  const { span, filters } = request;
  return sql<boolean>`${sql.join(
    [
      needsClock(request) ? sql`videos.recorded_at is not null` : sql`true`,
      ...videoConditions(filters),
      ...videoConditions({ recordedAfter: span?.from, recordedBefore: span?.to }),
    ],
    sql` and `,
  )}`;
}

/** Videos of a selection; `undated`: those left out because it is not known when they were recorded. */
export async function countSelectable(db: Queryable, request: SelectionRequest) {
  const isUndated = needsClock(request) ? sql`videos.recorded_at is null` : sql`false`;
  const { rows } = await sql<{ considered: number; undated: number; recorded: number }>`
    select count(*)::integer as considered, (count(*) filter (where ${isUndated}))::integer as undated,
      (count(*) filter (where ${isRecordedThen(request)}))::integer as recorded
    from videos where ${isConsidered(request)}`.execute(db);
  return rows[0]!;
}

/** Those videos, by name. */
export async function listUndated(db: Queryable, request: SelectionRequest, limit: number) {
  if (!needsClock(request)) return [];
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from videos where ${isConsidered(request)} and videos.recorded_at is null
    order by name, id limit ${limit}`.execute(db);
  return rows;
}

/** Videos that may be chosen, the newest recordings first, or the oldest; those without a clock are last. */
export async function listSelectable(
  db: Queryable,
  request: SelectionRequest & { oldestFirst: boolean; limit: number },
): Promise<SelectableVideo[]> {
  const direction = sql.raw(request.oldestFirst ? 'asc' : 'desc');
  const { rows } = await sql<SelectableVideo>`
    select id, name, recorded_at, time_zone, clock, duration_s from videos
    where ${isConsidered(request)} and ${isRecordedThen(request)}
    order by recorded_at ${direction} nulls last, id ${direction} limit ${request.limit}`.execute(db);
  return rows;
}
