import { type Selectable, sql } from 'kysely';
import type { FolderScope } from '#features/folders/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { Sealed } from '#platform/secrets/index';
import {
  type Epoch,
  type Gap,
  GOING,
  type LiveEvent,
  type Segment,
  type Session,
  type SessionStatus,
} from './types.ts';

export type NewStream = {
  orgId: string;
  id: string;
  ownerId: string;
  name: string;
  sourceUrl: string;
  /** Null: as it was. */
  retentionDays: number | null;
};

/**
 * Makes the stream, or gives it this name and source. How long its recordings are kept its owner changes alone, or with `whole` anybody: false
 * where it would be somebody else.
 */
export async function putStream(db: Queryable, stream: NewStream, whole: boolean): Promise<boolean> {
  const { orgId, id, ownerId, name, sourceUrl, retentionDays } = stream;
  const said = { name, source_url: sourceUrl, ...(retentionDays === null ? {} : { retention_days: retentionDays }) };
  const anyone = sql<boolean>`${whole || retentionDays === null}`;
  const same = sql<boolean>`live_streams.retention_days is not distinct from excluded.retention_days`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('live_streams')
    .values({ org_id: orgId, id, owner_id: ownerId, ...said })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'id'])
        .doUpdateSet(said)
        .where((or) => or.or([or('live_streams.owner_id', '=', ownerId), anyone, same])),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export type NewSession = Pick<
  Session,
  | 'id'
  | 'orgId'
  | 'streamId'
  | 'ownerId'
  | 'scope'
  | 'folderId'
  | 'name'
  | 'sourceUrl'
  | 'sourceSecret'
  | 'query'
  | 'videoId'
>;

export async function insertSession(trx: Transaction, session: NewSession): Promise<void> {
  await trx
    .insertInto('live_sessions')
    .values({
      id: session.id,
      org_id: session.orgId,
      stream_id: session.streamId,
      owner_id: session.ownerId,
      scope: session.scope,
      folder_id: session.folderId,
      name: session.name,
      source_url: session.sourceUrl,
      source_secret: JSON.stringify(session.sourceSecret),
      query: session.query,
      status: 'INITIALIZING',
      video_id: session.videoId,
    })
    .execute();
}

/** How many sessions of the organisation are followed: one whose recording waits for room is not. Starts of the same organisation wait for each other from here on. */
export async function countGoing(trx: Transaction, orgId: string): Promise<number> {
  await sql`select id from organizations where id = ${orgId} for no key update`.execute(trx);
  const { count } = await trx
    .selectFrom('live_sessions')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('org_id', '=', orgId)
    .where('status', 'in', ['INITIALIZING', 'ACTIVE'])
    .executeTakeFirstOrThrow();
  return count;
}

const sessions = (db: Queryable) =>
  db
    .selectFrom('live_sessions')
    .innerJoin('users', 'users.id', 'live_sessions.owner_id')
    .selectAll('live_sessions')
    .select('users.name as owner_name');

export async function findSession(db: Queryable, id: string): Promise<Session | null> {
  const row = await sessions(db).where('live_sessions.id', '=', id).executeTakeFirst();
  return row ? sessionOf(row) : null;
}

export type PageOf = {
  orgId: string;
  userId: string;
  /** Whose: the caller's own, what the organisation shares, or, with null, all that may be seen. */
  scope: 'personal' | 'org' | null;
  /** Whether others' personal sessions may be seen. */
  whole: boolean;
  streamId: string | null;
  folderId: string | null;
  before: string | null;
  limit: number;
};

/** Newest first, before the session `before`. */
export async function sessionsPage(db: Queryable, page: PageOf): Promise<Session[]> {
  let query = sessions(db)
    .where('live_sessions.org_id', '=', page.orgId)
    .orderBy('live_sessions.id', 'desc')
    .limit(page.limit);
  if (page.scope === 'personal') query = query.where('live_sessions.owner_id', '=', page.userId);
  else if (page.scope === 'org') query = query.where('live_sessions.scope', '=', 'org');
  else if (!page.whole) {
    query = query.where((or) =>
      or.or([or('live_sessions.scope', '=', 'org'), or('live_sessions.owner_id', '=', page.userId)]),
    );
  }
  if (page.streamId) query = query.where('live_sessions.stream_id', '=', page.streamId);
  if (page.folderId) query = query.where('live_sessions.folder_id', '=', page.folderId);
  if (page.before) query = query.where('live_sessions.id', '<', page.before);
  return (await query.execute()).map(sessionOf);
}

/** Asks a session to end. False when it has been asked before, or has ended. */
export async function askToEnd(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('live_sessions')
    .set({ status: 'ENDING', end_requested_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', 'in', ['INITIALIZING', 'ACTIVE'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The session that goes on to become this video, as its first recording. */
export async function findRecorder(db: Queryable, videoId: string): Promise<string | null> {
  const row = await db
    .selectFrom('live_sessions')
    .select('id')
    .where('video_id', '=', videoId)
    .where('status', 'in', GOING)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** What was said of a recording goes with it: its segments, and the events and gaps that they have. */
export async function forgetRecording(trx: Transaction, videoId: string): Promise<void> {
  const [gone] = await trx.deleteFrom('live_epochs').where('video_id', '=', videoId).returning('session_id').execute();
  if (gone) await forgetUnrecorded(trx, gone.session_id);
}

/** The same for all that a session recorded. */
export async function forgetRecordings(trx: Transaction, sessionId: string): Promise<void> {
  await trx.deleteFrom('live_epochs').where('session_id', '=', sessionId).execute();
  await forgetUnrecorded(trx, sessionId);
}

async function forgetUnrecorded(trx: Transaction, sessionId: string): Promise<void> {
  const of = (column: string) => sql<boolean>`session_id = ${sessionId} and not exists (
    select from live_segments as segment where segment.session_id = ${sessionId} and segment.sequence = ${sql.ref(column)})`;
  await trx.deleteFrom('live_events').where(of('chunk_index')).execute();
  // The gap at the end has no segment after it: it belongs to the last one.
  const { last } = await trx
    .selectFrom('live_sessions')
    .select(sql<number>`segments - 1`.as('last'))
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  await trx
    .deleteFrom('live_gaps')
    .where('session_id', '=', sessionId)
    .where(sql<boolean>`not exists (select from live_segments as segment where segment.session_id = ${sessionId}
      and segment.sequence = least(live_gaps.sequence, ${last}))`)
    .execute();
  const anything = sql<boolean>`exists (select from live_segments where session_id = ${sessionId})`;
  await trx
    .deleteFrom('live_analyses')
    .where('session_id', '=', sessionId)
    .where((not) => not.not(anything))
    .execute();
}

export async function findEpoch(db: Queryable, sessionId: string, epoch: number): Promise<Epoch | null> {
  const row = await db
    .selectFrom('live_epochs')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  if (!row) return null;
  const { video_id: videoId, init, codecs, width, height } = row;
  return { epoch, videoId, init, codecs, width, height };
}

/** The recordings that the session became, in their order. */
export async function recordingsOf(db: Queryable, sessionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('live_epochs')
    .select('video_id')
    .where('session_id', '=', sessionId)
    .where('video_id', 'is not', null)
    .groupBy('video_id')
    .orderBy(sql`min(epoch)`)
    .execute();
  return rows.map(({ video_id }) => video_id!);
}

/** Up to `limit` segments from `from` on, in their order. */
export async function segmentsFrom(
  db: Queryable,
  sessionId: string,
  from: number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<Segment[]> {
  const rows = await db
    .selectFrom('live_segments')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('sequence', '>=', from)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(segmentOf);
}

export async function findGaps(db: Queryable, sessionId: string): Promise<Gap[]> {
  const rows = await db
    .selectFrom('live_gaps')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('sequence')
    .execute();
  return rows.map(({ sequence, from_at, until_at, reason }) => ({
    ...{ sequence, fromAt: from_at, untilAt: until_at, reason },
  }));
}

export async function findEvents(db: Queryable, sessionId: string): Promise<LiveEvent[]> {
  const rows = await db
    .selectFrom('live_events')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('position')
    .execute();
  return rows.map(eventOf);
}

export const eventOf = (row: Selectable<DB['live_events']>): LiveEvent => ({
  position: row.position,
  id: row.id,
  chunkIndex: row.chunk_index,
  streamS: row.stream_s,
  capturedAt: row.captured_at,
  data: JSON.parse(row.data) as Record<string, unknown>,
  createdAt: row.created_at,
});

type SessionRow = Selectable<DB['live_sessions']> & { owner_name: string };

function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    orgId: row.org_id,
    streamId: row.stream_id,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    scope: row.scope as FolderScope,
    folderId: row.folder_id,
    name: row.name,
    sourceUrl: row.source_url,
    sourceSecret: row.source_secret as Sealed | null,
    query: row.query,
    status: row.status as SessionStatus,
    problem: row.problem_code === null ? null : { code: row.problem_code, message: row.problem_message ?? '' },
    videoId: row.video_id,
    segments: row.segments,
    epochs: row.epochs,
    durationS: row.duration_s,
    bytes: row.bytes,
    longestS: row.longest_s,
    leadS: row.lead_s,
    events: row.events,
    connected: row.connected,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    endRequestedAt: row.end_requested_at,
    recorded: row.recorded,
  };
}

const segmentOf = (row: Selectable<DB['live_segments']>): Segment => ({
  sequence: row.sequence,
  epoch: row.epoch,
  startS: row.start_s,
  streamS: row.stream_s,
  durationS: row.duration_s,
  capturedAt: row.captured_at,
  bytes: row.bytes,
  storageKey: row.storage_key,
  filmOffset: row.film_offset,
});
