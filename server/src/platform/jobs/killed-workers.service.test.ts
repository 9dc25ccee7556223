import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { nextMessage } from '#test/child-messages';
import { createJobs } from './index.ts';
import { slow } from './jobs.fixture.ts';
import { database, log, node, open, state, useDatabase } from './node.fixture.ts';

useDatabase();

/** Starts a worker process that runs each of its jobs for `holdMs`. */
async function startWorker(holdMs: number): Promise<ChildProcess> {
  const argument = JSON.stringify({ connection: database.connection, holdMs });
  const child = fork(new URL('worker.fixture.ts', import.meta.url), [argument], { execArgv: [] });
  await nextMessage(child);
  return child;
}

/** Kills a worker during the only job, and makes its last heartbeat old enough to be detected at once. */
async function killedInJob(): Promise<void> {
  const killedWorker = await startWorker(600_000);
  try {
    await expect.poll(attempts).toBe(1);
  } finally {
    killedWorker.kill('SIGKILL');
    await once(killedWorker, 'exit');
  }
  await sql`truncate attempts`.execute(database.db);
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '10 s' where state = 'active'`.execute(
    database.db,
  );
}
const attempts = async () => (await sql`select from attempts`.execute(database.db)).rows.length;

test('jobs of a worker that is killed run again elsewhere; none is lost, none runs twice at once', async () => {
  const workers: ChildProcess[] = [];
  const worker = async () => {
    const child = await startWorker(1_500);
    workers.push(child);
    return child;
  };
  const rows = async () =>
    (
      await sql<{ n: number; attempt: number; worker: number; ended: boolean }>`select * from attempts`.execute(
        database.db,
      )
    ).rows;
  try {
    const killedWorker = await worker();
    const sender = createJobs({ database, log, definitions: [slow] });
    open.push(sender);
    const payloads = Array.from({ length: 10 }, (_, n) => ({ n }));
    await database.transaction((trx) => sender.sendMany(trx, slow, payloads));
    await expect.poll(async () => (await rows()).length).toBe(10);
    killedWorker.kill('SIGKILL');
    await once(killedWorker, 'exit');
    const killed = performance.now();
    await worker();
    await expect
      .poll(async () => (await rows()).filter((r) => r.ended).length, { timeout: 40_000, interval: 200 })
      .toBe(10);
    expect(performance.now() - killed).toBeLessThan(25_000);
    const all = await rows();
    expect(all.filter((r) => r.worker === killedWorker.pid).every((r) => r.attempt === 0 && !r.ended)).toBe(true);
    expect(all.filter((r) => r.ended).every((r) => r.attempt === 1)).toBe(true);
    expect(new Set(all.filter((r) => r.ended).map((r) => r.n)).size).toBe(10);
    // Ten jobs share one death.
    const blamed = await sql<{ share: number }>`select charge as share from job_interruptions`.execute(database.db);
    expect(blamed.rows).toEqual(Array.from({ length: 10 }, () => ({ share: 0.1 })));
  } finally {
    for (const child of workers) child.kill('SIGKILL');
  }
});

test('deaths of workers do not use up the retries that are for errors', async () => {
  const sender = createJobs({ database, log, definitions: [slow] });
  open.push(sender);
  const id = await database.transaction((trx) => sender.send(trx, slow, { n: 1 }));
  for (let death = 0; death <= slow.retries; death++) await killedInJob();
  const last: boolean[] = [];
  await node({
    'test.slow': async (_, { lastAttempt }) => {
      last.push(lastAttempt);
      throw new Error('broken');
    },
  });
  await expect.poll(() => state(id), { timeout: 120_000 }).toBe('failed');
  expect(last).toEqual([false, false, true]);
}, 240_000);

test('a job that is alone to blame for many deaths of its workers is given up', async () => {
  const sender = createJobs({ database, log, definitions: [slow] });
  open.push(sender);
  const id = await database.transaction((trx) => sender.send(trx, slow, { n: 1 }));
  await sql`insert into job_interruptions values (${id}, 19, 19, now() - interval '1 hour')`.execute(database.db);
  await killedInJob();
  const seen: number[] = [];
  await node({ 'test.slow': async (n) => void seen.push(n) });
  await expect.poll(() => state(id)).toBe('failed');
  expect(seen).toEqual([]);
});
