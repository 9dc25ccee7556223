import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { auditLedger, createLedger, writeLedgerEntry } from '#test/database/ledger';
import { type EmbeddedServer, startEmbedded } from './index.ts';
import { chooseAccount } from './processes/account.ts';

const command = promisify(execFile);
const log = createLog('silent');
const SOUND = { lost: [], torn: [], corrupt: [] };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline disk '));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('a full disk: what was acknowledged stays, and writes succeed again once there is space', async () => {
  const disk = join(folder, 'small disk');
  await mkdir(disk);
  const mounted = await command('mount', ['-t', 'tmpfs', '-o', 'size=120m', 'tmpfs', disk]).catch(
    (error: Error) => error,
  );
  if (mounted instanceof Error) {
    // Only a privileged user can create a small disk. The test below uses a limit, which works for all.
    expect(mounted.message).toMatch(/superuser|permission|permitted|denied/i);
    return;
  }
  try {
    const ballast = join(disk, 'ballast');
    await writeFile(ballast, Buffer.alloc(40 << 20));
    await fillAndRecover(
      join(disk, 'data', 'db'),
      async () => {},
      () => rm(ballast),
    );
  } finally {
    await command('umount', [disk]);
  }
});

test('files that cannot grow: what was acknowledged stays, and writes succeed again once they can', async () => {
  const limit = async (server: EmbeddedServer, size: string) => {
    const pid = readFileSync(join(server.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]!;
    // Run as the server's account: even root may lack the right to change another user's limits.
    await command('prlimit', ['--pid', pid, `--fsize=${size}:`], chooseAccount(server.cluster));
  };
  await fillAndRecover(
    join(folder, 'limited', 'db'),
    (server) => limit(server, String(12 << 20)),
    // The server may have ended. The one that its owner starts then has no limit.
    (server) => limit(server, 'unlimited').catch(() => {}),
  );
});

/** Writes until the server refuses, frees space, and expects the same or a restarted server to accept writes again. */
async function fillAndRecover(
  dir: string,
  tighten: (server: EmbeddedServer) => Promise<void>,
  makeRoom: (server: EmbeddedServer) => Promise<void>,
): Promise<void> {
  const server = await startEmbedded({ dir, log, mode: 'own' });
  try {
    await createLedger(server.connection);
    const acknowledged: number[] = [];
    await write(server, acknowledged, 10);
    await tighten(server);
    const failure = await write(server, acknowledged, Number.POSITIVE_INFINITY).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(Error);

    await makeRoom(server);
    const wanted = acknowledged.length + 5;
    await expect
      .poll(
        () =>
          write(server, acknowledged, 5).then(
            () => acknowledged.length,
            () => 0,
          ),
        { timeout: 60_000, interval: 250 },
      )
      .toBeGreaterThanOrEqual(wanted);
    expect(await auditLedger(server, acknowledged)).toMatchObject(SOUND);
  } finally {
    await server.stop();
  }
}

/**
 * Adds ledger entries with incompressible data and records which were acknowledged. Rejects with the server's error.
 */
async function write(server: EmbeddedServer, acknowledged: number[], count: number): Promise<void> {
  const client = new pg.Client(server.connection);
  client.on('error', () => {}); // fails the query under way
  await client.connect();
  try {
    await client.query('create table if not exists ballast (bytes bytea not null)');
    const { rows } = await client.query<{ next: number }>('select coalesce(max(id), 0)::int + 1 as next from ledger');
    for (let id = rows[0]!.next, end = id + count; id < end; id++) {
      await writeLedgerEntry(client, id);
      acknowledged.push(id);
      await client.query('insert into ballast values ($1)', [randomBytes(256 << 10)]);
    }
  } finally {
    await client.end().catch(() => {});
  }
}
