import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#platform/db/database';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import { createLog } from '#platform/log';
import { openTestDatabase } from '#test/database/test-database';
import { type AppendedEvent, createEvents, type Events } from './index.ts';

let database: Database;
let other: Database;
let events: Events;
let elsewhere: Events;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openTestDatabase();
  ({ database, close } = opened);
  other = openDatabase(opened.connection, createLog('silent'));
  events = createEvents({ database });
  elsewhere = createEvents({ database: other });
  await database.db.insertInto('organizations').values({ id: 'o', name: 'o' }).execute();
  await database.db
    .insertInto('users')
    .values({ id: 'u', orgId: 'o', email: 'u@example.com', name: 'u', role: 'owner' })
    .execute();
});
afterAll(async () => {
  await other.close();
  await close();
});

async function stream(): Promise<string> {
  const id = newId();
  await database.transaction((trx) => events.openStream(trx, { id, orgId: 'o', ownerId: 'u' }));
  return id;
}

const append = (id: string, n: number) => database.transaction((trx) => events.append(trx, id, 'progress', { n }));

async function collect(from: Events, id: string, after: number, signal: AbortSignal, into: AppendedEvent[] = []) {
  for await (const event of from.follow(id, after, signal)) into.push(event);
  return into;
}
const never = new AbortController().signal;
const n = (event: AppendedEvent) => (JSON.parse(event.data) as { n: number }).n;

test('a domain event is handled inside the transaction; a handler that throws rolls it back', async () => {
  const heard: string[] = [];
  const room = createEvents({ database });
  room.subscribe('video.failed', async (trx, event) => {
    await trx.insertInto('organizations').values({ id: event.videoId, name: 'x' }).execute();
    heard.push(event.videoId);
    if (event.videoId === 'bad') throw new Error('no');
  });
  await database.transaction((trx) => room.publish(trx, 'video.failed', { videoId: 'good', orgId: 'o' }));
  const bad = database.transaction((trx) => room.publish(trx, 'video.failed', { videoId: 'bad', orgId: 'o' }));
  await expect(bad).rejects.toThrow('no');
  expect(heard).toEqual(['good', 'bad']);
  const rows = await database.db.selectFrom('organizations').select('id').where('id', 'in', ['good', 'bad']).execute();
  expect(rows).toEqual([{ id: 'good' }]);
});

test('a reader on another node sees what was stored and what comes, in order, until the stream closes', async () => {
  const id = await stream();
  await append(id, 1);
  const seen: AppendedEvent[] = [];
  const reading = collect(elsewhere, id, 0, never, seen);
  await expect.poll(() => seen.length).toBe(1);
  const sent = performance.now();
  await append(id, 2);
  await expect.poll(() => seen.length, { interval: 1 }).toBe(2);
  expect(performance.now() - sent).toBeLessThan(15_000); // unwoken it would look after 20 s
  await database.transaction((trx) => events.append(trx, id, 'done', { n: 3 }));
  await reading;
  expect(seen.map((e) => [e.id, e.kind, n(e)])).toEqual([
    [1, 'progress', 1],
    [2, 'progress', 2],
    [3, 'done', 3],
  ]);
  expect(JSON.parse(seen[2]!.data)).toEqual({ event: 'done', type: 'done', n: 3 });
  expect(await events.stream(id)).toEqual({ id, orgId: 'o', ownerId: 'u', closed: true });
  // A closed stream takes nothing more.
  await append(id, 4);
  expect((await collect(events, id, 1, never)).map(n)).toEqual([2, 3]);
});

test('many writers at once leave no gap, and a reader misses none and sees none twice', async () => {
  const id = await stream();
  const seen: AppendedEvent[] = [];
  const reading = collect(elsewhere, id, 0, never, seen);
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 25; i++) await append(id, writer * 100 + i);
    }),
  );
  // Writers that roll back must not leave a hole either.
  await expect(
    database.transaction(async (trx) => {
      await events.append(trx, id, 'progress', { n: -1 });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await database.transaction((trx) => events.append(trx, id, 'done', { n: 999 }));
  await reading;
  expect(seen.map((e) => e.id)).toEqual(Array.from({ length: 201 }, (_, i) => i + 1));
  expect(new Set(seen.map(n)).size).toBe(201);
});

test('a reader survives the loss of the connection that wakes it', async () => {
  const id = await stream();
  const seen: AppendedEvent[] = [];
  const reading = collect(elsewhere, id, 0, never, seen);
  await append(id, 1);
  await expect.poll(() => seen.length).toBe(1);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'listen%' and datname = current_database()`.execute(database.db);
  await append(id, 2);
  await expect.poll(() => seen.length).toBe(2);
  await database.transaction((trx) => events.append(trx, id, 'error', { n: 3 }));
  await reading;
  expect(seen.map((event) => [event.kind, n(event)])).toEqual([
    ['progress', 1],
    ['progress', 2],
    ['error', 3],
    ['done', 3],
  ]);
});

test('a reader that leaves ends at once; an unknown stream has nothing', async () => {
  const id = await stream();
  const leaving = new AbortController();
  const reading = collect(events, id, 0, leaving.signal);
  await sleep(30);
  leaving.abort();
  expect(await reading).toEqual([]);
  expect(await collect(events, 'nothing', 0, never)).toEqual([]);
  expect(await events.stream('nothing')).toBeNull();
});

test('a thousand stored events are replayed a page at a time, word for word', async () => {
  const id = await stream();
  const data = Array.from({ length: 1000 }, (_, i) => ({ n: i, text: 'ü"\\\n'.repeat(20) }));
  await database.transaction(async (trx) => {
    await events.appendAll(
      trx,
      id,
      data.map((one) => ({ kind: 'finding', data: one })),
    );
    await events.append(trx, id, 'done', { n: 1000 });
  });
  const seen = await collect(elsewhere, id, 0, never);
  expect(seen.slice(0, 1000).map((e) => e.data)).toEqual(
    data.map((d) => JSON.stringify({ event: 'finding', type: 'finding', ...d })),
  );
  expect(seen).toHaveLength(1001);
});

test('purging keeps only the last event of streams that closed long ago', async () => {
  const [old, open] = [await stream(), await stream()];
  for (const id of [old, open]) for (const i of [1, 2]) await append(id, i);
  await database.transaction((trx) => events.append(trx, old, 'done', { n: 3 }));
  expect(await events.purge(new Date(Date.now() - 60_000))).toBe(0);
  expect(await events.purge(new Date(Date.now() + 60_000))).toBeGreaterThanOrEqual(2);
  // Those that are purged are looked at no more.
  const { rows } = await sql`select from streams where closed_at is not null and not purged`.execute(database.db);
  expect(rows).toEqual([]);
  expect((await collect(events, old, 0, AbortSignal.timeout(5_000))).map(n)).toEqual([3]);
  await database.transaction((trx) => events.append(trx, open, 'done', { n: 3 }));
  expect((await collect(events, open, 0, AbortSignal.timeout(5_000))).map(n)).toEqual([1, 2, 3]);
});

test('a resumed stream that has ended ends with `done` again, whatever the last id, on every node, also once it is purged', async () => {
  const id = await stream();
  for (const i of [1, 2]) await append(id, i);
  const lastKinds = async (from: Events, after: number) =>
    (await collect(from, id, after, AbortSignal.timeout(5_000))).map(({ kind }) => kind);
  // A reader that resumes past the end of an open stream also receives its last event.
  const ahead = lastKinds(elsewhere, 1_000_000);
  await database.transaction((trx) =>
    events.appendAll(trx, id, [
      { kind: 'finding', data: { n: 3, start_s: 12.300000000000001 } },
      { kind: 'done', data: { n: 4 } },
    ]),
  );
  expect(await ahead).toEqual(['done']);
  const [finding] = await collect(events, id, 2, never);
  expect(finding!.data).toBe('{"event":"finding","type":"finding","n":3,"start_s":12.3}');
  for (const purged of [false, true]) {
    if (purged) await events.purge(new Date(Date.now() + 60_000));
    for (const from of [events, elsewhere]) {
      expect(await lastKinds(from, 0)).toEqual(purged ? ['done'] : ['progress', 'progress', 'finding', 'done']);
      for (const after of [3, 4, 5, 1_000_000])
        expect(await lastKinds(from, after), `after ${after}`).toEqual(['done']);
    }
  }
});
