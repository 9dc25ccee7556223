import { sql } from 'kysely';
import type { AbsenceState, Plan, ReportedEvent } from '#engine/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { toLiveEvent } from '../store.ts';
import type { LiveEvent, LiveSession } from '../types.ts';
import type { LiveCoverageRow } from './coverage.ts';
import type { Sampling } from './sampling.ts';
import type { PendingRange, SkippedRange } from './skipped-ranges.ts';

/** Interval at which a worker renews its lease on an analysis, and the duration of the lease. */
export const RENEW_MS = 4_000;
const LEASE_S = 15;

const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_S})`;

/** `continued`: what the session before of the same camera knew was taken over. */
export type AbsenceLedger = { continued: boolean; states: AbsenceState[] };

export type LiveAnalysis = {
  sessionId: string;
  /** The reading of the query, which all nodes analyze it by; null, or of other words: an earlier version set it. */
  plan: unknown;
  /** Sequence of the next segment to analyze. */
  nextSequence: number;
  /** Number of segments once the recording has ended; null before that. */
  endSequence: number | null;
  /** Analyzed up to here, in seconds of the stream. */
  analysedS: number;
  sampling: Sampling;
  lagS: number;
  skippedS: number;
  reportedEvents: ReportedEvent[];
  /** Start of the search for each part of the query, in seconds of the stream. */
  searchStarts: Record<string, number>;
  absences: AbsenceLedger;
  coverage: LiveCoverageRow[];
  /** Skipped ranges that will be analyzed later, in order of time; and ranges that never will be. */
  pendingRanges: PendingRange[];
  skippedRanges: SkippedRange[];
  endedAt: Date | null;
};

/** Starts the analysis of a session at its next segment, or continues it, by this reading of the query. */
export async function startAnalysis(trx: Transaction, sessionId: string, reading: Plan): Promise<void> {
  const plan = JSON.stringify(reading);
  const nextSequence = sql<number>`(select segment_count from live_sessions where id = ${sessionId})`;
  await trx
    .insertInto('liveAnalyses')
    .values({ sessionId, plan, nextSequence })
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet({ plan }))
    .execute();
}

/** Stores another reading of a query, unless the query or its reading has changed. */
export async function replaceReading(
  db: Queryable,
  sessionId: string,
  query: string,
  { from, to }: { from: unknown; to: Plan },
): Promise<void> {
  const before = from === null ? null : JSON.stringify(from);
  await db
    .updateTable('liveAnalyses')
    .from('liveSessions')
    .set({ plan: JSON.stringify(to) })
    .whereRef('liveSessions.id', '=', 'sessionId')
    .where('sessionId', '=', sessionId)
    .where(sql<boolean>`coalesce(live_sessions.query, '') = ${query}`)
    .where(sql<boolean>`live_analyses.plan::text is not distinct from ${before}::text`)
    .execute();
}

/** Claims an unclaimed analysis of an organization outside `exceptOrgs`; null if no analysis is waiting. */
export async function claimAnalysis(
  db: Queryable,
  leaseHolder: string,
  exceptOrgs: readonly string[],
): Promise<{ sessionId: string; orgId: string } | null> {
  const waiting = sql<string>`(
    select session_id from live_analyses join live_sessions on live_sessions.id = session_id
    where live_analyses.ended_at is null and live_analyses.lease_until <= now()
      and live_sessions.org_id <> all(${[...exceptOrgs]}::text[])
    order by live_analyses.lease_until limit 1 for update of live_analyses skip locked)`;
  const row = await db
    .updateTable('liveAnalyses')
    .from('liveSessions')
    .set({ leaseHolder, leaseUntil: leaseEnd })
    .where('sessionId', '=', waiting)
    .whereRef('liveSessions.id', '=', 'sessionId')
    .returning(['sessionId', 'orgId'])
    .executeTakeFirst();
  return row ?? null;
}

/** False if the lease was lost. */
export async function renewLease(db: Queryable, sessionId: string, leaseHolder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('liveAnalyses')
    .set({ leaseUntil: leaseEnd })
    .where('sessionId', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets another worker claim the analysis after `afterS` seconds. */
export async function releaseLease(
  db: Queryable,
  sessionId: string,
  leaseHolder: string,
  afterS: number,
): Promise<void> {
  await db
    .updateTable('liveAnalyses')
    .set({ leaseUntil: sql<Date>`now() + make_interval(secs => ${afterS})` })
    .where('sessionId', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .execute();
}

/** Ends the analysis where it is if the recording has ended. False if it has not. */
export async function endIncomplete(db: Queryable, sessionId: string, leaseHolder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('liveAnalyses')
    .set({ endedAt: sql<Date>`now()` })
    .where('sessionId', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where('endSequence', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** With `lock`, no step of it is stored until the end of the transaction. */
export async function findAnalysis(
  db: Queryable,
  sessionId: string,
  { lock = false } = {},
): Promise<LiveAnalysis | null> {
  const row = await db
    .selectFrom('liveAnalyses')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row
    ? {
        ...row,
        plan: row.plan === null ? null : JSON.parse(row.plan),
        sampling: row.sampling as Sampling,
        reportedEvents: JSON.parse(row.reportedEvents),
        searchStarts: JSON.parse(row.searchStarts),
        absences: JSON.parse(row.absences),
        coverage: JSON.parse(row.coverage),
        pendingRanges: JSON.parse(row.pendingRanges),
        skippedRanges: JSON.parse(row.skippedRanges),
      }
    : null;
}

/** Absences of the session of the same camera before this one; null without one, or if it was only recorded. */
export async function findEarlierAbsences(
  db: Queryable,
  { id, cameraId }: Pick<LiveSession, 'id' | 'cameraId'>,
): Promise<{ endedAt: Date | null; states: AbsenceLedger['states'] } | null> {
  const row = await db
    .selectFrom('liveSessions')
    .leftJoin('liveAnalyses', 'liveAnalyses.sessionId', 'liveSessions.id')
    .select(['liveAnalyses.endedAt', 'liveAnalyses.absences'])
    .where('liveSessions.cameraId', '=', cameraId)
    .where('liveSessions.id', '<', id)
    .orderBy('liveSessions.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row?.absences) return null;
  return { endedAt: row.endedAt, states: (JSON.parse(row.absences) as AbsenceLedger).states };
}

export type SegmentObservation = { sequence: number; data: Uint8Array };

/** Observations of segments `from` (inclusive) to `until` (exclusive), in order. */
export async function listObservations(
  db: Queryable,
  sessionId: string,
  { from, until }: { from: number; until: number },
): Promise<SegmentObservation[]> {
  return db
    .selectFrom('liveSegmentObservations')
    .select(['sequence', 'data'])
    .where('sessionId', '=', sessionId)
    .where('sequence', '>=', from)
    .where('sequence', '<', until)
    .orderBy('sequence')
    .execute();
}

/** State of an analysis after one step. */
export type AnalysisStep = Pick<
  LiveAnalysis,
  | 'nextSequence'
  | 'analysedS'
  | 'sampling'
  | 'reportedEvents'
  | 'searchStarts'
  | 'absences'
  | 'coverage'
  | 'pendingRanges'
  | 'skippedRanges'
> & {
  /** Observation made in the step. */
  observation: SegmentObservation | null;
  /**
   * First segment whose observation the next step needs. Observations that pending ranges need are retained as well.
   */
  retainFrom: number;
  ended: boolean;
};

/** Stores the result of a step. False if the lease was lost. */
export async function saveStep(
  trx: Transaction,
  { sessionId, nextSequence }: Pick<LiveAnalysis, 'sessionId' | 'nextSequence'>,
  leaseHolder: string,
  step: AnalysisStep,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('liveAnalyses')
    .set({
      nextSequence: step.nextSequence,
      analysedS: step.analysedS,
      sampling: step.sampling,
      skippedS: skippedSeconds(step),
      reportedEvents: JSON.stringify(step.reportedEvents),
      searchStarts: JSON.stringify(step.searchStarts),
      absences: JSON.stringify(step.absences),
      coverage: JSON.stringify(step.coverage),
      pendingRanges: JSON.stringify(step.pendingRanges),
      skippedRanges: JSON.stringify(step.skippedRanges),
      lagS: sql<number>`(
        select coalesce(sum(duration_s), 0) from live_segments
        where session_id = ${sessionId} and sequence >= ${step.nextSequence})`,
      leaseUntil: leaseEnd,
      ...(step.ended ? { endedAt: sql<Date>`now()` } : {}),
    })
    .where('sessionId', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where('nextSequence', '=', nextSequence)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (step.observation) {
    const { sequence, data } = step.observation;
    await trx
      .insertInto('liveSegmentObservations')
      .values({ sessionId, sequence, data: Buffer.from(data) })
      .execute();
  }
  const retained = [{ from: step.retainFrom, until: 2 ** 31 - 1 }];
  for (const { contextFrom, from } of step.pendingRanges)
    if (contextFrom < from) retained.push({ from: contextFrom, until: from });
  await trx
    .deleteFrom('liveSegmentObservations')
    .where('sessionId', '=', sessionId)
    .where(({ and, not, or }) =>
      and(
        retained.map(({ from, until }) =>
          or([not(sql<boolean>`sequence >= ${from}`), sql<boolean>`sequence >= ${until}`]),
        ),
      ),
    )
    .execute();
  return true;
}

/** Recorded duration that was skipped and not analyzed so far, in seconds. */
function skippedSeconds({
  pendingRanges: pending,
  skippedRanges: skipped,
}: Pick<LiveAnalysis, 'pendingRanges' | 'skippedRanges'>): number {
  const pendingS = pending.reduce((sum, { seconds }) => sum + seconds, 0);
  return skipped.reduce((sum, { fromS, untilS }) => sum + untilS - fromS, pendingS);
}

/** True where the analysis skipped the video before or after an event, which may therefore be longer. */
export type EventCut = { cut_start?: boolean; cut_end?: boolean };

export type LiveEventInsert = Omit<LiveEvent, 'position'>;

/** Appends events to the session. */
export async function addEvents(
  trx: Transaction,
  sessionId: string,
  events: readonly LiveEventInsert[],
): Promise<void> {
  if (events.length === 0) return;
  const { eventCount } = await trx
    .updateTable('liveSessions')
    .set({ eventCount: sql<number>`event_count + ${events.length}` })
    .where('id', '=', sessionId)
    .returning('eventCount')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('liveEvents')
    .values(
      events.map(({ id, chunkIndex, streamS, capturedAt, createdAt, data }, i) => ({
        sessionId,
        position: eventCount - events.length + i,
        id,
        chunkIndex,
        streamS,
        capturedAt,
        data: JSON.stringify(data),
        createdAt,
      })),
    )
    .execute();
}

/** Sets or clears the marks of events next to a skipped range. */
export async function markCut(trx: Transaction, ids: readonly string[], cut: EventCut): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('liveEvents')
    .set({ data: sql<string>`(data::jsonb || ${JSON.stringify(cut)}::jsonb)::json` })
    .where('id', 'in', ids)
    .execute();
}

/** Stores the end of an event. Returns the updated event. */
export async function endEvent(trx: Transaction, id: string, end: Record<string, unknown>): Promise<LiveEvent> {
  const row = await trx
    .updateTable('liveEvents')
    .set({ data: sql<string>`(data::jsonb || ${JSON.stringify(end)}::jsonb)::json` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toLiveEvent(row);
}

export async function findEvent(db: Queryable, sessionId: string, id: string): Promise<LiveEvent | null> {
  const row = await db
    .selectFrom('liveEvents')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? toLiveEvent(row) : null;
}

/** Marks the recording as ended: the analysis ends after its last segment. */
export async function setEndSequence(db: Queryable, sessionId: string): Promise<void> {
  await db
    .updateTable('liveAnalyses')
    .set({ endSequence: sql<number>`(select segment_count from live_sessions where id = ${sessionId})` })
    .where('sessionId', '=', sessionId)
    .execute();
}

/** Replaces the query, or appends to it. Returns the whole query; null if the session is no longer active. */
export async function setQuery(
  trx: Transaction,
  sessionId: string,
  query: string,
  add: boolean,
): Promise<string | null> {
  const row = await trx
    .updateTable('liveSessions')
    .set({ query: add ? sql<string>`concat_ws(e'\\n', query, ${query}::text)` : query })
    .where('id', '=', sessionId)
    .where('status', 'in', ['INITIALIZING', 'ACTIVE'])
    .returning('query')
    .executeTakeFirst();
  return row?.query ?? null;
}
