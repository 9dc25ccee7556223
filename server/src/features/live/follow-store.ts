import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Sealed } from '#platform/secrets/index';
import type { FilmSegment } from './film.ts';
import type { Epoch, Gap, Segment, Session, SessionStatus } from './types.ts';

/** Whoever follows a session says so this often, and has it that long without saying anything. */
export const RENEW_MS = 4_000;
const LEASE_S = 15;

type Problem = { code: string; message: string };

/** One worker's following of one session: `<job>:<something of its own>`. */
export type Holder = { sessionId: string; job: string; holder: string };

const going = sql<boolean>`status in ('INITIALIZING', 'ACTIVE', 'ENDING')`;
const lease = sql<Date>`now() + make_interval(secs => ${LEASE_S})`;

/** Takes the session, unless somebody has it; a job that is given to another worker takes it from the one before. */
export async function take(db: Queryable, { sessionId, job, holder }: Holder): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('live_sessions')
    .set({ holder, lease_until: lease })
    .where('id', '=', sessionId)
    .where(going)
    .where((or) => or.or([or('lease_until', '<=', sql<Date>`now()`), or('holder', 'like', `${job}:%`)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Keeps it. Returns how it stands; null when it is ours no more: stop. */
export async function renew(db: Queryable, { sessionId, holder }: Holder): Promise<SessionStatus | null> {
  const row = await db
    .updateTable('live_sessions')
    .set({ lease_until: lease })
    .where('id', '=', sessionId)
    .where('holder', '=', holder)
    .where(going)
    .returning('status')
    .executeTakeFirst();
  return (row?.status as SessionStatus | undefined) ?? null;
}

/** Lets another worker take it, at once or after a while. */
export async function release(db: Queryable, { sessionId, holder }: Holder, afterS = 0): Promise<void> {
  await db
    .updateTable('live_sessions')
    .set({ lease_until: sql<Date>`now() + make_interval(secs => ${afterS})`, connected: false })
    .where('id', '=', sessionId)
    .where('holder', '=', holder)
    .execute();
}

/** What is said of a session that goes on: whether pictures come, and what is wrong at the moment. */
export async function setState(
  db: Queryable,
  { sessionId, holder }: Holder,
  { connected, problem }: { connected: boolean; problem: Problem | null },
): Promise<void> {
  await db
    .updateTable('live_sessions')
    .set({ connected, problem_code: problem?.code ?? null, problem_message: problem?.message ?? null })
    .where('id', '=', sessionId)
    .where('holder', '=', holder)
    .where(going)
    .execute();
}

export type NewSegment = {
  segment: Segment;
  epoch: (Omit<Epoch, 'videoId'> & { leadS: number }) | null;
  gap: Gap | null;
};

/** Adds a segment. Returns the session's status before; null when it is ours no more. */
export async function addSegment(
  trx: Transaction,
  { sessionId, holder }: Holder,
  { segment, epoch, gap }: NewSegment,
): Promise<SessionStatus | null> {
  const before = await trx
    .selectFrom('live_sessions')
    .select('status')
    .where('id', '=', sessionId)
    .where('holder', '=', holder)
    .where('segments', '=', segment.sequence)
    .where(going)
    .forUpdate()
    .executeTakeFirst();
  if (!before) return null;
  await trx
    .updateTable('live_sessions')
    .set({
      status: sql`case when status = 'INITIALIZING' then 'ACTIVE' else status end`,
      segments: segment.sequence + 1,
      epochs: segment.epoch + 1,
      duration_s: segment.startS + segment.durationS,
      bytes: sql`bytes + ${segment.bytes}`,
      longest_s: sql`greatest(longest_s, ${segment.durationS}::float8)`,
      started_at: sql`coalesce(started_at, ${segment.capturedAt})`,
      connected: true,
      problem_code: null,
      problem_message: null,
      ...(epoch ? { lead_s: epoch.leadS } : {}),
    })
    .where('id', '=', sessionId)
    .execute();
  if (epoch) {
    const { init, codecs, width, height } = epoch;
    await trx
      .insertInto('live_epochs')
      .values({ session_id: sessionId, epoch: epoch.epoch, init, codecs, width, height })
      .execute();
  }
  if (gap) await insertGap(trx, sessionId, gap);
  await trx
    .insertInto('live_segments')
    .values({
      session_id: sessionId,
      sequence: segment.sequence,
      epoch: segment.epoch,
      start_s: segment.startS,
      stream_s: segment.streamS,
      duration_s: segment.durationS,
      captured_at: segment.capturedAt,
      bytes: segment.bytes,
      storage_key: segment.storageKey,
    })
    .execute();
  return before.status as SessionStatus;
}

/** Nothing more is recorded: what is left is to put the recording together. `gap` is what is missing at its end. False when another worker has the session. */
export async function beginEnding(
  trx: Transaction,
  { sessionId, holder }: Holder,
  problem: Problem | null,
  gap: Gap | null,
): Promise<boolean> {
  const row = await trx
    .updateTable('live_sessions')
    .set({
      status: 'ENDING',
      recorded: true,
      connected: false,
      problem_code: problem?.code ?? null,
      problem_message: problem?.message ?? null,
    })
    .where('id', '=', sessionId)
    .where('holder', '=', holder)
    .where(going)
    .returning('id')
    .executeTakeFirst();
  if (row && gap) await insertGap(trx, sessionId, gap);
  return row !== undefined;
}

async function insertGap(trx: Transaction, sessionId: string, gap: Gap): Promise<void> {
  const { sequence, fromAt, untilAt, reason } = gap;
  await trx
    .insertInto('live_gaps')
    .values({ session_id: sessionId, sequence, from_at: fromAt, until_at: untilAt, reason })
    .execute();
}

/** A run of epochs whose tracks are alike: they become one recording. */
export type Part = { first: number; last: number; videoId: string | null; init: Buffer; bytes: number };

export async function partsOf(db: Queryable, sessionId: string): Promise<Part[]> {
  const rows = await db
    .selectFrom('live_epochs')
    .innerJoin('live_segments as segment', (on) =>
      on.onRef('segment.session_id', '=', 'live_epochs.session_id').onRef('segment.epoch', '=', 'live_epochs.epoch'),
    )
    .select(['live_epochs.epoch', 'init', 'video_id', sql<number>`sum(segment.bytes)::float8`.as('bytes')])
    .where('live_epochs.session_id', '=', sessionId)
    .groupBy(['live_epochs.session_id', 'live_epochs.epoch'])
    .orderBy('live_epochs.epoch')
    .execute();
  const parts: Part[] = [];
  for (const { epoch, init, video_id: videoId, bytes } of rows) {
    const last = parts.at(-1);
    if (last?.init.equals(init)) {
      last.last = epoch;
      last.bytes += bytes;
    } else parts.push({ first: epoch, last: epoch, videoId, init, bytes });
  }
  return parts;
}

/** The segments of a part, in their order. */
export async function segmentsOfPart(db: Queryable, sessionId: string, { first, last }: Part): Promise<FilmSegment[]> {
  return db
    .selectFrom('live_segments')
    .select(['start_s as startS', 'duration_s as durationS', 'bytes', 'storage_key as storageKey'])
    .where('session_id', '=', sessionId)
    .where('epoch', '>=', first)
    .where('epoch', '<=', last)
    .orderBy('sequence')
    .execute();
}

/** Says of a part which recording it becomes. */
export async function setPart(trx: Transaction, sessionId: string, part: Part, videoId: string): Promise<void> {
  await trx
    .updateTable('live_epochs')
    .set({ video_id: videoId })
    .where('session_id', '=', sessionId)
    .where('epoch', '>=', part.first)
    .where('epoch', '<=', part.last)
    .execute();
}

/** Says where the segments of a part are, in the recording that it became. */
export async function settlePart(
  trx: Transaction,
  sessionId: string,
  { first, last }: Part,
  film: { storageKey: string; headerBytes: number },
): Promise<void> {
  await sql`
    update live_segments set storage_key = ${film.storageKey}, film_offset = ${film.headerBytes} + placed.before
    from (
      select sequence, sum(bytes) over (order by sequence) - bytes as before from live_segments
      where session_id = ${sessionId} and epoch between ${first} and ${last}
    ) placed
    where session_id = ${sessionId} and live_segments.sequence = placed.sequence`.execute(trx);
}

/** Ends a session. False when it is ours no more. */
export async function settle(
  trx: Transaction,
  { sessionId, holder }: Holder,
  status: 'FINISHED' | 'FAILED',
  problem: Problem | null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('live_sessions')
    .set({
      status,
      connected: false,
      source_secret: null,
      ended_at: sql<Date>`now()`,
      problem_code: problem?.code ?? null,
      problem_message: problem?.message ?? null,
    })
    .where('id', '=', sessionId)
    .where('holder', '=', holder)
    .where(going)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The sources of sessions that go on. */
export async function sealed(db: Queryable): Promise<{ id: string; secret: Sealed }[]> {
  const rows = await db
    .selectFrom('live_sessions')
    .select(['id', 'source_secret'])
    .where(going)
    .where('source_secret', 'is not', null)
    .execute();
  return rows.map(({ id, source_secret }) => ({ id, secret: source_secret as Sealed }));
}

/** False when the session has ended meanwhile. */
export async function reseal(db: Queryable, sessionId: string, secret: Sealed): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('live_sessions')
    .set({ source_secret: JSON.stringify(secret) })
    .where('id', '=', sessionId)
    .where(going)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sessions that go on and that nobody has followed for a while. */
export async function unfollowed(db: Queryable, forS: number, limit: number): Promise<Pick<Session, 'id' | 'orgId'>[]> {
  return db
    .selectFrom('live_sessions')
    .select(['id', 'org_id as orgId'])
    .where(going)
    .where('lease_until', '<', sql<Date>`now() - make_interval(secs => ${forS})`)
    .orderBy('lease_until')
    .limit(limit)
    .execute();
}

export type Expired = Pick<Session, 'id' | 'orgId' | 'ownerId' | 'videoId'>;

/** Sessions whose recordings are older than their stream keeps them: its owner's, and the organisation's. Nobody ends what somebody else has for themselves. */
export async function expired(db: Queryable, limit: number): Promise<Expired[]> {
  return db
    .selectFrom('live_sessions as session')
    .innerJoin('live_streams as stream', (on) =>
      on.onRef('stream.org_id', '=', 'session.org_id').onRef('stream.id', '=', 'session.stream_id'),
    )
    .select(['session.id', 'session.org_id as orgId', 'session.owner_id as ownerId', 'session.video_id as videoId'])
    .where('removed', '=', false)
    .where('status', 'in', ['FINISHED', 'FAILED'])
    .where((or) => or.or([or('session.scope', '=', 'org'), or('session.owner_id', '=', or.ref('stream.owner_id'))]))
    .where(sql<boolean>`ended_at < now() - make_interval(days => retention_days)`)
    .orderBy('ended_at')
    .limit(limit)
    .execute();
}

export async function setRemoved(db: Queryable, sessionId: string): Promise<void> {
  await db.updateTable('live_sessions').set({ removed: true }).where('id', '=', sessionId).execute();
}
