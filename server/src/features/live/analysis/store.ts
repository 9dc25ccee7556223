import { sql } from 'kysely';
import type { Told } from '#engine/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { eventOf } from '../store.ts';
import type { LiveEvent } from '../types.ts';
import type { CoverageRow } from './coverage.ts';
import type { Sampling } from './pace.ts';
import type { PendingRange, SkippedRange } from './ranges.ts';

/** Whoever looks at a session says so this often, and has it that long without saying anything. */
export const RENEW_MS = 4_000;
const LEASE_S = 15;

const lease = sql<Date>`now() + make_interval(secs => ${LEASE_S})`;

export type Analysis = {
  sessionId: string;
  /** The first segment that was not looked at. */
  next: number;
  /** How many segments there are, once nothing more comes. */
  until: number | null;
  /** Until when the stream was looked at. */
  knownS: number;
  sampling: Sampling;
  behindS: number;
  skippedS: number;
  told: Told[];
  /** From when on the stream was asked for each part of the query. */
  since: Record<string, number>;
  coverage: CoverageRow[];
  /** What was skipped: ranges to catch up on, in order of time, and ranges that no analysis will cover. */
  pending: PendingRange[];
  skipped: SkippedRange[];
  endedAt: Date | null;
};

/** The session is asked for something: it is to be looked at from now on. Again changes nothing. */
export async function begin(trx: Transaction, sessionId: string): Promise<void> {
  await trx
    .insertInto('live_analyses')
    .values({ session_id: sessionId, next: sql<number>`(select segments from live_sessions where id = ${sessionId})` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes a session that nobody looks at, of none of these organisations; null when there is none. */
export async function take(
  db: Queryable,
  holder: string,
  exceptOrgs: readonly string[],
): Promise<{ sessionId: string; orgId: string } | null> {
  const waiting = sql<string>`(
    select session_id from live_analyses join live_sessions on live_sessions.id = session_id
    where live_analyses.ended_at is null and live_analyses.lease_until <= now()
      and live_sessions.org_id <> all(${[...exceptOrgs]}::text[])
    order by live_analyses.lease_until limit 1 for update of live_analyses skip locked)`;
  const row = await db
    .updateTable('live_analyses')
    .from('live_sessions')
    .set({ holder, lease_until: lease })
    .where('session_id', '=', waiting)
    .whereRef('live_sessions.id', '=', 'session_id')
    .returning(['session_id as sessionId', 'org_id as orgId'])
    .executeTakeFirst();
  return row ?? null;
}

/** Keeps it. False when it is ours no more: stop. */
export async function renew(db: Queryable, sessionId: string, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('live_analyses')
    .set({ lease_until: lease })
    .where('session_id', '=', sessionId)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets another worker take it, after a while. */
export async function release(db: Queryable, sessionId: string, holder: string, afterS: number): Promise<void> {
  await db
    .updateTable('live_analyses')
    .set({ lease_until: sql<Date>`now() + make_interval(secs => ${afterS})` })
    .where('session_id', '=', sessionId)
    .where('holder', '=', holder)
    .execute();
}

/** Ends the analysis of a session to which nothing more comes, as far as it got. False when more may come. */
export async function giveUp(db: Queryable, sessionId: string, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('live_analyses')
    .set({ ended_at: sql<Date>`now()` })
    .where('session_id', '=', sessionId)
    .where('holder', '=', holder)
    .where('until', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function find(db: Queryable, sessionId: string): Promise<Analysis | null> {
  const row = await db.selectFrom('live_analyses').selectAll().where('session_id', '=', sessionId).executeTakeFirst();
  return row
    ? {
        ...{ sessionId, next: row.next, until: row.until, knownS: row.known_s, sampling: row.sampling as Sampling },
        ...{ behindS: row.behind_s, skippedS: row.skipped_s, endedAt: row.ended_at },
        told: JSON.parse(row.told),
        since: JSON.parse(row.since),
        coverage: JSON.parse(row.coverage),
        pending: JSON.parse(row.pending),
        skipped: JSON.parse(row.skipped),
      }
    : null;
}

export type ObservedRow = { sequence: number; data: Uint8Array };

/** What was observed in segments from `from` on and before `until`, in their order. */
export async function observed(
  db: Queryable,
  sessionId: string,
  { from, until }: { from: number; until: number },
): Promise<ObservedRow[]> {
  return db
    .selectFrom('live_observed')
    .select(['sequence', 'data'])
    .where('session_id', '=', sessionId)
    .where('sequence', '>=', from)
    .where('sequence', '<', until)
    .orderBy('sequence')
    .execute();
}

/** What one step leaves. */
export type Settled = Pick<
  Analysis,
  'next' | 'knownS' | 'sampling' | 'told' | 'since' | 'coverage' | 'pending' | 'skipped'
> & {
  /** What was observed in it. */
  observed: ObservedRow | null;
  /** The first segment whose observations the analysis of what comes next needs; those that pending ranges need are kept as well. */
  keepFrom: number;
  ended: boolean;
};

/** Writes what a step leaves. False when the session is another worker's by now. */
export async function settle(
  trx: Transaction,
  { sessionId, next }: Pick<Analysis, 'sessionId' | 'next'>,
  holder: string,
  step: Settled,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('live_analyses')
    .set({
      next: step.next,
      known_s: step.knownS,
      sampling: step.sampling,
      skipped_s: skippedSeconds(step),
      told: JSON.stringify(step.told),
      since: JSON.stringify(step.since),
      coverage: JSON.stringify(step.coverage),
      pending: JSON.stringify(step.pending),
      skipped: JSON.stringify(step.skipped),
      behind_s: sql<number>`(
        select coalesce(sum(duration_s), 0) from live_segments
        where session_id = ${sessionId} and sequence >= ${step.next})`,
      lease_until: lease,
      ...(step.ended ? { ended_at: sql<Date>`now()` } : {}),
    })
    .where('session_id', '=', sessionId)
    .where('holder', '=', holder)
    .where('next', '=', next)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (step.observed) {
    const { sequence, data } = step.observed;
    await trx
      .insertInto('live_observed')
      .values({ session_id: sessionId, sequence, data: Buffer.from(data) })
      .execute();
  }
  const kept = [{ from: step.keepFrom, until: 2 ** 31 - 1 }];
  for (const { contextFrom, from } of step.pending)
    if (contextFrom < from) kept.push({ from: contextFrom, until: from });
  await trx
    .deleteFrom('live_observed')
    .where('session_id', '=', sessionId)
    .where(({ and, not, or }) =>
      and(
        kept.map(({ from, until }) => or([not(sql<boolean>`sequence >= ${from}`), sql<boolean>`sequence >= ${until}`])),
      ),
    )
    .execute();
  return true;
}

/** How much of what is recorded no analysis has covered so far, in seconds. */
function skippedSeconds({ pending, skipped }: Pick<Analysis, 'pending' | 'skipped'>): number {
  const pendingS = pending.reduce((sum, { seconds }) => sum + seconds, 0);
  return skipped.reduce((sum, { fromS, untilS }) => sum + untilS - fromS, pendingS);
}

/** Whether the analysis skipped what came before or after an event, so that it may be longer. */
export type EventCut = { cut_start?: boolean; cut_end?: boolean };

export type NewEvent = Omit<LiveEvent, 'position'>;

/** Adds events to those of the session. */
export async function addEvents(trx: Transaction, sessionId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { count } = await trx
    .updateTable('live_sessions')
    .set({ events: sql<number>`events + ${events.length}` })
    .where('id', '=', sessionId)
    .returning('events as count')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('live_events')
    .values(
      events.map(({ id, chunkIndex, streamS, capturedAt, createdAt, data }, i) => ({
        ...{ session_id: sessionId, position: count - events.length + i, id, chunk_index: chunkIndex },
        ...{ stream_s: streamS, captured_at: capturedAt, data: JSON.stringify(data), created_at: createdAt },
      })),
    )
    .execute();
}

/** Marks events at whose start or end the analysis skipped something, or takes the mark away. */
export async function markCut(trx: Transaction, ids: readonly string[], cut: EventCut): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('live_events')
    .set({ data: sql<string>`(data::jsonb || ${JSON.stringify(cut)}::jsonb)::json` })
    .where('id', 'in', ids)
    .execute();
}

/** Says of an event that it has ended, and when. Returns it as it is now. */
export async function endEvent(trx: Transaction, id: string, end: Record<string, unknown>): Promise<LiveEvent> {
  const row = await trx
    .updateTable('live_events')
    .set({ data: sql<string>`(data::jsonb || ${JSON.stringify(end)}::jsonb)::json` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return eventOf(row);
}

export async function findEvent(db: Queryable, sessionId: string, id: string): Promise<LiveEvent | null> {
  const row = await db
    .selectFrom('live_events')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? eventOf(row) : null;
}

/** Nothing more comes: the analysis ends with what there is. */
export async function setUntil(db: Queryable, sessionId: string): Promise<void> {
  await db
    .updateTable('live_analyses')
    .set({ until: sql<number>`(select segments from live_sessions where id = ${sessionId})` })
    .where('session_id', '=', sessionId)
    .execute();
}

/** What is looked for from now on, or besides what was. Returns all of it; null when the session does not go on any more. */
export async function setQuery(
  trx: Transaction,
  sessionId: string,
  query: string,
  add: boolean,
): Promise<string | null> {
  const row = await trx
    .updateTable('live_sessions')
    .set({ query: add ? sql<string>`concat_ws(e'\\n', query, ${query}::text)` : query })
    .where('id', '=', sessionId)
    .where('status', 'in', ['INITIALIZING', 'ACTIVE'])
    .returning('query')
    .executeTakeFirst();
  return row?.query ?? null;
}
