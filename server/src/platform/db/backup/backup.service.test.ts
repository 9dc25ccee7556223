import { mkdtemp, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { auditLedger, createLedger, writeLedgerEntry } from '#test/database/ledger';
import { type EmbeddedServer, startEmbedded } from '../embedded/index.ts';
import { backupEmbedded, restoreEmbedded } from './index.ts';

const log = createLog('silent');
let folder: string;
let dir: string;
let server: EmbeddedServer;
let restored: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline backup '));
  dir = join(folder, 'data', 'db');
  server = await startEmbedded({ dir, log, mode: 'own' });
  await createLedger(server.connection);
});
beforeEach(() => {
  restored = join(folder, `restored ${++count}`, 'db');
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

test('a backup made under load holds every row acknowledged before it ended, and the restored database is sound', async () => {
  const target = join(folder, 'backups', 'under load');
  const acknowledged: number[] = [];
  let writing = true;
  const writer = (async () => {
    const client = new pg.Client(server.connection);
    await client.connect();
    for (let id = 1; writing; id++) {
      await writeLedgerEntry(client, id);
      acknowledged.push(id);
      // Checkpoints would recycle WAL that the backup needs, without its replication slot.
      if (id % 100 === 0) await checkpoint();
    }
    await client.end();
  })();
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
  const atStart = acknowledged.length;
  const summary = await backupEmbedded({ dir, target, log });
  const promised = acknowledged.slice(0, atStart);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(atStart);
  writing = false;
  await writer;

  expect(summary.bytes).toBeGreaterThan(10 << 20);
  expect((await stat(target)).mode & 0o077).toBe(0);
  expect(await restoreEmbedded({ source: target, dir: restored, log })).toEqual(summary);
  const copy = await startEmbedded({ dir: restored, log, mode: 'own' });
  expect(copy.origin).toBe('started');
  const audit = await auditLedger(copy, promised);
  await copy.stop();
  expect(audit).toMatchObject({ lost: [], torn: [], corrupt: [] });
  expect(audit.rows).toBeGreaterThanOrEqual(atStart);
});

test('a backup works when no service runs, and leaves none running', async () => {
  const target = join(folder, 'backups', 'idle');
  await server.stop();
  await backupEmbedded({ dir, target, log });
  await expect(new pg.Client(server.connection).connect()).rejects.toThrow('ENOENT');
  server = await startEmbedded({ dir, log, mode: 'own' });
});

test('nothing is overwritten: not a backup, not a database', async () => {
  const target = join(folder, 'backups', 'precious');
  await backupEmbedded({ dir, target, log });
  await expect(backupEmbedded({ dir, target, log })).rejects.toMatchObject({ code: 'backup_target_exists' });
  await restoreEmbedded({ source: target, dir: restored, log });
  await expect(restoreEmbedded({ source: target, dir: restored, log })).rejects.toMatchObject({
    code: 'restore_target_exists',
  });
  await expect(restoreEmbedded({ source: target, dir, log })).rejects.toMatchObject({ code: 'data_folder_in_use' });
});

test('a damaged, shortened or foreign backup is refused and leaves no database behind', async () => {
  const target = join(folder, 'backups', 'damaged');
  await backupEmbedded({ dir, target, log });
  const refuse = async (sentence: string) => {
    await expect(restoreEmbedded({ source: target, dir: restored, log })).rejects.toThrow(sentence);
    await expect(stat(join(restored, 'pg'))).rejects.toThrow('ENOENT');
  };
  const control = join(target, 'pg', 'global', 'pg_control');
  const bytes = await readFile(control);
  const damaged = Buffer.from(bytes);
  damaged[100]! ^= 1;
  await writeFile(control, damaged);
  await refuse('The backup is damaged: global/pg_control is not what was written then');
  await unlink(control);
  await refuse('The backup is damaged: global/pg_control is missing');
  await writeFile(control, bytes);

  const list = join(target, 'backup.json');
  const manifest = JSON.parse(await readFile(list, 'utf8')) as {
    postgresql: { major: number };
    files: { path: string }[];
  };
  await writeFile(list, JSON.stringify({ ...manifest, postgresql: { major: 12, version: '12.9' } }));
  await refuse('The backup was made with PostgreSQL 12.9');
  await writeFile(list, JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], path: '../../escaped' }] }));
  await refuse('is not a complete backup: backup.json lists ../../escaped');
  await unlink(list);
  await refuse('is not a complete backup');
});

test('there must be a database to back up', async () => {
  await expect(
    backupEmbedded({ dir: join(folder, 'none', 'db'), target: join(folder, 'x'), log }),
  ).rejects.toMatchObject({
    code: 'backup_source_missing',
  });
});

async function checkpoint(): Promise<void> {
  const client = new pg.Client(server.administration);
  await client.connect();
  await client.query('checkpoint');
  await client.query('select pg_switch_wal()');
  await client.end();
}
