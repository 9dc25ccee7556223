import { type RawBuilder, sql } from 'kysely';
import { calendarConditions } from '#features/videos/index';
import { isAdmin, isReadable, type Principal } from '#platform/access/index';
import { PLANNED_BY_VALUES, type Queryable, type Transaction } from '#platform/db/index';
import { idAt } from '#platform/ids';
import { isDuring } from './store.ts';
import type {
  EventFilter,
  EventKey,
  EventSort,
  EventWithDocument,
  IndexedEvent,
  SourceMatch,
  VideoEventCount,
} from './types.ts';

/** End of a page; the confidence is used only in lists by confidence. */
export type EventPosition = { confidence: number; analysisId: string; position: number };

/** `perIncident`: only the first matching event of each incident in the order of the list. */
type Selection = EventFilter & { caller: Principal; perIncident?: boolean };
type Sql = RawBuilder<unknown>;

/**
 * Largest number of events that facets count, the newest first. Finding a match may mean reading many other rows, so it
 * is lower in a large organization: then the cost of facets does not grow with the number of events.
 */
const MAX_COUNTED = { small: 10_000, large: 1_000 };
/** Number of events from which an organization is large. */
const LARGE = 20_000;
/** Largest number of values of a facet. */
const MAX_VALUES = 50;

type ListedEvent = IndexedEvent & {
  videoName: string | null;
  matches: SourceMatch[];
  /** Verdict that follows from that on another event of the incident, `impliedBy`. */
  implied: 'approved' | 'rejected' | null;
  impliedBy: string | null;
  /** Of a list per incident: number of its events that the caller may see, and of their prompts. */
  incident: { events: number; questions: number } | null;
};

/** Longest quoted text of a match in characters. */
const MAX_QUOTE = 500;

/** Where an event of a page contains words of a search: one text for each source, the earliest one. */
const matchesOf = (orgId: string, q: string) => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('source', source, 'text', left(text, ${sql.lit(MAX_QUOTE)}),
      'startS', start_s, 'endS', end_s) order by rank), '[]')
   from (
     select distinct on (rank) rank, source, text, start_s, end_s
     from (
       select 1 as rank, case when analyses.caption_mode is null then 'label' else 'caption' end as source,
         page.label as text, null::float8 as start_s, null::float8 as end_s
       union all select 2, 'transcript', passage.text, passage.start_s, passage.end_s
         from video_passages passage
         where passage.video_id = page.video_id and ${isDuring(sql`page.start_s`, sql`page.end_s`)}
           and passage.kind <> 'text' and passage.words @@ event_query_any(${orgId}, ${q})
       union all select 3, 'text', passage.text, passage.start_s, passage.end_s
         from video_passages passage
         where passage.video_id = page.video_id and ${isDuring(sql`page.start_s`, sql`page.end_s`)}
           and passage.kind = 'text' and passage.words @@ event_query_any(${orgId}, ${q})
       union all select 4, 'note', page.review ->> 'note', null, null
       union all select 5, 'tag', tag, null, null from unnest(videos.tags) as tag
       union all select 6, 'prompt', analyses.query, null, null
         where analyses.caption_mode is null and analyses.workflow is null
       union all select 7, 'type', page.type, null, null
     ) searched
     where event_words(${orgId}, passage_words(text)) @@ event_query_any(${orgId}, ${q})
     order by rank, start_s
   ) matching)`;

/**
 * The events of a page, in descending order. Like lists of videos, it is read from at most two indexes, starting at the
 * cursor. Events of videos that are being deleted with their folder have no `videoName`.
 */
export async function findEvents(
  db: Queryable,
  selection: Selection,
  { sort, after, limit }: { sort: EventSort; after: EventPosition | null; limit: number },
): Promise<ListedEvent[]> {
  const order = ORDERS[sort];
  const first = selection.perIncident ? [isFirstOfIncident(selection, sort)] : [];
  const conditions = [...first, ...(after ? [isAfter(sort, after)] : [])];
  const page = await readable(db, selection, { order, conditions, limit });
  const { rows } = await sql<ListedEvent>`
    select page.analysis_id, page.position, page.video_id, page.batch_id, type, label, severity, confidence, start_s,
      end_s, ${recordedAt('page')}, image, approval, review, lease_user_id, lease_until, page.created_at, analyses.query,
      incident_id, implied, implied_by, ${selection.perIncident ? incidentOf(selection.caller) : sql`null::jsonb`} as incident,
      videos.name as video_name, videos.duration_s as video_duration_s, folders.id as folder_id,
      folders.name as folder_name, ${selection.q ? matchesOf(selection.caller.orgId, selection.q) : sql`'[]'::jsonb`} as matches
    from (${page}) page
      join analyses on analyses.id = page.analysis_id
      left join videos on videos.id = page.video_id and videos.deleted_at is null
      left join folders on folders.id = videos.folder_id
    order by ${order} ${sql.raw(PLANNED_BY_VALUES)}`.execute(db);
  return rows;
}

/** Numbers of events and prompts that the incident of an event of a page stands for. */
const incidentOf = (caller: Principal) => sql`
  (select jsonb_build_object('events', greatest(count(*), 1), 'questions', greatest(count(distinct asked.query), 1))
   from analysis_events same join analyses asked on asked.id = same.analysis_id
   where same.incident_id = page.incident_id and ${isReadable(caller, 'same')})`;

/** When an event of a row was recorded, for a joined row `videos`. */
const recordedAt = (row: string) => sql`
  recorded_time(videos.recorded_at, videos.clock, ${sql.ref(`${row}.start_s`)}) as start_at,
  recorded_time(videos.recorded_at, videos.clock, ${sql.ref(`${row}.end_s`)}) as end_at, videos.time_zone`;

/** An event and its video, without the parts of lists. */
export type StreamedEvent = Omit<IndexedEvent, 'image' | 'review' | 'leaseUserId' | 'leaseUntil'> &
  Pick<EventWithDocument, 'videoName' | 'width' | 'height' | 'frameRate'>;

/** All events of a selection, ordered by video and start, in pages of `size`. They are read from one snapshot. */
export async function* streamEvents(
  trx: Transaction,
  selection: Selection,
  size: number,
): AsyncGenerator<StreamedEvent[]> {
  const conditions = [isReadable(selection.caller, 'analysisEvents'), ...filters(selection)];
  const found = sql`
    select event.analysis_id, event.position, event.video_id, event.batch_id, event.type, event.label, event.severity,
      event.confidence, event.start_s, event.end_s, ${recordedAt('event')}, event.approval, event.created_at, event.incident_id,
      analyses.query,
      videos.name as video_name, videos.duration_s as video_duration_s, videos.width, videos.height, videos.frame_rate,
      folders.id as folder_id, folders.name as folder_name
    from (select ${COLUMNS} from analysis_events where ${sql.join(conditions, sql` and `)}) event
      join analyses on analyses.id = event.analysis_id
      join videos on videos.id = event.video_id and videos.deleted_at is null
      left join folders on folders.id = videos.folder_id
    order by event.video_id, event.start_s, event.analysis_id, event.position`;
  await sql`declare streamed_events no scroll cursor for ${found}`.execute(trx);
  for (;;) {
    const { rows } = await sql<StreamedEvent>`fetch ${sql.lit(size)} from streamed_events`.execute(trx);
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
  }
  await sql`close streamed_events`.execute(trx);
}

/** The stored forms of events, as JSON text. */
export async function findStored(
  trx: Transaction,
  events: readonly EventKey[],
): Promise<(EventKey & { text: string })[]> {
  const ids = [...new Set(events.map(({ analysisId }) => analysisId))];
  const { rows } = await sql<EventKey & { text: string }>`
    select a.id as analysis_id, (place - 1)::integer as position, event::text as text
    from analyses a cross join lateral json_array_elements(a.events) with ordinality as element (event, place)
    where a.id = any(${ids}::text[]) and (a.id, (place - 1)::integer) in (select * from ${unnest(events)})`.execute(
    trx,
  );
  return rows;
}

const ORDERS: Record<EventSort, Sql> = {
  '-created_at': sql`analysis_id desc, position desc`,
  '-confidence': sql`confidence desc, analysis_id desc, position desc`,
  confidence: sql`confidence, analysis_id, position`,
};

/** True if the event `own` is before that of `analysis_events` in a list. */
const IS_BEFORE: Record<EventSort, Sql> = {
  '-created_at': sql`(own.analysis_id, own.position) > (analysis_events.analysis_id, analysis_events.position)`,
  '-confidence': sql`(own.confidence, own.analysis_id, own.position)
    > (analysis_events.confidence, analysis_events.analysis_id, analysis_events.position)`,
  confidence: sql`(own.confidence, own.analysis_id, own.position)
    < (analysis_events.confidence, analysis_events.analysis_id, analysis_events.position)`,
};

function isAfter(sort: EventSort, { confidence, analysisId, position }: EventPosition): Sql {
  const surest = sql`(${confidence}::real, ${analysisId}, ${position}::integer)`;
  if (sort === '-confidence') return sql`(confidence, analysis_id, position) < ${surest}`;
  if (sort === 'confidence') return sql`(confidence, analysis_id, position) > ${surest}`;
  return sql`(analysis_id, position) < (${analysisId}, ${position}::integer)`;
}

/** True if the organization has so many events that facets count fewer of them. */
export async function hasManyEvents(db: Queryable, orgId: string): Promise<boolean> {
  const sample = sql`select from analysis_events where org_id = ${orgId} limit ${LARGE}`;
  const { rows } = await sql<{ many: boolean }>`
    select count(*) >= ${LARGE} as many from (${sample}) sample`.execute(db);
  return rows[0]!.many;
}

export type FacetField = 'total' | 'label' | 'type' | 'severity' | 'approval' | 'folder' | 'video';
/** `count`: of events or incidents, as requested. */
export type FacetRow = { field: FacetField; value: string; name: string | null; count: number; events: number };

/** The incident of an event; one of its own until it is computed. */
const INCIDENT = sql`coalesce(incident_id, analysis_id || '-' || position)`;

/**
 * Counts of the newest matching events, or of their incidents, by field; values with the most of them first. `total` is
 * their number, and `isComplete` is false if there may be more. Names are looked up one by one: a join would read all
 * videos.
 */
export async function countEvents(
  db: Queryable,
  selection: Selection,
  isLarge: boolean,
): Promise<{ rows: FacetRow[]; total: number; isComplete: boolean }> {
  const limit = isLarge ? MAX_COUNTED.large : MAX_COUNTED.small;
  const newest = await readable(db, selection, { order: ORDERS['-created_at'], limit });
  const { rows } = await sql<FacetRow>`
    with counted as materialized (
      select label, type, severity, approval, folder_id, video_id, ${INCIDENT} as incident from (${newest}) newest),
    grouped as (
      select case grouping(label, type, severity, approval, folder_id, video_id)
          when 63 then 'total' when 31 then 'label' when 47 then 'type' when 55 then 'severity' when 59 then 'approval'
          when 61 then 'folder' else 'video' end as field,
        coalesce(label, type, severity, approval, folder_id, video_id, '') as value,
        ${selection.perIncident ? sql`count(distinct incident)` : sql`count(*)`}::integer as count, count(*)::integer as events
      from counted
      group by grouping sets ((), (label), (type), (severity), (approval), (folder_id), (video_id))
    ),
    ranked as (select *, row_number() over (partition by field order by count desc, value) as rank from grouped)
    select field, value, count, events,
      case field
        when 'folder' then (select name from folders where id = value)
        when 'video' then (select name from videos where id = value and deleted_at is null)
      end as name
    from ranked where rank <= ${MAX_VALUES} order by field, rank ${sql.raw(PLANNED_BY_VALUES)}`.execute(db);
  const { count, events } = rows.find(({ field }) => field === 'total') ?? { count: 0, events: 0 };
  return { rows, total: count, isComplete: events < limit };
}

export type TimeRow = {
  field: 'total' | 'hour' | 'weekday' | 'day';
  value: number;
  day: string | null;
  /** Number of events or incidents, as requested. */
  count: number;
  /** Number of all events. */
  events: number;
};

/** Most days that are counted by themselves. */
const MAX_DAYS = 400;

/**
 * Counts of the newest matching events by local hour, day of the week (1 is Monday) and day on which they start. Those
 * of videos without a clock are only in the total.
 */
export async function countByTime(
  db: Queryable,
  selection: Selection,
  isLarge: boolean,
): Promise<{ rows: TimeRow[]; total: number; isComplete: boolean }> {
  const limit = isLarge ? MAX_COUNTED.large : MAX_COUNTED.small;
  const newest = await readable(db, selection, { order: ORDERS['-created_at'], limit });
  const { rows } = await sql<TimeRow>`
    with found as materialized (select video_id, start_s, ${INCIDENT} as incident from (${newest}) newest),
    counted as materialized (${
      selection.perIncident
        ? sql`select video_id, min(start_s) as start_s from found group by video_id, incident`
        : sql`select video_id, start_s from found`
    }),
    timed as materialized (
      select (select local_time(recorded_time(videos.recorded_at, videos.clock, counted.start_s),
        coalesce(${selection.timeZone ?? null}::text, videos.time_zone)) from videos where videos.id = video_id) as at
      from counted
    ),
    parts as (
      select at, extract(hour from at)::integer as hour, extract(isodow from at)::integer as weekday, at::date as day
      from timed
    ),
    grouped as (
      select case grouping(hour, weekday, day) when 7 then 'total' when 3 then 'hour' when 5 then 'weekday' else 'day' end
          as field,
        coalesce(hour, weekday, 0) as value, day, count(*)::integer as count
      from parts group by grouping sets ((), (hour), (weekday), (day))
      having grouping(hour, weekday, day) = 7 or coalesce(hour, weekday) is not null or day is not null
    ),
    ranked as (select *, row_number() over (partition by field order by day desc) as rank from grouped)
    select field, value, to_char(day, 'YYYY-MM-DD') as day, count, (select count(*)::integer from found) as events
    from ranked
    where field <> 'day' or rank <= ${MAX_DAYS} order by field, day, value ${sql.raw(PLANNED_BY_VALUES)}`.execute(db);
  const { count, events } = rows.find(({ field }) => field === 'total') ?? { count: 0, events: 0 };
  return { rows, total: count, isComplete: events < limit };
}

/** All but the words, which are the largest part of a row. */
const COLUMNS = sql`analysis_id, position, video_id, folder_id, batch_id, type, label, severity, confidence, start_s, end_s,
  image, approval, review, lease_user_id, lease_until, created_at, incident_id, implied, implied_by`;

/** Up to this many expected matches of a text search are all read and sorted. */
const MAX_SORTED = 20_000;

/**
 * True if a text search is expected to have so few matches that all are read and sorted. Read in order until a page is
 * full, they would be expected everywhere: for a tag of shared videos only, all personal rows would be read.
 */
async function hasFewMatches(db: Queryable, { caller, q }: Selection): Promise<boolean> {
  if (!q) return false;
  const { rows } = await sql<Record<string, string>>`
    explain select from analysis_events where words @@ event_query(${caller.orgId}, ${q})`.execute(db);
  const [, expected] = /\brows=(\d+)/.exec(Object.values(rows[0]!)[0]!)!;
  return Number(expected) <= MAX_SORTED;
}

/**
 * The first rows that match and that the caller may see: from one index for admins, folders and videos, else from one
 * for shared rows and one for personal rows.
 */
async function readable(
  db: Queryable,
  selection: Selection,
  { order, conditions: more = [], limit }: { order: Sql; conditions?: readonly Sql[]; limit: number },
): Promise<Sql> {
  const { caller, folderId, videoId } = selection;
  const conditions = [...filters(selection), ...more];
  // A subquery with an offset is planned for all of its rows.
  const all = (await hasFewMatches(db, selection)) ? sql`offset 0` : null;
  const read = (scope?: 'user' | 'org') => {
    const found = sql`
      select ${COLUMNS} from analysis_events
      where ${sql.join([isReadable(caller, 'analysisEvents', scope), ...conditions], sql` and `)}`;
    return sql`${all ? sql`select * from (${found} ${all}) found` : found} order by ${order} limit ${limit}`;
  };
  if (isAdmin(caller) || folderId || videoId) return read();
  return sql`select * from ((${read('org')}) union all (${read('user')})) both_scopes order by ${order} limit ${limit}`;
}

/**
 * True for the first of the matching events of an incident, and for events without one. A page reads rows in its order
 * and looks up those of the incident before each by an index, so its cost does not grow with the number of events. The
 * offset keeps the planner from finding them by the other conditions.
 */
const isFirstOfIncident = (selection: Selection, sort: EventSort) => sql`not exists (
  select from (
    select * from analysis_events own
    where own.incident_id = analysis_events.incident_id and ${IS_BEFORE[sort]} offset 0) same
  where ${sql.join([isReadable(selection.caller, 'same'), ...filters(selection)], sql` and `)})`;

const unnest = (events: readonly EventKey[]) =>
  sql`unnest(${events.map((e) => e.analysisId)}::text[], ${events.map((e) => e.position)}::integer[])`;

function filters({ caller, ...filter }: Selection): Sql[] {
  const { q, folderId, videoId, batchId, label, type, severity, minConfidence, createdAfter, createdBefore } = filter;
  const { events, approval, added, disputed, toReview, assigned, videoIds, incidentId, perIncident } = filter;
  const calendar = calendarConditions(filter, { startS: sql`start_s`, endS: sql`end_s` });
  return [
    ...(events ? [sql`(analysis_id, position) in (select * from ${unnest(events)})`] : []),
    ...(q ? [sql`words @@ event_query(${caller.orgId}, ${q})`] : []),
    ...(folderId ? [sql`folder_id = ${folderId}`] : []),
    ...(videoId ? [sql`video_id = ${videoId}`] : []),
    ...(videoIds ? [sql`video_id = any(${[...videoIds]}::text[])`] : []),
    ...(batchId ? [sql`batch_id = ${batchId}`] : []),
    ...(incidentId ? [sql`incident_id = ${incidentId}`] : []),
    // The first condition matches the index; labels may be longer than an entry of it.
    ...(label ? [sql`left(label, 100) = left(${label}, 100) and label = ${label}`] : []),
    ...(type ? [sql`type = ${type}`] : []),
    ...(severity ? [sql`severity = ${severity}`] : []),
    ...(minConfidence ? [sql`confidence >= ${minConfidence}::real`] : []),
    ...(approval ? [sql`approval = ${approval}`] : []),
    ...(added ? [sql`added`] : []),
    ...(disputed ? [sql`disputed`] : []),
    ...(toReview
      ? [
          // Captions describe a video; there is nothing to decide about them.
          sql`approval = 'pending' and type <> 'caption' and not reviewer_ids @> array[${caller.userId}]
            and (lease_user_id is null or lease_user_id = ${caller.userId} or lease_until < now())`,
        ]
      : []),
    // Nobody has to decide again on an event whose verdict follows from another one.
    ...(toReview && perIncident ? [sql`implied is null`] : []),
    ...(assigned ? [sql`lease_user_id = ${caller.userId} and lease_until >= now()`] : []),
    ...(calendar.length > 0
      ? [
          sql`exists (select from videos where videos.id = video_id and videos.org_id = ${caller.orgId} and ${sql.join(calendar, sql` and `)})`,
        ]
      : []),
    ...(createdAfter ? [sql`created_at >= ${createdAfter} and analysis_id > ${idAt(createdAfter, -1)}`] : []),
    ...(createdBefore ? [sql`created_at < ${createdBefore} and analysis_id < ${idAt(createdBefore, 1)}`] : []),
  ];
}

/** Number of events of each of the batches, which the caller may read; at most `most` of each are counted. */
export async function countByBatch(
  db: Queryable,
  batchIds: readonly string[],
  most: number,
): Promise<{ batchId: string; count: number }[]> {
  const { rows } = await sql<{ batchId: string; count: number }>`
    select id as batch_id, (
      select count(*) from (select from analysis_events where batch_id = id limit ${most}) as counted
    )::integer as count from unnest(${batchIds}::text[]) as id`.execute(db);
  return rows;
}

/** Events of each of the videos that the caller may see: numbers of events and incidents, most frequent labels. */
export async function countByVideo(
  db: Queryable,
  caller: Principal,
  videoIds: readonly string[],
  { events, labels }: { events: number; labels: number },
): Promise<({ videoId: string } & VideoEventCount)[]> {
  const { rows } = await sql<{ videoId: string } & VideoEventCount>`
    with newest as materialized (
      select chosen.id as video_id, event.*
      from unnest(${videoIds}::text[]) as chosen (id) cross join lateral (
        select label, approval, implied, ${INCIDENT} as incident from analysis_events
        where video_id = chosen.id and ${isReadable(caller, 'analysisEvents')}
        order by analysis_id desc, position desc limit ${events}
      ) event
    ),
    totals as (
      select video_id, count(*)::integer as count, count(distinct incident)::integer as incidents,
        count(*) filter (where approval = 'pending')::integer as pending,
        (count(distinct incident) filter (where approval = 'pending' and implied is null))::integer as pending_incidents
      from newest group by video_id
    ),
    labeled as (
      select video_id, label, count(*)::integer as n,
        row_number() over (partition by video_id order by count(*) desc, label) as rank
      from newest group by video_id, label
    ),
    frequent as (
      select video_id, jsonb_agg(jsonb_build_object('value', label, 'count', n) order by rank) as labels
      from labeled where rank <= ${labels} group by video_id
    )
    select * from totals join frequent using (video_id)`.execute(db);
  return rows;
}
