import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#platform/db/database';
import { createLog } from '#platform/log';
import { startCrashChild } from '#test/database/crash';
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from './index.ts';
import { chooseAccount } from './processes/account.ts';

const log = createLog('silent');
let folder: string;
let dir: string;
let cluster: string;
const strangers: ChildProcess[] = [];
const servers: EmbeddedServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline embedded '));
  dir = join(folder, 'a "data", folder', 'db');
  cluster = join(dir, 'pg');
  await (await start()).stop();
});
afterEach(async () => {
  for (const stranger of strangers.splice(0)) stranger.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function start(options: Partial<EmbeddedOptions> = {}) {
  const server = await startEmbedded({ dir, log, mode: 'own', ...options });
  servers.push(server);
  return server;
}

/** An unrelated process under the account of PostgreSQL, which PostgreSQL mistakes for a server. */
function stranger(command: string): ChildProcess {
  const child = spawn('/bin/sh', ['-c', command], { ...chooseAccount(cluster), stdio: 'ignore', cwd: '/' });
  strangers.push(child);
  return child;
}

const claim = (pid: number | string) =>
  writeFile(join(cluster, 'postmaster.pid'), `${pid}\n${cluster}\n1700000000\n5432\n..\n\n  5432001  0\nready   \n`);

/** Checks that the server runs and accepts writes. */
async function startAndStop(origin: string) {
  const server = await start();
  const client = new pg.Client(server.connection);
  await client.connect();
  const { rows } = await client.query('select current_user as user, 1 + 1 as two');
  await client.end();
  await server.stop();
  expect({ origin: server.origin, ...rows[0] }).toEqual({ origin, user: 'sightline', two: 2 });
}

test.each([
  ['is empty', ''],
  ['is torn', '12'],
  ['is no number', 'what?\n'],
  ['names a process that is gone', '4194000\n/\n1700000000\n5432\n..\n'],
])('a postmaster.pid that %s is cleared away', async (_, content) => {
  await writeFile(join(cluster, 'postmaster.pid'), content);
  await startAndStop('started');
});

test('a postmaster.pid whose number now belongs to a stranger is cleared away, and the stranger lives on', async () => {
  const child = stranger('exec sleep 60');
  await claim(child.pid!);
  await writeFile(join(dir, '.s.PGSQL.5432.lock'), `${child.pid}\n`);
  await startAndStop('started');
  expect(child.exitCode).toBeNull();
  expect(child.signalCode).toBeNull();
});

test('a postmaster.pid whose number now belongs to another PostgreSQL is cleared away, and that server lives on', async () => {
  const other = await startEmbedded({ dir: join(folder, 'other', 'db'), log, mode: 'own' });
  const pid = readFileSync(join(other.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]!;
  await claim(pid);
  await startAndStop('started');
  const client = new pg.Client(other.connection);
  await client.connect();
  await client.end();
  await other.stop();
});

test('a postmaster that is a zombie is cleared away', async () => {
  // `sleep` replaces the shell that started the short-lived child, and never reaps it.
  const parent = stranger('sleep 0.05 & exec sleep 60');
  const children = `/proc/${parent.pid}/task/${parent.pid}/children`;
  const zombie = await expect
    .poll(() => readFileSync(children, 'utf8').trim())
    .toMatch(/^\d+$/)
    .then(() => readFileSync(children, 'utf8').trim());
  await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, 'utf8')).toContain(' Z ');
  await claim(zombie);
  await startAndStop('started');
  expect(readFileSync(`/proc/${zombie}/stat`, 'utf8')).toContain(' Z ');
});

test('a server that runs on without its supervisor is found, and stopped with its new owner', async () => {
  const child = startCrashChild(dir, 'share', 'idle');
  await child.ready;
  await child.kill('node');
  await startAndStop('found');
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
});

test('a server that is ending is waited out', async () => {
  const child = startCrashChild(dir, 'share', 'idle');
  await child.ready;
  const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
  await child.kill('node');
  // A smart shutdown waits for this session and refuses new ones.
  const session = new pg.Client({ host: dir, port: 5432, user: 'sightline', database: 'sightline' });
  await session.connect();
  process.kill(pid, 'SIGTERM');
  const starting = startAndStop('started');
  setTimeout(() => session.end(), 300);
  await starting;
});

test('a server that does not come to its end is ended', async () => {
  const child = startCrashChild(dir, 'share', 'idle');
  await child.ready;
  const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
  await child.kill('node');
  const session = new pg.Client({ host: dir, port: 5432, user: 'sightline', database: 'sightline' });
  session.on('error', () => {}); // it is cut off
  await session.connect();
  process.kill(pid, 'SIGTERM');
  await startAndStop('started');
  await session.end();
});

test.each(['own', 'share'] as const)(
  'a server that crashes is started again (%s), and transactions succeed',
  async (mode) => {
    const server = await start({ mode });
    const database = openDatabase(server.connection, log);
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGKILL');
    const two = await database.transaction(async (trx) => {
      return trx.selectNoFrom((e) => e.lit(2).as('two')).executeTakeFirstOrThrow();
    });
    expect(two).toEqual({ two: 2 });
    await database.close();
    await server.stop();
  },
);

test('nothing can make the server forget: settings in its files are overruled, a server without them is refused', async () => {
  const server = await start();
  const admin = new pg.Client(server.administration);
  await admin.connect();
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await admin.query(`alter system set ${name} = off`);
  await admin.query('select pg_reload_conf()');
  await admin.end();
  await server.stop();
  await startAndStop('started');

  const careless = await start({ mode: 'share', durable: false });
  await expect(start()).rejects.toThrow(/runs with fsync = off, and Sightline needs on/);
  await careless.stop();

  const again = await start();
  const owner = new pg.Client(again.connection);
  await owner.connect();
  await owner.query('alter role current_user set synchronous_commit = off');
  await owner.end();
  await again.stop();
  await expect(start()).rejects.toMatchObject({ code: 'database_not_durable' });
  const repair = await start({ durable: false });
  const client = new pg.Client(repair.connection);
  await client.connect();
  await client.query('alter role current_user reset all');
  await client.end();
  await repair.stop();
});

test('the folder is closed to other users and the server listens on no network', async () => {
  const server = await start();
  const client = new pg.Client(server.connection);
  await client.connect();
  const { rows } = await client.query(
    `select current_setting('listen_addresses') as addresses, rolsuper as super from pg_roles where rolname = current_user`,
  );
  await client.end();
  expect(rows).toEqual([{ addresses: '', super: false }]);
  expect((await stat(dir)).mode & 0o077).toBe(0);
  await server.stop();
});

test('a path too long for a socket gets a socket elsewhere, closed to others', async () => {
  const long = join(folder, 'x'.repeat(120), 'db');
  const server = await startEmbedded({ dir: long, log, mode: 'own' });
  expect(server.connection.host.length).toBeLessThan(80);
  expect((await stat(server.connection.host)).mode & 0o077).toBe(0);
  await server.stop();
  await chmod(server.connection.host, 0o777);
  await expect(startEmbedded({ dir: long, log, mode: 'own' })).rejects.toThrow('belongs to somebody else');
  await rm(server.connection.host, { recursive: true });
});

test('another major version and a folder that is no database are refused in words', async () => {
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8');
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toThrow(/was made by PostgreSQL 17; this version of Sightline brings 18\.\d+/);
  await writeFile(join(cluster, 'PG_VERSION'), major);
  const strange = join(folder, 'strange', 'db');
  await mkdir(join(strange, 'pg'), { recursive: true });
  await expect(startEmbedded({ dir: strange, log, mode: 'own' })).rejects.toThrow('is not a PostgreSQL database');
});

test('a folder that cannot be made is named, with what to do', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(startEmbedded({ dir: join(file, 'db'), log, mode: 'own' })).rejects.toThrow(
    /cannot be made .* Set SIGHTLINE_DATA_DIR .* or DATABASE_URL/,
  );
});

test('a start can be called off, and leaves nothing running or half made', async () => {
  const fresh = join(folder, 'called off', 'db');
  await expect(startEmbedded({ dir: fresh, log, mode: 'own', signal: AbortSignal.timeout(100) })).rejects.toThrow(
    'abort',
  );
  expect(existsSync(join(fresh, 'pg', 'postmaster.pid'))).toBe(false);
  const server = await startEmbedded({ dir: fresh, log, mode: 'own' });
  expect(server.origin).toMatch(/created|started/);
  await server.stop();
});

test('a killed owner takes its server with it', async () => {
  const child = startCrashChild(dir, 'own', 'idle');
  await child.ready;
  await child.kill('node');
  await expect.poll(() => existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
});
