import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLog } from '#platform/log';
import { startCrashChild } from '#test/database/crash';
import { auditLedger, createLedger, writeLedgerEntry } from '#test/database/ledger';
import { startEmbedded } from './index.ts';

/**
 * The embedded database survives a kill of any process at any time: it opens again by itself, no acknowledged write is
 * lost, no transaction is partial, and PostgreSQL's checker finds no damage. `npm run crash` runs many more rounds.
 */
const ROUNDS = inject('crashRounds');
const SOUND = { lost: [], torn: [], corrupt: [] };
const log = createLog('silent');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline crash '));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Opens the database as the next start would, and checks it for damage. */
async function audit(dir: string, acknowledged: Iterable<number>) {
  const server = await startEmbedded({ dir, log, mode: 'own' });
  try {
    return await auditLedger(server, acknowledged);
  } finally {
    await server.stop();
  }
}

const victims = ['node', 'everything'] as const;

test.each(victims)(
  '%s killed while writing: nothing acknowledged is lost',
  { timeout: ROUNDS * 30_000 },
  async (victim) => {
    const dir = join(folder, `writing ${victim}`, 'db');
    const acknowledged: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const child = startCrashChild(dir, 'own', 'write', String(round * 1_000_000));
      await child.ready;
      await expect.poll(() => child.acknowledged.length, { interval: 5 }).toBeGreaterThan(0);
      await sleep(Math.random() * 400);
      await child.kill(victim);
      acknowledged.push(...child.acknowledged);
      expect(await audit(dir, acknowledged)).toMatchObject(SOUND);
    }
  },
);

test.each(victims)(
  '%s killed during the very first start: the next one succeeds',
  { timeout: ROUNDS * 60_000 },
  async (victim) => {
    const started = performance.now();
    const measure = startCrashChild(join(folder, `first ${victim}`, 'db'), 'own', 'once');
    await measure.ready;
    const usualMs = performance.now() - started;
    await measure.ended;

    let cutShort = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const dir = join(folder, `first ${victim} ${round}`, 'db');
      const child = startCrashChild(dir, 'own', 'idle');
      // Kill times cover the whole start, from its first step to nearly ready.
      await sleep((usualMs * (round + 0.5)) / ROUNDS);
      await child.kill(victim);
      if (
        await child.ready.then(
          () => false,
          () => true,
        )
      )
        cutShort++;
      expect(await audit(dir, []).catch((error: Error) => error.message)).toContain('relation "ledger" does not exist');
      await rm(join(folder, `first ${victim} ${round}`), { recursive: true });
    }
    expect(cutShort).toBeGreaterThan(0);
  },
);

test.each(victims)(
  '%s killed during start and recovery: nothing acknowledged is lost',
  { timeout: ROUNDS * 60_000 },
  async (victim) => {
    const dir = join(folder, `starting ${victim}`, 'db');
    const writer = startCrashChild(dir, 'own', 'write', '0');
    await writer.ready;
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(20);
    await writer.kill('everything');

    for (let round = 0; round < ROUNDS; round++) {
      const child = startCrashChild(dir, 'own', 'idle');
      await sleep(150 + Math.random() * 350);
      await child.kill(victim);
    }
    expect(await audit(dir, writer.acknowledged)).toMatchObject(SOUND);
  },
);

test('killed during migration: all of it is there or none, and the next run completes it', {
  timeout: ROUNDS * 60_000,
}, async () => {
  const migrations = join(folder, 'migrations');
  await mkdir(migrations);
  const tables = (n: number) =>
    Array.from({ length: 8 }, (_, i) => `create table m${n}_${i} (id bigint primary key, note text unique)`);
  for (let n = 1; n <= 4; n++) {
    await writeFile(join(migrations, `000${n}_part.sql`), [...tables(n), 'select pg_sleep(0.05)'].join(';\n'));
  }
  const dir = join(folder, 'migrating', 'db');
  let interrupted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const child = startCrashChild(dir, 'own', 'migrate', `${migrations}/`);
    await child.ready;
    await sleep(40 + Math.random() * 150);
    await child.kill(round % 2 === 0 ? 'everything' : 'node');
    const server = await startEmbedded({ dir, log, mode: 'own' });
    const client = new pg.Client(server.connection);
    await client.connect();
    const { rows } = await client.query(`select count(*)::int as made from pg_tables where tablename ~ '^m\\d_\\d$'`);
    expect([0, 32]).toContain(rows[0].made);
    if (rows[0].made === 0) interrupted++;
    await client.query('drop schema public cascade; create schema public');
    await client.end();
    await server.stop();
  }
  expect(interrupted).toBeGreaterThan(0);

  const last = startCrashChild(dir, 'own', 'migrate', `${migrations}/`);
  expect(await last.migrated).toEqual(['0001_part', '0002_part', '0003_part', '0004_part']);
  await last.kill('everything');
});

test('the audit itself finds what is lost, torn or damaged', async () => {
  const server = await startEmbedded({ dir: join(folder, 'control', 'db'), log, mode: 'own' });
  await createLedger(server.connection);
  const client = new pg.Client(server.administration);
  await client.connect();
  await writeLedgerEntry(client, 1);
  await client.query(`insert into ledger values (2, 'alone')`);
  await client.query(`insert into ledger_entries values (3, 1, 'alone')`);
  // An index without an entry for a row of its table.
  await client.query(`update pg_index set indisready = false where indexrelid = 'ledger_entries_by_note'::regclass`);
  await writeLedgerEntry(client, 4);
  await client.query(`update pg_index set indisready = true where indexrelid = 'ledger_entries_by_note'::regclass`);
  await client.end();
  const found = await auditLedger(server, [1, 4, 5]);
  await server.stop();
  expect(found).toMatchObject({ lost: [5], torn: [2, 3], rows: 4 });
  expect(found.corrupt.join()).toContain('ledger_entries_by_note');
});

test('two starters on a new folder: one owns it, the other gets an error', async () => {
  const dir = join(folder, 'two', 'db');
  const children = [0, 1].map(() => startCrashChild(dir, 'own', 'idle'));
  const outcomes = await Promise.allSettled(children.map((child) => child.ready));
  for (const child of children) await child.kill('everything');
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refusal = outcomes.find((outcome) => outcome.status === 'rejected')!;
  expect(String(refusal.reason)).toMatch(/Sightline is already running on .*two.*Stop it first/);
});

test('sharers write at once, the one that started the server is killed, and nothing is lost', async () => {
  const dir = join(folder, 'sharing', 'db');
  const first = startCrashChild(dir, 'share', 'write', '0');
  const second = startCrashChild(dir, 'share', 'write', '500000000');
  expect([await first.ready, await second.ready].sort()).toEqual(['created', 'found']);
  await expect.poll(() => Math.min(first.acknowledged.length, second.acknowledged.length)).toBeGreaterThan(20);

  await first.kill('node');
  const before = second.acknowledged.length;
  await expect.poll(() => second.acknowledged.length).toBeGreaterThan(before);
  await second.kill('node');
  // The server has no parent now: the next start finds and uses it.
  const server = await startEmbedded({ dir, log, mode: 'own' });
  expect(server.origin).toBe('found');
  expect(await auditLedger(server, [...first.acknowledged, ...second.acknowledged])).toMatchObject(SOUND);
  await server.stop();
  await expect(new pg.Client(server.connection).connect()).rejects.toThrow('ENOENT');
});
