// Each check of the doctor is held against the fault that it is for.
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { CATALOG, createEngine, createModelConverter, createModelFolder } from '#engine/index';
import { loadConfig } from '#platform/config/index';
import { createLog } from '#platform/log';
import { createMedia } from '#platform/media/index';
import { freePort } from '#platform/net/index';
import { startFaultyProxy } from '#test/servers/faulty-proxy';
import { startPgvectorServer } from '#test/servers/pgvector-server';
import { createS3TestClient } from '#test/servers/s3-client';
import { startS3Server } from '#test/servers/s3-server';
import { temporaryFolder } from '#test/temporary-folder';
import { examine } from '../doctor.ts';
import { checkDatabase } from './database-checks.ts';
import { checkCodecs, checkObservers, checkSandbox } from './engine-checks.ts';
import { checkMachine } from './machine-checks.ts';
import { checkBucket } from './storage-checks.ts';

const log = createLog('silent');
const { s3Server, pgvectorServer } = inject('programs');
const signal = new AbortController().signal;

const configOf = async (env: Record<string, string> = {}) =>
  loadConfig({ SIGHTLINE_DATA_DIR: await temporaryFolder(), ...env }, 1);
const findingOf = <Each extends { check: string }>(findings: readonly Each[], check: string) =>
  findings.find((each) => each.check === check);

test('a new machine has no failures, keeps nothing of the checks, and lacks models', async () => {
  const config = await configOf();
  const findings = await examine(config, log, signal);
  expect(findings.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['data folder', 'models folder', 'files folder', 'root secret', 'database', 'sandbox']),
  );
  expect(findingOf(findings, 'codecs')).toMatchObject({ state: 'ok', value: 'mp4 with h264 and aac' });
  expect(findingOf(findings, 'model of embeddings')).toMatchObject({
    state: 'warning',
    remedy: expect.stringContaining('models fetch clip_vit_b32'),
  });
  expect((await readdir(config.dataDir)).toSorted()).toEqual(['files', 'models']);
}, 120_000);

test('a folder that cannot be written fails, and media processes are not tried', async () => {
  const config = await configOf();
  await writeFile(join(config.dataDir, 'models'), 'a file where a folder should be');
  const findings = await examine(config, log, signal);
  expect(findingOf(findings, 'models folder')).toMatchObject({
    state: 'failed',
    value: expect.stringContaining('EEXIST'),
    remedy: `Give the user that runs Sightline the folder ${config.modelsDir}, or set SIGHTLINE_MODELS_DIR to another one.`,
  });
  expect(findingOf(findings, 'codecs')).toBeUndefined();
});

test('a disk that is almost full fails', async () => {
  const folder = await temporaryFolder();
  const disk = join(folder, 'disk');
  await mkdir(disk);
  const command = promisify(execFile);
  const mounted = await command('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]).catch(
    (error: Error) => error,
  );
  if (mounted instanceof Error) {
    // Only a privileged user can make a small disk; CI does.
    expect(mounted.message).toMatch(/superuser|permission|permitted|denied/i);
    return;
  }
  onTestFinished(async () => void (await command('umount', [disk])));
  const findings = await checkMachine(await configOf({ SIGHTLINE_STORAGE: `file:${disk}` }));
  expect(findingOf(findings, 'files folder')).toMatchObject({
    state: 'failed',
    value: expect.stringContaining('0.1 GiB free: the service refuses writes'),
    remedy: expect.stringContaining('Free space'),
  });
});

test('a root secret that others may read fails', async () => {
  const config = await configOf();
  const path = join(config.dataDir, 'secret');
  await writeFile(path, 'secret', { mode: 0o600 });
  expect(findingOf(await checkMachine(config), 'root secret')).toMatchObject({ state: 'ok' });
  await chmod(path, 0o644);
  expect(findingOf(await checkMachine(config), 'root secret')).toMatchObject({
    state: 'failed',
    value: expect.stringContaining('mode 644'),
    remedy: `Run "chmod 600 ${path}".`,
  });
});

test('a database that does not answer fails', async () => {
  const config = await configOf({ DATABASE_URL: `postgres://user:password@127.0.0.1:${await freePort()}/none` });
  const [finding] = await checkDatabase(config, log, signal);
  expect(finding).toMatchObject({
    check: 'database',
    state: 'failed',
    value: expect.stringContaining('ECONNREFUSED'),
    remedy: expect.stringContaining('DATABASE_URL'),
  });
  expect(JSON.stringify(finding)).not.toContain('password@');
});

test.skipIf(pgvectorServer === null)('settings, connections and the clock of a database server', async () => {
  const server = await startPgvectorServer(pgvectorServer!, ['max_connections=30', 'superuser_reserved_connections=3']);
  onTestFinished(server.stop);
  const check = async (connections: number) => {
    const config = await configOf({
      DATABASE_URL: `postgres://${server.user}@localhost/postgres?host=${server.host}`,
      SIGHTLINE_DATABASE_CONNECTIONS: String(connections),
    });
    return checkDatabase(config, log, signal);
  };
  const findings = await check(20);
  expect(findingOf(findings, 'database')).toMatchObject({
    state: 'ok',
    value: expect.stringContaining('PostgreSQL 18'),
  });
  // The server of the tests does not flush.
  expect(findingOf(findings, 'database settings')).toMatchObject({
    state: 'failed',
    value: 'fsync off: a crash of the server loses or damages data',
    remedy: expect.stringContaining('Turn fsync on'),
  });
  await server.run('postgres', 'alter system set fsync = on', 'select pg_reload_conf()');
  expect(findingOf(findings, 'connection budget')).toMatchObject({
    state: 'ok',
    value: 'this node needs 26, the server allows 27, and 0 are open',
  });
  expect(findingOf(findings, 'clock')).toMatchObject({ state: 'ok' });
  expect(findingOf(await check(22), 'connection budget')).toMatchObject({
    state: 'failed',
    remedy: expect.stringContaining('SIGHTLINE_DATABASE_CONNECTIONS'),
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(findingOf(await check(2), 'clock')).toMatchObject({
    state: 'failed',
    value: '60 s behind that of the database',
    remedy: expect.stringContaining('Synchronize'),
  });
});

test.skipIf(s3Server === null)('rights on a bucket, one by one', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await startS3Server(s3Server!);
  onTestFinished(server.stop);
  const proxy = await startFaultyProxy(server.endpoint);
  onTestFinished(proxy.stop);
  const config = await configOf({ SIGHTLINE_STORAGE: 's3://bucket/some', SIGHTLINE_S3_ENDPOINT: proxy.endpoint });
  expect(await checkBucket(config)).toMatchObject([
    { check: 'bucket', state: 'failed', value: expect.stringContaining('The bucket bucket cannot be used') },
  ]);
  const client = createS3TestClient(server.endpoint);
  await client.makeBucket('bucket');
  const all = ['write', 'read', 'list', 'delete'].map((name) => ({ check: `bucket: ${name}`, state: 'ok' }));
  expect(await checkBucket(config)).toMatchObject(all);
  expect(await client.list('bucket')).toEqual([]);
  const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
  proxy.inject({
    hits: ({ method, url = '' }) => method === 'DELETE' || url.includes('delete'),
    times: 100,
    kind: 'answer',
    status: 403,
    headers: { 'content-type': 'application/xml' },
    body: denied,
  });
  const findings = await checkBucket(config);
  expect(findings.slice(0, 3)).toMatchObject(all.slice(0, 3));
  expect(findings[3]).toMatchObject({
    check: 'bucket: delete',
    state: 'failed',
    remedy: 'Allow s3:DeleteObject on bucket, for all objects below some.',
  });
});

describe('media processes', () => {
  const open = (without: readonly ('isolated' | 'user' | 'limits')[] = []) =>
    createMedia({ processes: 1, maxSeconds: 60, sandbox: { without: [...without] }, log });

  test('without a sandbox, each protection that is missing has a remedy', async () => {
    const media = await open(['isolated']);
    onTestFinished(() => media.close());
    const findings = checkSandbox(media);
    expect(findings.length).toBeGreaterThan(0);
    for (const { state, value, remedy } of findings) {
      expect(state).toBe('warning');
      expect(value).toContain('is missing');
      expect(remedy).toBeTruthy();
    }
  });

  test('that cannot run fail the check of codecs', async () => {
    const media = await open();
    await media.close();
    expect(await checkCodecs(media, await temporaryFolder(), signal)).toMatchObject([
      { check: 'codecs', state: 'failed', remedy: expect.stringContaining('Install Sightline again') },
    ]);
  });

  test('damaged weights are reported with their observer', async () => {
    const media = await open();
    onTestFinished(() => media.close());
    const folder = await temporaryFolder();
    const { files } = CATALOG.find(({ task }) => task === 'sounds')!;
    await writeFile(join(folder, files[0].name), 'no weights');
    const models = createModelFolder(folder, createModelConverter({ log }));
    const engine = createEngine({ media, models, detector: null, vision: null, language: null, log });
    const missing = findingOf(await checkObservers(engine), 'model of sounds');
    expect(missing).toMatchObject({ state: 'warning', remedy: expect.stringContaining(files[0].name) });
  }, 120_000);
});
