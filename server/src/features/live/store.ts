import { type Selectable, sql } from 'kysely';
import type { FolderScope } from '#features/folders/index';
import { isManageable, isReadable, type Principal } from '#platform/access/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { Person } from '#platform/http/index';
import type { EncryptedSecret } from '#platform/secrets/index';
import {
  type LiveEvent,
  type LiveSession,
  OPEN_STATUSES,
  type PlacedGap,
  type RecordedEpoch,
  type RecordedPart,
  type RecordedPlace,
  type RecordedSegment,
  type RecordingMode,
  type RetainedSpan,
  type SessionStatus,
} from './types.ts';

export type StreamUpsert = {
  id: string;
  name: string;
  sourceUrl: string;
  /** Null leaves it unchanged. */
  retentionDays: number | null;
};

/**
 * Creates the stream, or updates its name and source. Only who manages it may change the retention. False if the
 * caller may not.
 */
export async function upsertStream(db: Queryable, caller: Principal, stream: StreamUpsert): Promise<boolean> {
  const { id, name, sourceUrl, retentionDays } = stream;
  const change = { name, sourceUrl, ...(retentionDays === null ? {} : { retentionDays }) };
  const keepsRetention = sql<boolean>`${retentionDays === null}`;
  const isUnchanged = sql<boolean>`live_streams.retention_days is not distinct from excluded.retention_days`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('liveStreams')
    .values({ orgId: caller.orgId, id, ownerId: caller.userId, ...change })
    .onConflict((conflict) =>
      conflict
        .columns(['orgId', 'id'])
        .doUpdateSet(change)
        .where((or) => or.or([isManageable(caller, 'liveStreams'), keepsRetention, isUnchanged])),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export type SessionInsert = Pick<
  LiveSession,
  | 'id'
  | 'orgId'
  | 'streamId'
  | 'ownerId'
  | 'scope'
  | 'folderId'
  | 'cameraId'
  | 'timeZone'
  | 'name'
  | 'sourceUrl'
  | 'sourceSecret'
  | 'query'
  | 'videoId'
  | 'recording'
  | 'preRollS'
  | 'postRollS'
>;

export async function insertSession(trx: Transaction, session: SessionInsert): Promise<void> {
  await trx
    .insertInto('liveSessions')
    .values({ ...session, sourceSecret: JSON.stringify(session.sourceSecret), status: 'INITIALIZING' })
    .execute();
}

/**
 * Number of sessions of the organization that are being recorded. Locks the organization until the end of the
 * transaction, so that concurrent starts count correctly.
 */
export async function countActiveSessions(trx: Transaction, orgId: string): Promise<number> {
  await sql`select id from organizations where id = ${orgId} for no key update`.execute(trx);
  const { count } = await trx
    .selectFrom('liveSessions')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('orgId', '=', orgId)
    .where('status', 'in', ['INITIALIZING', 'ACTIVE'])
    .executeTakeFirstOrThrow();
  return count;
}

const sessions = (db: Queryable) =>
  db
    .selectFrom('liveSessions')
    .innerJoin('users', 'users.id', 'liveSessions.ownerId')
    .selectAll('liveSessions')
    .select('users.name as ownerName');

/** With `lock`, the session does not change until the end of the transaction. */
export async function findSession(db: Queryable, id: string, { lock = false } = {}): Promise<LiveSession | null> {
  const row = await sessions(db)
    .where('liveSessions.id', '=', id)
    .$if(lock, (query) => query.forUpdate('liveSessions'))
    .executeTakeFirst();
  return row ? toSession(row) : null;
}

export type SessionQuery = {
  caller: Person;
  /** The caller's own sessions, those shared with the organization, or with null all that the caller may read. */
  scope: 'personal' | 'org' | null;
  streamId: string | null;
  videoId: string | null;
  cameraId: string | null;
  /** True: sessions that have not ended; false: those that have; null: all. */
  open: boolean | null;
  before: string | null;
  limit: number;
};

/** Sessions older than `before`, newest first. */
export async function listSessions(db: Queryable, page: SessionQuery): Promise<LiveSession[]> {
  const { caller } = page;
  let query = sessions(db)
    .where(isReadable(caller, 'liveSessions'))
    .orderBy('liveSessions.id', 'desc')
    .limit(page.limit);
  if (page.scope === 'personal') query = query.where('liveSessions.ownerId', '=', caller.userId);
  else if (page.scope === 'org') query = query.where('liveSessions.scope', '=', 'org');
  if (page.streamId) query = query.where('liveSessions.streamId', '=', page.streamId);
  if (page.cameraId) query = query.where('liveSessions.cameraId', '=', page.cameraId);
  if (page.videoId) {
    const ofRecording = sql<string>`(select session_id from live_epochs where video_id = ${page.videoId})`;
    query = query.where((or) =>
      or.or([or('liveSessions.videoId', '=', page.videoId), or('liveSessions.id', 'in', ofRecording)]),
    );
  }
  if (page.open !== null) query = query.where('status', page.open ? 'in' : 'not in', OPEN_STATUSES);
  if (caller.folderId) query = query.where('liveSessions.folderId', '=', caller.folderId);
  if (page.before) query = query.where('liveSessions.id', '<', page.before);
  return (await query.execute()).map(toSession);
}

/** Requests the end of a session. False if that was requested before, or the session has ended. */
export async function requestEnd(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('liveSessions')
    .set({ status: 'ENDING', endRequestedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', 'in', ['INITIALIZING', 'ACTIVE'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Encrypted source URLs of open sessions. */
export async function listSourceSecrets(db: Queryable): Promise<{ id: string; secret: EncryptedSecret }[]> {
  const rows = await db
    .selectFrom('liveSessions')
    .select(['id', 'sourceSecret'])
    .where('status', 'in', OPEN_STATUSES)
    .where('sourceSecret', 'is not', null)
    .execute();
  return rows.map(({ id, sourceSecret }) => ({ id, secret: sourceSecret as EncryptedSecret }));
}

/** False if the session has ended in the meantime. */
export async function updateSourceSecret(db: Queryable, sessionId: string, secret: EncryptedSecret): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('liveSessions')
    .set({ sourceSecret: JSON.stringify(secret) })
    .where('id', '=', sessionId)
    .where('status', 'in', OPEN_STATUSES)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Id of the open session whose first recording is this video. */
export async function findActiveSessionByVideo(db: Queryable, videoId: string): Promise<string | null> {
  const row = await db
    .selectFrom('liveSessions')
    .select('id')
    .where('videoId', '=', videoId)
    .where('status', 'in', OPEN_STATUSES)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Deletes the rows of an erased recording: its segments, and their events and gaps. */
export async function deleteRecording(trx: Transaction, videoId: string): Promise<void> {
  const [deleted] = await trx.deleteFrom('liveEpochs').where('videoId', '=', videoId).returning('sessionId').execute();
  if (deleted) await deleteUnrecorded(trx, deleted.sessionId);
}

/** Deletes the rows of all recordings of a session. */
export async function deleteAllRecordings(trx: Transaction, sessionId: string): Promise<void> {
  await trx.deleteFrom('liveEpochs').where('sessionId', '=', sessionId).execute();
  await deleteUnrecorded(trx, sessionId);
}

async function deleteUnrecorded(trx: Transaction, sessionId: string): Promise<void> {
  const isUnrecorded = (column: string) => sql<boolean>`session_id = ${sessionId} and not exists (
    select from live_segments as segment where segment.session_id = ${sessionId} and segment.sequence = ${sql.ref(column)})`;
  await trx.deleteFrom('liveEvents').where(isUnrecorded('chunkIndex')).execute();
  // The gap at the end has no segment after it and belongs to the last one.
  const { last } = await trx
    .selectFrom('liveSessions')
    .select(sql<number>`segment_count - 1`.as('last'))
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  await trx
    .deleteFrom('liveGaps')
    .where('sessionId', '=', sessionId)
    .where(sql<boolean>`not exists (select from live_segments as segment where segment.session_id = ${sessionId}
      and segment.sequence = least(live_gaps.sequence, ${last}))`)
    .execute();
  const hasSegments = sql<boolean>`exists (select from live_segments where session_id = ${sessionId})`;
  await trx
    .deleteFrom('liveAnalyses')
    .where('sessionId', '=', sessionId)
    .where((not) => not.not(hasSegments))
    .execute();
}

export async function findEpoch(db: Queryable, sessionId: string, epoch: number): Promise<RecordedEpoch | null> {
  const row = await db
    .selectFrom('liveEpochs')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  return row ?? null;
}

/** Parts of the newest segments, in order, without their data. */
export async function listParts(db: Queryable, sessionId: string): Promise<RecordedPart[]> {
  return db
    .selectFrom('liveParts')
    .select(['sequence', 'part', 'durationS', 'independent'])
    .where('sessionId', '=', sessionId)
    .orderBy('sequence')
    .orderBy('part')
    .execute();
}

export async function findPartData(
  db: Queryable,
  sessionId: string,
  { sequence, part }: Pick<RecordedPart, 'sequence' | 'part'>,
): Promise<Buffer | null> {
  const row = await db
    .selectFrom('liveParts')
    .select('data')
    .where('sessionId', '=', sessionId)
    .where('sequence', '=', sequence)
    .where('part', '=', part)
    .executeTakeFirst();
  return row?.data ?? null;
}

/**
 * Notes that an open session is watched for `forS` seconds from now on, at most every few seconds. True if nobody
 * watched it before.
 */
export async function setWatched(trx: Transaction, sessionId: string, forS: number): Promise<boolean> {
  const seen = await trx
    .selectFrom('liveSessions')
    .select(sql<boolean>`coalesce(watched_until > now(), false)`.as('isWatched'))
    .where('id', '=', sessionId)
    .where('status', 'in', OPEN_STATUSES)
    .executeTakeFirst();
  if (!seen) return false;
  await trx
    .updateTable('liveSessions')
    .set({ watchedUntil: sql<Date>`now() + make_interval(secs => ${forS})` })
    .where('id', '=', sessionId)
    .where(sql<boolean>`watched_until is null or watched_until < now() + make_interval(secs => ${forS / 2})`)
    .execute();
  return !seen.isWatched;
}

/** Video ids of the recordings of a session, in order. */
export async function listRecordingIds(db: Queryable, sessionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('liveEpochs')
    .select('videoId')
    .where('sessionId', '=', sessionId)
    .where('videoId', 'is not', null)
    .groupBy('videoId')
    .orderBy(sql`min(epoch)`)
    .execute();
  return rows.map(({ videoId }) => videoId!);
}

/** True for a segment whose bytes exist. */
export const isStored = sql<boolean>`decision is distinct from 'discarded'`;

/** Up to `limit` segments from sequence `from` on, in order. */
export async function listSegments(
  db: Queryable,
  sessionId: string,
  from: number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<RecordedSegment[]> {
  const rows = await db
    .selectFrom('liveSegments')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .where('sequence', '>=', from)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows as RecordedSegment[];
}

/** The last `limit` segments that were not discarded, in order. */
export async function listLastSegments(db: Queryable, sessionId: string, limit: number): Promise<RecordedSegment[]> {
  const rows = await db
    .selectFrom('liveSegments')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .where(isStored)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse() as RecordedSegment[];
}

/** A shorter time between retained segments is that of frames on their way. */
const SAME_SPAN_S = 1;

/** The newest retained ranges of a session that is recorded around its events, at most `limit`, in order. */
export async function listRetainedSpans(db: Queryable, sessionId: string, limit: number): Promise<RetainedSpan[]> {
  const { rows } = await sql<RetainedSpan>`
    select min(captured_at) as start_at, min(stream_s) as from_s, max(stream_s + duration_s) as until_s,
      min(video_id) filter (where recording_offset is not null) as video_id,
      min(start_s - video_start_s) filter (where recording_offset is not null) as video_from_s
    from (
      select *, count(*) filter (where begins) over (order by sequence) as span
      from (
        select segment.*, epoch.video_id, min(start_s) over (partition by epoch.video_id) as video_start_s,
          sequence <> lag(sequence, 1, -2) over placed + 1
            or stream_s > lag(stream_s + duration_s) over placed + ${SAME_SPAN_S}
            or epoch.video_id is distinct from lag(epoch.video_id) over placed as begins
        from live_segments segment join live_epochs epoch using (session_id, epoch)
        where session_id = ${sessionId} and decision = 'retained'
        window placed as (order by sequence)
      ) retained
    ) spans
    group by span order by from_s desc limit ${limit}`.execute(db);
  return rows.reverse();
}

/** Positions of all segments that are recorded, in order. */
export async function listPositions(db: Queryable, sessionId: string): Promise<RecordedPlace[]> {
  return db
    .selectFrom('liveSegments as segment')
    .innerJoin('liveEpochs as epoch', (on) =>
      on.onRef('epoch.sessionId', '=', 'segment.sessionId').onRef('epoch.epoch', '=', 'segment.epoch'),
    )
    .select(['segment.sequence', 'segment.startS', 'segment.streamS', 'segment.durationS', 'epoch.videoId'])
    .where('segment.sessionId', '=', sessionId)
    .where(isStored)
    .orderBy('segment.sequence')
    .execute();
}

export async function listGaps(db: Queryable, sessionId: string): Promise<PlacedGap[]> {
  return db
    .selectFrom('liveGaps as gap')
    .leftJoin('liveSegments as before', (on) =>
      on.onRef('before.sessionId', '=', 'gap.sessionId').on('before.sequence', '=', sql`gap.sequence - 1`),
    )
    .select(['gap.sequence', 'gap.fromAt', 'gap.untilAt', 'gap.reason'])
    .select(sql<number>`coalesce(before.stream_s + before.duration_s, 0)`.as('fromS'))
    .select(
      sql<number>`coalesce(before.stream_s + before.duration_s, 0) + extract(epoch from until_at - from_at)::float8`.as(
        'untilS',
      ),
    )
    .where('gap.sessionId', '=', sessionId)
    .orderBy('gap.sequence')
    .execute();
}

/** Number of the segment that a time of the stream is in; in a gap, of the one before it. 0 without segments. */
export async function findSequenceAt(db: Queryable, sessionId: string, streamS: number): Promise<number> {
  const row = await db
    .selectFrom('liveSegments')
    .select('sequence')
    .where('sessionId', '=', sessionId)
    .where('streamS', '<=', streamS)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.sequence ?? 0;
}

/** The segment that was recorded at a time: the last one that begins by then, otherwise the first. */
export async function findSegmentBefore(db: Queryable, sessionId: string, at: Date): Promise<RecordedSegment | null> {
  const row = await db
    .selectFrom('liveSegments')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .where('capturedAt', '<=', at)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row as RecordedSegment | undefined) ?? (await listSegments(db, sessionId, 0, 1))[0] ?? null;
}

export async function listEvents(db: Queryable, sessionId: string): Promise<LiveEvent[]> {
  const rows = await db
    .selectFrom('liveEvents')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .orderBy('position')
    .execute();
  return rows.map(toLiveEvent);
}

export const toLiveEvent = (row: Selectable<DB['liveEvents']>): LiveEvent => ({
  ...row,
  data: JSON.parse(row.data) as Record<string, unknown>,
});

type SessionRow = Selectable<DB['liveSessions']> & { ownerName: string };

const toSession = ({ problemCode, problemMessage, ...row }: SessionRow): LiveSession => ({
  ...row,
  scope: row.scope as FolderScope,
  status: row.status as SessionStatus,
  recording: row.recording as RecordingMode,
  sourceSecret: row.sourceSecret as EncryptedSecret | null,
  problem: problemCode === null ? null : { code: problemCode, message: problemMessage ?? '' },
});
