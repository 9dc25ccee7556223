// Restore drills: the contents of a restored service are compared with those of the one that was backed up.
import { createHash, randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createSightline } from '@sightline/sdk';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import {
  type Backup,
  createBackup,
  createBackupKey,
  createEncryption,
  createRepository,
  restoreBackup,
  verifyBackup,
} from '#platform/backup/index';
import { loadConfig } from '#platform/config/index';
import { openConfiguredDatabase } from '#platform/db/index';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import { createStorage, type Storage } from '#platform/storage/index';
import { JOB_DEFINITIONS } from '../src/compose/infrastructure.ts';
import { startTestNode, urlOf } from './app.ts';
import { createTestDatabase, runAsAdmin } from './database/test-database.ts';
import { sceneClip } from './media/clips.ts';
import { createS3TestClient } from './servers/s3-client.ts';
import { startS3Server } from './servers/s3-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const log = createLog('silent');
const { s3Server } = inject('programs');
const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of opened.reverse()) await close();
});

/** The service that is backed up: stopped, so that its contents stay as they are. */
let source: { env: Record<string, string>; files: string; key: string; videoId: string };
let s3: { endpoint: string } | null = null;

beforeAll(async () => {
  const { connection, drop } = await createTestDatabase();
  opened.push(drop);
  const dataDir = await temporaryFolder();
  const env = { ...environment(dataDir), DATABASE_URL: urlOf(connection) };
  const node = await startTestNode(env);
  opened.push(() => node.close());
  const key = node.sightline.firstKey!;
  const client = createSightline({ baseUrl: node.api.base, apiKey: key });
  const path = await sceneClip();
  const { video_id } = await client.upload(await openAsBlob(path), {
    name: `${basename(path)} "quoted" \\N and ünïcode`,
  });
  await client.ready(video_id);
  await Array.fromAsync(client.ask({ query: 'when is the picture dark?', videoIds: [video_id] }));
  await node.close();
  opened.pop();
  source = { env, files: join(dataDir, 'files'), key, videoId: video_id };
  // The queue keeps statistics in a partition for each day; a restore comes on another day.
  await runStatement(
    connection as pg.ClientConfig,
    `create table pgboss.queue_stats_20260102 partition of pgboss.queue_stats for values from ('2026-01-02') to ('2026-01-03');
     insert into pgboss.queue_stats (name, captured_on) values ('indexVideo', '2026-01-02 12:00')`,
  );
  if (s3Server) {
    const server = await startS3Server(s3Server);
    opened.push(() => server.stop());
    s3 = server;
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    await createS3TestClient(server.endpoint).makeBucket('backups');
  }
});

function environment(dataDir: string): Record<string, string> {
  return {
    SIGHTLINE_PORT: '0',
    SIGHTLINE_DATA_DIR: dataDir,
    SIGHTLINE_MODELS_DOWNLOAD: 'false',
    SIGHTLINE_DETECTOR: 'yolox_nano',
    SIGHTLINE_CONSOLE: 'false',
    SIGHTLINE_MEDIA_PROCESSES: '1',
  };
}

async function runStatement(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A target in a new folder or bucket. */
async function openTarget(kind: 'folder' | 'bucket', keys: { recipient?: string; identity?: string } = {}) {
  const folder = await temporaryFolder();
  const place =
    kind === 'folder'
      ? ({ kind: 'file', dir: join(folder, 'target') } as const)
      : ({
          kind: 's3',
          bucket: 'backups',
          prefix: basename(folder).replace(/\W/g, ''),
          endpoint: s3!.endpoint,
          region: 'us-east-1',
        } as const);
  const storage = await createStorage(place, { dataDir: folder });
  onTestFinished(() => storage.close());
  const repository = createRepository(storage, await createEncryption(keys));
  return { repository, storage, folder: join(folder, 'target') };
}

async function openSource() {
  const config = loadConfig(source.env, 2);
  const database = await openConfiguredDatabase(config, log, { mode: 'share', poolSize: 1 });
  const storage = await createStorage(config.storage, { dataDir: config.dataDir });
  onTestFinished(async () => {
    await database.close();
    await storage.close();
  });
  return { connection: database.connection, storage };
}

const backUp = async (
  { repository }: Pick<Awaited<ReturnType<typeof openTarget>>, 'repository'>,
  { storage, signal, isEncrypted = false }: { storage?: Storage; signal?: AbortSignal; isEncrypted?: boolean } = {},
) => {
  const from = await openSource();
  return createBackup({
    connection: from.connection,
    storage: storage ?? from.storage,
    repository,
    version: 'test',
    secret: 'the root secret',
    isEncrypted,
    signal,
  });
};

/** An empty database and folder, with the schema of a backup. */
async function openEmpty(migrations?: readonly string[]) {
  const server = inject('postgres');
  const name = `restored_${randomBytes(6).toString('hex')}`;
  await runAsAdmin(server, `create database ${name}`);
  const env = { ...environment(await temporaryFolder()), DATABASE_URL: urlOf({ ...server, database: name }) };
  const config = loadConfig(env, 2);
  const database = await openConfiguredDatabase(config, log, {
    mode: 'share',
    poolSize: 2,
    ...(migrations ? { migrations } : {}),
  });
  const jobs = createJobs({ database, log, definitions: JOB_DEFINITIONS });
  await jobs.queues();
  await jobs.close();
  const storage = await createStorage(config.storage, { dataDir: config.dataDir });
  onTestFinished(async () => {
    await database.close();
    await storage.close();
    await runAsAdmin(server, `drop database ${name} with (force)`);
  });
  return { env, connection: database.connection, storage, files: join(config.dataDir, 'files') };
}

/** All rows of all tables, sequences, constraints and triggers. */
async function contentsOf(connection: pg.ClientConfig): Promise<Record<string, unknown>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    // The queue makes partitions by day, with statistics that backups leave out.
    const { rows: tables } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and not relispartition
         and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) order by 1`,
    );
    const contents: Record<string, unknown> = {};
    for (const { name } of tables) {
      if (/workers|migration_lock/.test(name)) continue;
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
      contents[name] = rows.map(({ row }) => row);
    }
    contents.sequences = (
      await client.query(
        `select schemaname, sequencename, last_value from pg_sequences where last_value is not null order by 1, 2`,
      )
    ).rows;
    contents.constraints = (
      await client.query(
        `select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) as d, convalidated from pg_constraint
           where connamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
             and not exists (select from pg_class where oid = conrelid and relispartition) order by 1, 2`,
      )
    ).rows;
    contents.triggers = (
      await client.query(
        `select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
      )
    ).rows;
    return contents;
  } finally {
    await client.end();
  }
}

/** Digests of all files below a folder, without those of running processes. */
async function digestsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digests = files
    .filter((path) => !path.slice(folder.length).includes('/.'))
    .map(
      async (path) =>
        [
          path.slice(folder.length),
          createHash('sha256')
            .update(await readFile(path))
            .digest('hex'),
        ] as const,
    );
  return Object.fromEntries((await Promise.all(digests)).sort());
}

const keys = await createBackupKey();

test.each([
  ['a folder', 'folder', {}],
  ['a folder, encrypted', 'folder', keys],
  ['a bucket', 'bucket', {}],
  ['a bucket, encrypted', 'bucket', keys],
] as const)('a service is the same after a restore from %s', async (_, kind, given) => {
  if (kind === 'bucket' && s3 === null) return;
  const isEncrypted = 'recipient' in given;
  // A backup needs the public key only.
  const target = await openTarget(kind, isEncrypted ? { recipient: keys.recipient } : {});
  const { backup, copied, vanished } = await backUp(target, { isEncrypted });
  expect(copied).toBe(Object.keys(await digestsOf(source.files)).length);
  expect(vanished).toBe(0);
  const reader = createRepository(
    target.storage,
    await createEncryption(isEncrypted ? { identity: keys.identity } : {}),
  );
  expect(await verifyBackup({ backup, repository: reader })).toEqual([]);

  const empty = await openEmpty(backup.database.migrations.map(({ name }) => name));
  const restored = await restoreBackup({
    backup,
    repository: reader,
    storage: empty.storage,
    connection: empty.connection,
  });
  expect(restored.copied).toBe(copied);
  const from = await openSource();
  const before = await contentsOf(from.connection as pg.ClientConfig);
  expect((before.analyses as string[]).length).toBeGreaterThan(0);
  expect(await contentsOf(empty.connection as pg.ClientConfig)).toEqual(before);
  expect(await digestsOf(empty.files)).toEqual(await digestsOf(source.files));

  // It runs: the key is valid, the video plays, and new rows get new numbers.
  const node = await startTestNode(empty.env);
  onTestFinished(() => node.close());
  const { json } = await node.api.call('GET', '/api/my-videos', { key: source.key });
  expect(json.videos).toMatchObject([{ video_id: source.videoId, status: 'uploaded' }]);
  const client = createSightline({ baseUrl: node.api.base, apiKey: source.key });
  await Array.fromAsync(client.ask({ query: 'when is the picture bright?', videoIds: [source.videoId] }));
});

test('a backup of an earlier version, with statistics of the queue, is restored without them', async () => {
  const target = await openTarget('folder');
  const { backup } = await backUp(target);
  const { tables } = backup.database;
  /** The backup with one more table of the queue. */
  const withTable = (name: string): Backup => {
    const table = { schema: 'queue' as const, name, columns: ['id'], rows: 1, object: tables[0]!.object };
    return { ...backup, database: { ...backup.database, tables: [...tables, table] } };
  };
  const restore = ({ connection, storage }: Awaited<ReturnType<typeof openEmpty>>, name: string) =>
    restoreBackup({ backup: withTable(name), repository: target.repository, storage, connection });
  const empty = await openEmpty();
  await restore(empty, 'queue_stats_20260102');
  const from = await openSource();
  const restored = await contentsOf(empty.connection as pg.ClientConfig);
  expect(restored).toEqual(await contentsOf(from.connection as pg.ClientConfig));
  // Any other table that this version does not know is refused.
  await expect(restore(await openEmpty(), 'queue_states')).rejects.toMatchObject({ code: 'backup_version_differs' });
});

test('the next backup copies only what is new, and both can be restored', async () => {
  const target = await openTarget('folder');
  const first = await backUp(target);
  const second = await backUp(target);
  expect([second.copied, second.backup.files]).toMatchObject([0, { count: first.backup.files.count }]);
  const added = join(source.files, 'contents', 'added');
  await mkdir(added, { recursive: true });
  await writeFile(join(added, 'file'), 'new');
  const third = await backUp(target);
  expect([third.copied, third.copiedBytes]).toEqual([1, 3]);
  // A file that was replaced is copied again, and the earlier backup keeps its content.
  await writeFile(join(added, 'file'), 'newer');
  expect((await backUp(target)).copied).toBe(1);
  const ids = await target.repository.list();
  expect(ids).toHaveLength(4);
  for (const id of ids)
    expect(await verifyBackup({ backup: await target.repository.read(id), repository: target.repository })).toEqual([]);
  expect(await target.repository.keep(1)).toBe(3);
  const [last] = await target.repository.list();
  const backup = await target.repository.read(last!);
  expect(await verifyBackup({ backup, repository: target.repository })).toEqual([]);
  const objects = Object.keys(await digestsOf(join(target.folder, 'objects')));
  expect(objects).toHaveLength(backup.files.count + backup.database.tables.length + 2);
});

test('an interrupted backup is not listed, and the next one continues it', async () => {
  const target = await openTarget('folder');
  const { storage } = await openSource();
  const many = await temporaryFolder();
  const big = await createStorage({ kind: 'file', dir: many }, { dataDir: many });
  onTestFinished(() => big.close());
  for (let n = 0; n < 120; n++) await big.write(`contents/${n}/file`, Buffer.from(`file ${n}`));
  expect(storage.kind).toBe('file');
  const stop = new AbortController();
  let read = 0;
  const failing: Storage = {
    ...big,
    read: async (key, options) => {
      if (++read === 90) stop.abort(new Error('interrupted'));
      return big.read(key, options);
    },
  };
  await expect(backUp(target, { storage: failing, signal: stop.signal })).rejects.toThrow('interrupted');
  expect(await target.repository.list()).toEqual([]);
  const { copied, backup } = await backUp(target, { storage: big });
  expect(backup.files.count).toBe(120);
  expect(copied).toBeLessThan(40);
  expect(await verifyBackup({ backup, repository: target.repository })).toEqual([]);
});

test('each damage of the content is found, and a restore of it changes no database', async () => {
  const target = await openTarget('folder');
  const { backup } = await backUp(target);
  const entries = await Array.fromAsync(target.repository.files(backup));
  const pathOf = (id: string) => join(target.folder, 'objects', id.slice(-2), id);
  const users = backup.database.tables.find(({ name }) => name === 'users')!;
  for (const [id, what] of [
    [entries[0]!.object.id, entries[0]!.key],
    [users.object.id, 'the table users'],
  ] as const) {
    const whole = await readFile(pathOf(id));
    const bent = Buffer.from(whole);
    bent[bent.length >> 1]! ^= 1;
    for (const content of [bent, whole.subarray(0, -1), Buffer.alloc(0)]) {
      await writeFile(pathOf(id), content);
      const faults = await verifyBackup({ backup, repository: target.repository });
      expect(faults).toEqual([`The backup is damaged: ${what} is not what was written.`]);
    }
    const empty = await openEmpty();
    await expect(
      restoreBackup({ backup, repository: target.repository, storage: empty.storage, connection: empty.connection }),
    ).rejects.toThrow();
    expect((await contentsOf(empty.connection as pg.ClientConfig)).users).toEqual([]);
    // The next restore continues with the files that were restored.
    await writeFile(pathOf(id), whole);
    const again = await restoreBackup({
      backup,
      repository: target.repository,
      storage: empty.storage,
      connection: empty.connection,
    });
    expect(again.copied).toBeLessThanOrEqual(backup.files.count);
    expect(await digestsOf(empty.files)).toEqual(await digestsOf(source.files));
  }
});

test('large files are streamed', async () => {
  const target = await openTarget('folder', { recipient: keys.recipient });
  const folder = await temporaryFolder();
  const storage = await createStorage({ kind: 'file', dir: folder }, { dataDir: folder });
  onTestFinished(() => storage.close());
  const bytes = 400 * 2 ** 20;
  async function* zeros() {
    for (let sent = 0; sent < bytes; sent += 2 ** 20) yield Buffer.alloc(2 ** 20);
  }
  await storage.write('contents/large/file', zeros());
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const { backup } = await backUp(target, { storage });
  clearInterval(sampling);
  expect(backup.files.bytes).toBe(bytes);
  expect(most - before).toBeLessThan(bytes / 2);
});
