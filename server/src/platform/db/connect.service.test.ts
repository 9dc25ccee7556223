import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#platform/db/database';
import { type ConnectionOptions, openConfiguredDatabase } from '#platform/db/index';
import { createLog } from '#platform/log';
import { createTestDatabase } from '#test/database/test-database';
import { awaitServer } from './server-check.ts';

const log = createLog('silent');
let folder: string;
let external: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline connect '));
  external = await createTestDatabase();
});
afterAll(async () => {
  await external.drop();
  await rm(folder, { recursive: true });
});

test('without DATABASE_URL the embedded database is made, migrated, shared with commands, refused to a second service, and stopped', async () => {
  const config = { databaseUrl: null, dataDir: join(folder, 'data') };
  const database = await openConfiguredDatabase(config, log, { mode: 'own' });
  expect(database.engine).toMatchObject({ kind: 'embedded', created: true, folder: join(config.dataDir, 'db') });
  expect(database.engine.migrated).toContain('0001_init');

  await expect(openConfiguredDatabase(config, log, { mode: 'own' })).rejects.toThrow(
    `Sightline is already running on ${config.dataDir} (process ${process.pid}). Stop it first`,
  );

  const command = await openConfiguredDatabase(config, log, { mode: 'share' });
  await command.db.insertInto('organizations').values({ id: 'o1', name: 'one' }).execute();
  await command.close();
  expect(await database.db.selectFrom('organizations').select('id').execute()).toEqual([{ id: 'o1' }]);

  await database.close();
  await expect(new pg.Client(database.connection).connect()).rejects.toThrow('ENOENT');

  const again = await openConfiguredDatabase(config, log, { mode: 'share' });
  expect(again.engine).toMatchObject({ created: false, migrated: [] });
  expect(await again.db.selectFrom('organizations').select('id').execute()).toEqual([{ id: 'o1' }]);
  await again.close();
});

test('with DATABASE_URL that server is used, after its version was looked at', async () => {
  const database = await openConfiguredDatabase({ databaseUrl: url(external.connection), dataDir: folder }, log, {
    mode: 'own',
  });
  expect(database.engine).toMatchObject({ kind: 'external', folder: null });
  expect(database.engine.version).toMatch(/^\d+\.\d+/);
  expect(await database.ping()).toBe(true);
  await database.close();
});

test('a server older than 15 is refused in words', async () => {
  // A function with the same name, found first, overrides the reported version.
  const client = new pg.Client(external.connection);
  await client.connect();
  await client.query(`create schema old; create function old.current_setting(text) returns text language sql as
    $$ select case $1 when 'server_version_num' then '140012' else '14.12 (Debian)' end $$`);
  await client.end();
  const old = `${url(external.connection)}&options=${encodeURIComponent('-c search_path=old,pg_catalog')}`;
  await expect(awaitServer({ connectionString: old })).rejects.toThrow(
    'is PostgreSQL 14.12; Sightline needs 15 or later',
  );
});

test('a server that cannot be reached is named without its password', async () => {
  const refused = awaitServer({ connectionString: 'postgres://me:secret@127.0.0.1:1/films' }, undefined, 0);
  await expect(refused).rejects.toThrow(
    'The database films at 127.0.0.1:1, which DATABASE_URL names, cannot be reached',
  );
  await expect(refused).rejects.not.toThrow('secret');
  await expect(awaitServer({ connectionString: 'postgres://me:secret@[::1:1/films' })).rejects.not.toThrow('secret');
});

test('a transaction whose connection is lost is run again, unless it was committing', async () => {
  const database = openDatabase(external.connection, log);
  let runs = 0;
  const pid = await database.transaction(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    if (++runs === 1) await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(trx);
    return rows[0]!.pid;
  });
  expect(pid).toBeGreaterThan(0);
  expect(runs).toBe(2);

  let commits = 0;
  const ambiguous = database.transaction(async (trx) => {
    commits++;
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(database.db);
  });
  await expect(ambiguous).rejects.toThrow();
  expect(commits).toBe(1);
  await database.close();
});

function url(connection: ConnectionOptions): string {
  const { host, port, user, password, database } = new pg.Client(connection);
  const authority = `${encodeURIComponent(user!)}${password ? `:${encodeURIComponent(password)}` : ''}@localhost:${port}`;
  return `postgres://${authority}/${database}?host=${encodeURIComponent(host)}`;
}
