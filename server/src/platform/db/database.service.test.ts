import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/db/index';
import { openTestDatabase } from '#test/database/test-database';
import { migrate } from './migrate.ts';

let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});
afterAll(() => close());

test('a migrated database has nothing left to migrate, also when three nodes ask at once', async () => {
  const ran = await Promise.all([1, 2, 3].map(() => migrate(database.connection)));
  expect(ran).toEqual([[], [], []]);
});

test('a transaction that fails leaves nothing', async () => {
  const failing = database.transaction(async (trx) => {
    await trx.insertInto('organizations').values({ id: 'o1', name: 'one' }).execute();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await database.db.selectFrom('organizations').selectAll().execute()).toEqual([]);
});

test('a notification arrives when its transaction commits, and only then', async () => {
  const seen: (string | null)[] = [];
  const stop = await database.listen('news', (payload) => seen.push(payload));
  await database.transaction(async (trx) => {
    await database.notify(trx, 'news', 'hello');
    await sql`select pg_sleep(0.05)`.execute(database.db);
    expect(seen).toEqual([]);
  });
  await expect.poll(() => seen).toEqual(['hello']);
  stop();
});

test('many may begin and cease to listen at once, one statement after the other', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  const seen: string[] = [];
  const names = ['one', 'two', 'three', 'four'];
  const stops = await Promise.all(names.map((name) => database.listen(name, (payload) => seen.push(payload ?? ''))));
  for (const name of names) await database.transaction((trx) => database.notify(trx, name, name));
  await expect.poll(() => seen).toEqual(names);
  for (const stop of stops) stop();
  await sleep(50);
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('the listener survives the loss of its connection and reports that notifications may be missing', async () => {
  const seen: (string | null)[] = [];
  await database.listen('more', (payload) => seen.push(payload));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`.execute(
    database.db,
  );
  await expect.poll(() => seen).toContain(null);
  await database.notify(database.db, 'more', 'again');
  await expect.poll(() => seen).toContain('again');
});
