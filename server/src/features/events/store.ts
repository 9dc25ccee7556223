import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { StreamEvent } from './index.ts';

export type StreamRow = { id: string; orgId: string; ownerId: string; closed: boolean; lastId: number };

export async function insertStream(
  trx: Transaction,
  stream: { id: string; orgId: string; ownerId: string },
): Promise<void> {
  await trx.insertInto('streams').values({ id: stream.id, org_id: stream.orgId, owner_id: stream.ownerId }).execute();
}

/**
 * Numbers and stores events, given as pairs of kind and JSON text, and tells `channel` of the stream, in one statement; does nothing when the stream is closed or unknown.
 * The row lock is held until the transaction ends, so ids become visible in order: whoever has read id n will never find a smaller new one.
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
    .select(['id', 'org_id', 'owner_id', 'closed_at', 'last_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row
    ? { id: row.id, orgId: row.org_id, ownerId: row.owner_id, closed: row.closed_at !== null, lastId: row.last_id }
    : null;
}

export async function eventsAfter(
  db: Queryable,
  streamId: string,
  afterId: number,
  limit: number,
): Promise<StreamEvent[]> {
  return db
    .selectFrom('stream_events')
    .select(['id', 'kind', 'data'])
    .where('stream_id', '=', streamId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Removes the events of streams that closed before this, all but the last one of each; no stream is looked at twice. */
export async function purgeEvents(db: Queryable, before: Date): Promise<number> {
  const result = await db
    .with('closed', (cte) =>
      cte
        .updateTable('streams')
        .set({ purged: true })
        .where('closed_at', '<', before)
        .where(sql<boolean>`not purged`)
        .returning(['id', 'last_id']),
    )
    .deleteFrom('stream_events')
    .using('closed')
    .whereRef('closed.id', '=', 'stream_events.stream_id')
    .whereRef('stream_events.id', '<', 'closed.last_id')
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
