import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { findStored } from '../event-index/list-store.ts';
import type { Approval, EventKey } from '../event-index/types.ts';
import { toEventId } from '../types.ts';
import { type Footprint, footprintOf, type StoredEvidence } from './footprint.ts';
import { findImplied } from './implication.ts';
import { type GroupedEvent, groupIncidents } from './rule.ts';

/**
 * Computes the incidents of a video's events that were stored or changed, and of all about the same at their times, in
 * the transaction of the change. `subjects`: those of deleted events, at all times. Lock the video first.
 */
export async function assignIncidents(
  trx: Transaction,
  videoId: string,
  subjects: readonly string[] = [],
): Promise<void> {
  const stored = await storeFootprints(trx, videoId);
  if (stored.length === 0 && subjects.length === 0) return;
  const rows = await readGrouped(trx, videoId, { stored, subjects });
  const existing = await findNamed(trx, videoId, rows);
  const changed = [...Map.groupBy(rows, ({ subject }) => subject).values()].flatMap((events) => {
    const ids = groupIncidents(events, existing);
    const members = Map.groupBy(events, ({ eventId }) => ids.get(eventId)!);
    return events.flatMap((event) => {
      const id = ids.get(event.eventId)!;
      const implied = findImplied(event, members.get(id)!, (other) => isSeenByAll(other, event));
      const isSame = id === event.incidentId && (implied?.eventId ?? null) === event.impliedBy;
      return isSame && (implied?.verdict ?? null) === event.implied ? [] : [{ ...event, id, by: implied }];
    });
  });
  await sql`
    update analysis_events e
    set incident_id = changed.id, implied = changed.verdict, implied_by = changed.event_id
    from unnest(${changed.map((each) => each.analysisId)}::text[], ${changed.map((each) => each.position)}::integer[],
      ${changed.map((each) => each.id)}::text[], ${changed.map(({ by }) => by?.verdict ?? null)}::text[],
      ${changed.map(({ by }) => by?.eventId ?? null)}::text[])
      as changed (analysis_id, position, id, verdict, event_id)
    where e.analysis_id = changed.analysis_id and e.position = changed.position`.execute(trx);
}

/** True if everybody who sees an event of the video also sees another one. */
const isSeenByAll = (other: Row, event: Row) =>
  other.scope === 'org' || (event.scope === 'user' && other.ownerId !== null && other.ownerId === event.ownerId);

/** Subjects of the events of an analysis, whose incidents change when it is deleted. */
export async function findSubjects(trx: Transaction, analysisId: string): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select distinct incident_subject as subject from analysis_events
    where analysis_id = ${analysisId} and incident_subject is not null`.execute(trx);
  return rows.map(({ subject }) => subject);
}

/** The incidents of the events of these analyses by the ids of the events, without those that are not computed yet. */
export async function findIncidents(db: Queryable, analysisIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<EventKey & { incidentId: string }>`
    select analysis_id, position, incident_id from analysis_events
    where analysis_id = any(${analysisIds}::text[]) and incident_id is not null`.execute(db);
  return new Map(rows.map(({ analysisId, position, incidentId }) => [toEventId(analysisId, position), incidentId]));
}

/** Videos with events whose incident is not computed yet. */
export async function findVideosWithout(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    select distinct video_id from analysis_events where incident_subject is null limit ${limit}`.execute(db);
  return rows.map(({ videoId }) => videoId);
}

/** Number of events whose incident is not computed yet. */
export async function countWithout(db: Queryable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from analysis_events where incident_subject is null`.execute(db);
  return rows[0]!.count;
}

type Unassigned = EventKey & { type: string; label: string; incidentId: string | null };

type StoredSubject = EventKey & { subject: string };

/** Stores what identifies the events that have no subject. Returns them and the events of their former incidents. */
async function storeFootprints(trx: Transaction, videoId: string): Promise<StoredSubject[]> {
  const { rows } = await sql<Unassigned>`
    select analysis_id, position, type, label, incident_id from analysis_events
    where video_id = ${videoId} and incident_subject is null`.execute(trx);
  if (rows.length === 0) return [];
  const texts = new Map(
    (await findStored(trx, rows)).map((row) => [toEventId(row.analysisId, row.position), row.text]),
  );
  const found = rows.map(({ analysisId, position, type, label }) => {
    const text = texts.get(toEventId(analysisId, position));
    const stored = text === undefined ? { type, description: label } : (JSON.parse(text) as StoredEvidence);
    return { analysisId, position, ...footprintOf(stored) };
  });
  await sql`
    update analysis_events e set incident_subject = found.subject, footprint = found.footprint
    from unnest(${found.map((each) => each.analysisId)}::text[], ${found.map((each) => each.position)}::integer[],
      ${found.map(({ subject }) => subject)}::text[], ${found.map(({ footprint }) => JSON.stringify(footprint))}::jsonb[])
      as found (analysis_id, position, subject, footprint)
    where e.analysis_id = found.analysis_id and e.position = found.position`.execute(trx);
  const former = rows.flatMap(({ incidentId }) => incidentId ?? []);
  const left = await sql<StoredSubject>`
    select analysis_id, position, incident_subject as subject from analysis_events
    where incident_id = any(${former}::text[]) and video_id = ${videoId}`.execute(trx);
  return [...found, ...left.rows];
}

type Row = GroupedEvent & {
  subject: string;
  position: number;
  scope: string;
  ownerId: string | null;
  implied: string | null;
  impliedBy: string | null;
};

/** Events on both sides of a longer pause, in seconds, share no time, although a moment is given a length. */
const PAUSE_S = 1;

/**
 * The events that may be of one incident with these: all of their subject in the same series of events without a pause
 * between them. A verdict on a day of video does not read the paths of the whole day.
 */
async function readGrouped(
  trx: Transaction,
  videoId: string,
  { stored, subjects }: { stored: readonly StoredSubject[]; subjects: readonly string[] },
): Promise<Row[]> {
  const all = [...new Set([...subjects, ...stored.map(({ subject }) => subject)])];
  const { rows } = await sql<
    Omit<Row, 'eventId' | 'approval' | 'footprint'> & { approval: Approval; footprint: Footprint }
  >`
    with timed as (
      select analysis_id, position, incident_subject, start_s,
        start_s - max(end_s) over (
          partition by incident_subject order by start_s rows between unbounded preceding and 1 preceding) as pause_s
      from analysis_events where video_id = ${videoId} and incident_subject = any(${all}::text[])
    ),
    numbered as (
      select analysis_id, position, incident_subject,
        count(*) filter (where pause_s > ${PAUSE_S}) over (partition by incident_subject order by start_s) as series
      from timed
    ),
    affected as (
      select distinct incident_subject, series from numbered
      where incident_subject = any(${subjects}::text[]) or (analysis_id, position) in (
        select * from unnest(${stored.map((each) => each.analysisId)}::text[], ${stored.map((each) => each.position)}::integer[]))
    )
    select e.analysis_id, e.position, e.incident_subject as subject, e.incident_id, e.label, e.approval, e.start_s,
      e.end_s, e.footprint, e.scope, e.owner_id, e.implied, e.implied_by, extract(epoch from coalesce(a.completed_at, a.created_at))::float8 as stored_at
    from affected join numbered using (incident_subject, series) join analysis_events e using (analysis_id, position)
      join analyses a on a.id = e.analysis_id
    where e.video_id = ${videoId}`.execute(trx);
  return rows.map((row) => ({ ...row, eventId: toEventId(row.analysisId, row.position) }));
}

/** Ids of incidents that are those of events of the video. */
async function findNamed(trx: Transaction, videoId: string, rows: readonly Row[]): Promise<Set<string>> {
  const own = new Set(rows.map(({ eventId }) => eventId));
  const others = [...new Set(rows.flatMap(({ incidentId }) => incidentId ?? []))].filter((id) => !own.has(id));
  if (others.length === 0) return own;
  const keys = others.map(parseEventId);
  const { rows: found } = await sql<EventKey>`
    select e.analysis_id, e.position
    from analysis_events e join unnest(${keys.map((key) => key.analysisId)}::text[],
      ${keys.map((key) => key.position)}::integer[]) as named (analysis_id, position) using (analysis_id, position)
    where e.video_id = ${videoId}`.execute(trx);
  return new Set([...own, ...found.map(({ analysisId, position }) => toEventId(analysisId, position))]);
}

function parseEventId(id: string): EventKey {
  const [analysisId, position] = id.split('-') as [string, string];
  return { analysisId, position: Number(position) };
}
