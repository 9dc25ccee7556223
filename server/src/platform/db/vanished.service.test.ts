import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import { startDatabaseProxy } from '#test/database/proxy';
import { createTestDatabase } from '#test/database/test-database';
import { openDatabase } from './database.ts';
import type { ConnectionOptions, Database } from './index.ts';

type Server = Extract<ConnectionOptions, { host: string }>;

const log = createLog('silent');
let server: Server;
let drop: () => Promise<void>;
let relay: Awaited<ReturnType<typeof startDatabaseProxy>>;
const open = (more: object = {}) => openDatabase({ ...relay.connection, ...more }, log);

beforeAll(async () => {
  const made = await createTestDatabase();
  server = made.connection as Server;
  drop = made.drop;
});
beforeEach(async () => {
  relay = await startDatabaseProxy(server);
});
afterEach(() => relay.stop());
afterAll(() => drop());

const ask = ({ db }: Database) => sql`select 1`.execute(db);

test('a statement whose server vanished ends, and so does its connection: the next one has another', async () => {
  const database = open({ query_timeout: 300 });
  await ask(database);
  relay.vanish();
  await expect(ask(database)).rejects.toThrow('Query read timeout');
  relay.comeBack();
  await ask(database);
  await database.close();
});

test('a transaction whose server vanished waits for one statement, not for its rollback too', async () => {
  const database = open({ query_timeout: 16_000 });
  await ask(database);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    relay.vanish();
    const failing = database.transaction((trx) => sql`select 1`.execute(trx)).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(17_000);
    expect(await failing).toBe('Query read timeout');
  } finally {
    vi.useRealTimers();
  }
  await database.close();
});

test('connections ask after a silent server, those of jobs and of notifications too', async () => {
  const asks = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const database = open();
  const jobs = createJobs({ database, log, definitions: [] });
  await ask(database);
  await database.listen('news', () => {});
  await jobs.start();
  const opened = asks.mock.calls.length;
  expect(opened).toBeGreaterThanOrEqual(3);
  expect(asks.mock.calls).toEqual(Array.from({ length: opened }, () => [true, 10_000]));
  asks.mockRestore();
  await jobs.close();
  await database.close();
});

test('closing does not wait for a server that vanished', async () => {
  const database = open();
  const jobs = createJobs({ database, log, definitions: [] });
  await jobs.start();
  await database.listen('news', () => {});
  relay.vanish();
  const lost = expect(ask(database)).rejects.toThrow('Connection terminated');
  await sleep(50);
  await jobs.close();
  await database.close();
  await lost;
});

test('closing does not wait for a connection for notifications that is being made', async () => {
  relay.vanish();
  const database = open();
  const listening = expect(database.listen('news', () => {})).rejects.toThrow();
  await sleep(50);
  await database.close();
  await listening;
});

test('a notification connection that cannot be established is retried', async () => {
  relay.vanish();
  const database = open();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const listening = database.listen('news', () => {});
    await vi.advanceTimersByTimeAsync(10_050); // the first attempt times out after ten seconds
    relay.comeBack();
    await vi.advanceTimersByTimeAsync(100);
    await listening;
  } finally {
    vi.useRealTimers();
  }
  await database.close();
});
