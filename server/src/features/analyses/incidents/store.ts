import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { findStored } from '../event-index/list-store.ts';
import type { Approval, EventKey } from '../event-index/types.ts';
import { toEventId } from '../types.ts';
import { followDecisions, type IncidentDecision } from './decisions.ts';
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
  const decisions = await listDecisions(trx, videoId);
  const rows = await readConnected(trx, videoId, { stored, subjects }, decisions);
  const existing = await findNamed(trx, videoId, rows);
  const ids = groupIncidents(rows, existing, followDecisions(decisions));
  const members = Map.groupBy(rows, ({ eventId }) => ids.get(eventId)!);
  const changed = rows.flatMap((event) => {
    const id = ids.get(event.eventId)!;
    const implied = findImplied(event, members.get(id)!, (other) => isSeenByAll(other, event));
    const isSame = id === event.incidentId && (implied?.eventId ?? null) === event.impliedBy;
    return isSame && (implied?.verdict ?? null) === event.implied ? [] : [{ ...event, id, by: implied }];
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

/** The decisions about events of a video, oldest first. */
export async function listDecisions(trx: Transaction, videoId: string): Promise<IncidentDecision[]> {
  const { rows } = await sql<{ a: string; b: string; same: boolean }>`
    select analysis_a || '-' || position_a as a, analysis_b || '-' || position_b as b, same
    from incident_decisions where video_id = ${videoId} order by decided_at, a, b`.execute(trx);
  return rows;
}

/** Stores decisions, or replaces those about the same events. */
export async function putDecisions(
  trx: Transaction,
  videoId: string,
  decisions: readonly IncidentDecision[],
  userId: string,
): Promise<void> {
  const keys = decisions.map(toPair);
  await sql`
    insert into incident_decisions (video_id, analysis_a, position_a, analysis_b, position_b, same, decided_by)
    select ${videoId}, given.*, ${userId}
    from unnest(${keys.map(([a]) => a.analysisId)}::text[], ${keys.map(([a]) => a.position)}::integer[],
      ${keys.map(([, b]) => b.analysisId)}::text[], ${keys.map(([, b]) => b.position)}::integer[],
      ${decisions.map(({ same }) => same)}::boolean[]) as given
    on conflict (analysis_a, position_a, analysis_b, position_b)
      do update set same = excluded.same, decided_by = excluded.decided_by, decided_at = now()`.execute(trx);
}

export async function deleteDecisions(
  trx: Transaction,
  decisions: readonly Pick<IncidentDecision, 'a' | 'b'>[],
): Promise<void> {
  const keys = decisions.map(toPair);
  await sql`
    delete from incident_decisions using unnest(${keys.map(([a]) => a.analysisId)}::text[],
      ${keys.map(([a]) => a.position)}::integer[], ${keys.map(([, b]) => b.analysisId)}::text[],
      ${keys.map(([, b]) => b.position)}::integer[]) as given (analysis_a, position_a, analysis_b, position_b)
    where incident_decisions.analysis_a = given.analysis_a and incident_decisions.position_a = given.position_a
      and incident_decisions.analysis_b = given.analysis_b and incident_decisions.position_b = given.position_b`.execute(
    trx,
  );
}

/** The ids in the order in which they are stored. */
function toPair({ a, b }: Pick<IncidentDecision, 'a' | 'b'>): [EventKey, EventKey] {
  const [first, second] = [a, b].toSorted();
  return [parseEventId(first!), parseEventId(second!)];
}

/** The videos of these analyses. */
export async function findVideos(trx: Transaction, analysisIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    select distinct video_id from analyses where id = any(${analysisIds}::text[])`.execute(trx);
  return rows.map(({ videoId }) => videoId);
}

/** Marks the incidents of these events to be computed again. Returns the videos of those that exist. */
export async function markStale(trx: Transaction, events: readonly EventKey[]): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    update analysis_events e set incident_subject = null
    from unnest(${events.map(({ analysisId }) => analysisId)}::text[],
      ${events.map(({ position }) => position)}::integer[]) as given (analysis_id, position)
    where e.analysis_id = given.analysis_id and e.position = given.position returning e.video_id`.execute(trx);
  return rows.map(({ videoId }) => videoId);
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

/** The same, and all that decisions of people connect with them: of another subject, or at another time. */
async function readConnected(
  trx: Transaction,
  videoId: string,
  { stored, subjects }: { stored: readonly StoredSubject[]; subjects: readonly string[] },
  decisions: readonly IncidentDecision[],
): Promise<Row[]> {
  const all = new Set(subjects);
  for (;;) {
    const rows = await readGrouped(trx, videoId, { stored, subjects: [...all] });
    const read = new Set(rows.map(({ eventId }) => eventId));
    const missing = decisions
      .filter(({ a, b, same }) => same && read.has(a) !== read.has(b))
      .map(({ a, b }) => parseEventId(read.has(a) ? b : a));
    const { rows: found } = await sql<{ subject: string }>`
      select distinct incident_subject as subject from analysis_events
      where video_id = ${videoId} and incident_subject is not null
        and (analysis_id, position) in (select * from unnest(${missing.map(({ analysisId }) => analysisId)}::text[],
          ${missing.map(({ position }) => position)}::integer[]))`.execute(trx);
    const added = found.filter(({ subject }) => !all.has(subject));
    if (added.length === 0) return rows;
    for (const { subject } of added) all.add(subject);
  }
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
