import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { isStored } from '../store.ts';
import type { LiveSession, RecordedEpoch, RecordedSegment, RecordingGap, SessionStatus } from '../types.ts';
import type { Decisions, EventSpan, UndecidedSegment } from './event-spans.ts';
import type { PictureState } from './picture-state.ts';
import type { StoredSegment } from './recording-file.ts';

/** Interval at which a worker renews its lease on a session, and the duration of the lease. */
export const RENEW_MS = 4_000;
const LEASE_S = 15;

/** The newest complete segments whose parts are retained: players start with the parts of one before the last. */
const SEGMENTS_WITH_PARTS = 3;

type Problem = { code: string; message: string };

/** The lease of one attempt at recording a session; `leaseHolder` is `<job id>:<unique id>`. */
export type SessionLease = { sessionId: string; jobId: string; leaseHolder: string };

const isOpen = sql<boolean>`status in ('INITIALIZING', 'ACTIVE', 'ENDING')`;
const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_S})`;

/**
 * Claims the session unless another job holds its lease. A job that moves to another worker takes over from the
 * previous one.
 */
export async function claimSession(db: Queryable, { sessionId, jobId, leaseHolder }: SessionLease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('liveSessions')
    .set({ leaseHolder, leaseUntil: leaseEnd })
    .where('id', '=', sessionId)
    .where(isOpen)
    .where((or) => or.or([or('leaseUntil', '<=', sql<Date>`now()`), or('leaseHolder', 'like', `${jobId}:%`)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the status of the session, and whether somebody watches it; null if the lease was lost. */
export async function renewLease(
  db: Queryable,
  { sessionId, leaseHolder }: SessionLease,
): Promise<{ status: SessionStatus; isWatched: boolean } | null> {
  const row = await db
    .updateTable('liveSessions')
    .set({ leaseUntil: leaseEnd })
    .where('id', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where(isOpen)
    .returning(['status', sql<boolean>`coalesce(watched_until > now(), false)`.as('isWatched')])
    .executeTakeFirst();
  return row ? { status: row.status as SessionStatus, isWatched: row.isWatched } : null;
}

/** Lets another worker claim the session after `afterS` seconds. */
export async function releaseLease(db: Queryable, { sessionId, leaseHolder }: SessionLease, afterS = 0): Promise<void> {
  await db
    .updateTable('liveSessions')
    .set({ leaseUntil: sql<Date>`now() + make_interval(secs => ${afterS})`, connected: false })
    .where('id', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .execute();
}

/** Stores whether frames arrive, and the current problem if they do not. */
export async function setConnectionState(
  db: Queryable,
  { sessionId, leaseHolder }: SessionLease,
  { connected, problem }: { connected: boolean; problem: Problem | null },
): Promise<void> {
  await db
    .updateTable('liveSessions')
    .set({ connected, problemCode: problem?.code ?? null, problemMessage: problem?.message ?? null })
    .where('id', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where(isOpen)
    .execute();
}

/** Stores since when the picture is frozen or black. */
export async function setPictureState(
  db: Queryable,
  { sessionId, leaseHolder }: SessionLease,
  { frozenSinceMs, blackSinceMs }: PictureState,
): Promise<void> {
  const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
  await db
    .updateTable('liveSessions')
    .set({ frozenSince: toDate(frozenSinceMs), blackSince: toDate(blackSinceMs) })
    .where('id', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where(isOpen)
    .execute();
}

export type SegmentInsert = {
  segment: RecordedSegment;
  epoch: (Omit<RecordedEpoch, 'videoId'> & { leadS: number }) | null;
  gap: RecordingGap | null;
};

/** Adds a segment. Returns the previous status of the session; null if the lease was lost. */
export async function addSegment(
  trx: Transaction,
  { sessionId, leaseHolder }: SessionLease,
  { segment, epoch, gap }: SegmentInsert,
): Promise<SessionStatus | null> {
  const before = await trx
    .selectFrom('liveSessions')
    .select('status')
    .where('id', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where('segmentCount', '=', segment.sequence)
    .where(isOpen)
    .forUpdate()
    .executeTakeFirst();
  if (!before) return null;
  await trx
    .updateTable('liveSessions')
    .set({
      status: sql`case when status = 'INITIALIZING' then 'ACTIVE' else status end`,
      segmentCount: segment.sequence + 1,
      epochCount: segment.epoch + 1,
      durationS: segment.startS + segment.durationS,
      bytes: sql`bytes + ${segment.bytes}`,
      longestSegmentS: sql`greatest(longest_segment_s, ${segment.durationS}::float8)`,
      startedAt: sql`coalesce(started_at, ${segment.capturedAt})`,
      connected: true,
      problemCode: null,
      problemMessage: null,
      ...(epoch ? { timestampOffsetS: epoch.leadS } : {}),
    })
    .where('id', '=', sessionId)
    .execute();
  if (epoch) {
    const { init, codecs, width, height } = epoch;
    await trx.insertInto('liveEpochs').values({ sessionId, epoch: epoch.epoch, init, codecs, width, height }).execute();
  }
  if (gap) await insertGap(trx, sessionId, gap);
  await trx
    .insertInto('liveSegments')
    .values({
      sessionId,
      sequence: segment.sequence,
      epoch: segment.epoch,
      startS: segment.startS,
      streamS: segment.streamS,
      durationS: segment.durationS,
      capturedAt: segment.capturedAt,
      bytes: segment.bytes,
      storageKey: segment.storageKey,
    })
    .execute();
  await deleteParts(trx, sessionId, { before: segment.sequence + 1 - SEGMENTS_WITH_PARTS });
  return before.status as SessionStatus;
}

export type PartInsert = {
  /** The segment that it belongs to. */
  sequence: number;
  part: number;
  durationS: number;
  independent: boolean;
  data: Buffer;
};

/** Stores a part of the segment that is being recorded. False if the lease was lost. */
export async function addPart(
  trx: Transaction,
  { sessionId, leaseHolder }: SessionLease,
  { sequence, part, durationS, independent, data }: PartInsert,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('liveParts')
    .columns(['sessionId', 'sequence', 'part', 'durationS', 'independent', 'data'])
    .expression((of) =>
      of
        .selectFrom('liveSessions')
        .select([
          'id',
          sql<number>`${sequence}::integer`.as('sequence'),
          sql<number>`${part}::integer`.as('part'),
          sql<number>`${durationS}::float8`.as('durationS'),
          sql<boolean>`${independent}::boolean`.as('independent'),
          sql<Buffer>`${data}::bytea`.as('data'),
        ])
        .where('id', '=', sessionId)
        .where('leaseHolder', '=', leaseHolder)
        .where(isOpen),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes the parts of a session: all, or those of segments before or from a sequence on. */
export async function deleteParts(
  db: Queryable,
  sessionId: string,
  { before, from }: { before?: number; from?: number } = {},
): Promise<void> {
  await db
    .deleteFrom('liveParts')
    .where('sessionId', '=', sessionId)
    .$if(before !== undefined, (query) => query.where('sequence', '<', before!))
    .$if(from !== undefined, (query) => query.where('sequence', '>=', from!))
    .execute();
}

/**
 * Marks the capture as complete, so that only finalizing remains. `gap` is the gap at the end. False if the lease was
 * lost.
 */
export async function finishCapture(
  trx: Transaction,
  { sessionId, leaseHolder }: SessionLease,
  problem: Problem | null,
  gap: RecordingGap | null,
): Promise<boolean> {
  const row = await trx
    .updateTable('liveSessions')
    .set({
      status: 'ENDING',
      captureComplete: true,
      connected: false,
      problemCode: problem?.code ?? null,
      problemMessage: problem?.message ?? null,
    })
    .where('id', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where(isOpen)
    .returning('id')
    .executeTakeFirst();
  if (row && gap) await insertGap(trx, sessionId, gap);
  return row !== undefined;
}

async function insertGap(trx: Transaction, sessionId: string, gap: RecordingGap): Promise<void> {
  const { sequence, fromAt, untilAt, reason } = gap;
  await trx.insertInto('liveGaps').values({ sessionId, sequence, fromAt, untilAt, reason }).execute();
}

/** Consecutive epochs with the same initialization section: they become one recording. */
export type EpochRange = { first: number; last: number; videoId: string | null; init: Buffer; bytes: number };

export async function listEpochRanges(db: Queryable, sessionId: string): Promise<EpochRange[]> {
  const rows = await db
    .selectFrom('liveEpochs')
    .innerJoin('liveSegments as segment', (on) =>
      on.onRef('segment.sessionId', '=', 'liveEpochs.sessionId').onRef('segment.epoch', '=', 'liveEpochs.epoch'),
    )
    .select(['liveEpochs.epoch', 'init', 'videoId', sql<number>`sum(segment.bytes)::float8`.as('bytes')])
    .where('liveEpochs.sessionId', '=', sessionId)
    .where(isStored)
    .groupBy(['liveEpochs.sessionId', 'liveEpochs.epoch'])
    .orderBy('liveEpochs.epoch')
    .execute();
  const ranges: EpochRange[] = [];
  for (const { epoch, init, videoId, bytes } of rows) {
    const last = ranges.at(-1);
    if (last?.init.equals(init)) {
      last.last = epoch;
      last.bytes += bytes;
    } else ranges.push({ first: epoch, last: epoch, videoId, init, bytes });
  }
  return ranges;
}

/** A stored segment, and when its first frame was captured. */
export type TimedSegment = StoredSegment & { capturedAt: Date };

/** The segments of a range in order. */
export async function listStoredSegments(
  db: Queryable,
  sessionId: string,
  { first, last }: EpochRange,
): Promise<TimedSegment[]> {
  return db
    .selectFrom('liveSegments')
    .select(['startS', 'durationS', 'bytes', 'storageKey', 'capturedAt'])
    .where('sessionId', '=', sessionId)
    .where('epoch', '>=', first)
    .where('epoch', '<=', last)
    .where(isStored)
    .orderBy('sequence')
    .execute();
}

/** Stores which recording a range becomes. */
export async function assignRecording(
  trx: Transaction,
  sessionId: string,
  range: EpochRange,
  videoId: string,
): Promise<void> {
  await trx
    .updateTable('liveEpochs')
    .set({ videoId })
    .where('sessionId', '=', sessionId)
    .where('epoch', '>=', range.first)
    .where('epoch', '<=', range.last)
    .execute();
}

/** Points the segments of a range to their bytes and times in the finished recording. */
export async function moveSegmentsIntoRecording(
  trx: Transaction,
  sessionId: string,
  { first, last }: EpochRange,
  recording: { storageKey: string; headerBytes: number },
): Promise<void> {
  await sql`
    update live_segments
    set storage_key = ${recording.storageKey}, recording_offset = ${recording.headerBytes} + placed.before,
      start_s = start_s - placed.left_out_s
    from (
      select sequence, sum(bytes) over (order by sequence) - bytes as before, left_out_s
      from (
        select sequence, epoch, bytes, decision,
          sum(case when decision = 'discarded' then duration_s else 0 end) over (order by sequence) as left_out_s
        from live_segments where session_id = ${sessionId}
      ) every
      where epoch between ${first} and ${last} and ${isStored}
    ) placed
    where session_id = ${sessionId} and live_segments.sequence = placed.sequence`.execute(trx);
}

/** Locks the session until the end of the transaction. False if the lease was lost. */
export async function lockSession(trx: Transaction, { sessionId, leaseHolder }: SessionLease): Promise<boolean> {
  const row = await trx
    .selectFrom('liveSessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where(isOpen)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export type UndecidedRow = UndecidedSegment & { capturedAt: Date; storageKey: string };

/** Segments of a session that are neither retained nor discarded, in order. */
export async function listUndecided(db: Queryable, sessionId: string): Promise<UndecidedRow[]> {
  return db
    .selectFrom('liveSegments')
    .select(['sequence', 'streamS', 'durationS', 'bytes', 'capturedAt', 'storageKey'])
    .where('sessionId', '=', sessionId)
    .where('decision', 'is', null)
    .orderBy('sequence')
    .execute();
}

export async function saveDecisions(
  trx: Transaction,
  sessionId: string,
  { retained, discarded, unanswered }: Decisions,
): Promise<void> {
  for (const [decision, sequences] of [['retained', retained] as const, ['discarded', discarded] as const]) {
    if (sequences.length === 0) continue;
    const isUnanswered = sql<boolean>`sequence = any(${unanswered}::integer[])`;
    await sql`
      with decided as (
        update live_segments set decision = ${decision}
        where session_id = ${sessionId} and sequence = any(${sequences}::integer[]) and decision is null
        returning duration_s, bytes, ${isUnanswered} as is_unanswered
      ), total as (
        select sum(duration_s) as seconds, sum(bytes) as bytes,
          coalesce(sum(duration_s) filter (where is_unanswered), 0) as unanswered_s
        from decided
      )
      update live_sessions set
        retained_s = retained_s + case when ${decision} = 'retained' then seconds else 0 end,
        discarded_s = discarded_s + case when ${decision} = 'retained' then 0 else seconds end,
        unanswered_s = live_sessions.unanswered_s + total.unanswered_s,
        bytes = live_sessions.bytes - case when ${decision} = 'retained' then 0 else total.bytes end
      from total where id = ${sessionId} and seconds is not null`.execute(trx);
  }
}

export type StoredEventSpan = Omit<EventSpan, 'isAbsence'> & { eventId: string; search: string };

/** Events of a session that last, or that end at or after `fromS`. */
export async function listEventSpans(db: Queryable, sessionId: string, fromS: number): Promise<StoredEventSpan[]> {
  const { rows } = await sql<StoredEventSpan>`
    select id as event_id, data ->> 'query' as search, (data ->> 'start_s')::float8 as start_s,
      (data ->> 'end_s')::float8 as end_s,
      array(select (frame ->> 'time_s')::float8 from json_array_elements(data -> 'evidence' -> 'frames') frame) as frames_s
    from live_events
    where session_id = ${sessionId} and ((data ->> 'ongoing')::boolean or (data ->> 'end_s')::float8 >= ${fromS})
    order by position`.execute(db);
  return rows;
}

/** Deletes the rows of segments that were not retained, except those before a gap, which state where it is. */
export async function deleteDiscarded(trx: Transaction, sessionId: string): Promise<void> {
  await sql`
    delete from live_segments where session_id = ${sessionId} and decision = 'discarded'
      and not exists (select from live_gaps gap where gap.session_id = ${sessionId} and gap.sequence = live_segments.sequence + 1)`.execute(
    trx,
  );
}

/** Ends a session. False if the lease was lost. */
export async function endSession(
  trx: Transaction,
  { sessionId, leaseHolder }: SessionLease,
  status: 'FINISHED' | 'FAILED',
  problem: Problem | null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('liveSessions')
    .set({
      status,
      connected: false,
      sourceSecret: null,
      endedAt: sql<Date>`now()`,
      problemCode: problem?.code ?? null,
      problemMessage: problem?.message ?? null,
    })
    .where('id', '=', sessionId)
    .where('leaseHolder', '=', leaseHolder)
    .where(isOpen)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await deleteParts(trx, sessionId);
  return true;
}

/** Open sessions without a valid lease for `forS` seconds. */
export async function listAbandonedSessions(
  db: Queryable,
  forS: number,
  limit: number,
): Promise<Pick<LiveSession, 'id' | 'orgId'>[]> {
  return db
    .selectFrom('liveSessions')
    .select(['id', 'orgId'])
    .where(isOpen)
    .where('leaseUntil', '<', sql<Date>`now() - make_interval(secs => ${forS})`)
    .orderBy('leaseUntil')
    .limit(limit)
    .execute();
}

export type ExpiredSession = Pick<LiveSession, 'id' | 'orgId' | 'ownerId' | 'videoId'>;

/**
 * Ended sessions past the retention of their stream, except those whose recordings are all on legal hold. It applies to
 * sessions of the stream's owner and to shared sessions.
 */
export async function listExpiredSessions(db: Queryable, limit: number): Promise<ExpiredSession[]> {
  return db
    .selectFrom('liveSessions as session')
    .innerJoin('liveStreams as stream', (on) =>
      on.onRef('stream.orgId', '=', 'session.orgId').onRef('stream.id', '=', 'session.streamId'),
    )
    .select(['session.id', 'session.orgId', 'session.ownerId', 'session.videoId'])
    .where('recordingsDeleted', '=', false)
    .where('status', 'in', ['FINISHED', 'FAILED'])
    .where((or) => or.or([or('session.scope', '=', 'org'), or('session.ownerId', '=', or.ref('stream.ownerId'))]))
    .where(sql<boolean>`ended_at < now() - make_interval(days => retention_days)`)
    .where(sql<boolean>`(
      select bool_or(held_at is null) from videos where deleted_at is null and (videos.id = session.video_id
        or videos.id in (select epoch.video_id from live_epochs epoch where epoch.session_id = session.id))) is not false`)
    .orderBy('endedAt')
    .limit(limit)
    .execute();
}

export async function markRecordingsDeleted(db: Queryable, sessionId: string): Promise<void> {
  await db.updateTable('liveSessions').set({ recordingsDeleted: true }).where('id', '=', sessionId).execute();
}
