import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { AppendedEvent } from './types.ts';

export type StreamRow = { id: string; orgId: string; ownerId: string; closed: boolean; lastId: number };

export async function insertStream(
  trx: Transaction,
  stream: { id: string; orgId: string; ownerId: string },
): Promise<void> {
  await trx.insertInto('streams').values({ id: stream.id, orgId: stream.orgId, ownerId: stream.ownerId }).execute();
}

/**
 * Numbers and stores events (kind and JSON text) and notifies `channel` of the stream, in one statement. Does nothing
 * if the stream is closed or unknown. The row lock is held until the transaction ends, so that ids become visible in
 * ascending order.
 */
export async function insertEvents(
  trx: Transaction,
  channel: string,
  streamId: string,
  events: readonly { kind: string; text: string }[],
  close: boolean,
): Promise<void> {
  const kinds = events.map(({ kind }) => kind);
  const texts = events.map(({ text }) => text);
  await sql`
    with numbered as (
      update streams set last_id = last_id + ${events.length}, closed_at = case when ${close} then now() end
      where id = ${streamId} and closed_at is null
      returning last_id - ${events.length} as base
    ), added as (
      insert into stream_events (stream_id, id, kind, data)
      select ${streamId}, base + position, kind, text::json
      from numbered, unnest(${kinds}::text[], ${texts}::text[]) with ordinality as event (kind, text, position)
    )
    select pg_notify(${channel}, ${streamId}) from numbered`.execute(trx);
}

export async function findStream(db: Queryable, id: string): Promise<StreamRow | null> {
  const row = await db
    .selectFrom('streams')
    .select(['id', 'orgId', 'ownerId', 'closedAt', 'lastId'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row
    ? { id: row.id, orgId: row.orgId, ownerId: row.ownerId, closed: row.closedAt !== null, lastId: row.lastId }
    : null;
}

export async function eventsAfter(
  db: Queryable,
  streamId: string,
  afterId: number,
  limit: number,
): Promise<AppendedEvent[]> {
  return db
    .selectFrom('streamEvents')
    .select(['id', 'kind', 'data'])
    .where('streamId', '=', streamId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Removes all but the last event of each stream that closed before `before`; each stream is purged once. */
export async function purgeEvents(db: Queryable, before: Date): Promise<number> {
  const result = await db
    .with('closed', (cte) =>
      cte
        .updateTable('streams')
        .set({ purged: true })
        .where('closedAt', '<', before)
        .where(sql<boolean>`not purged`)
        .returning(['id', 'lastId']),
    )
    .deleteFrom('streamEvents')
    .using('closed')
    .whereRef('closed.id', '=', 'streamEvents.streamId')
    .whereRef('streamEvents.id', '<', 'closed.lastId')
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
