import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createJobs } from './index.ts';
import {
  database,
  definitions,
  forgotten,
  log,
  node,
  open,
  send,
  short,
  state,
  useDatabase,
  work,
} from './node.fixture.ts';

useDatabase();

test('a job starts within milliseconds of its commit and is marked done', async () => {
  const started: number[] = [];
  const jobs = await node({ 'test.work': async () => void started.push(performance.now()) });
  await sleep(50);
  const took: number[] = [];
  let id = '';
  for (let n = 0; n < 10; n++) {
    id = await send(jobs, work, n);
    const sent = performance.now();
    await expect.poll(() => started.length, { interval: 1 }).toBe(n + 1);
    took.push(started[n]! - sent);
  }
  expect(took.sort((a, b) => a - b)[5]).toBeLessThan(200); // polling would take a second
  await expect.poll(() => state(id)).toBe('completed');
});

test('a transaction that is rolled back sends nothing', async () => {
  const seen: number[] = [];
  const jobs = await node({ 'test.work': async (n) => void seen.push(n) });
  const failing = database.transaction(async (trx) => {
    await jobs.send(trx, work, { n: 1 });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await send(jobs, work, 2);
  await expect.poll(() => seen).toEqual([2]);
  const { rows } = await sql`select 1 from pgboss.job where name = 'test.work'`.execute(database.db);
  expect(rows).toHaveLength(1);
});

test('a backlog of 50 drains without pauses, never more at once than allowed, each job on one of two nodes', async () => {
  const sender = createJobs({ database, log, definitions });
  open.push(sender);
  const payloads = Array.from({ length: 50 }, (_, n) => ({ n }));
  const ids = await database.transaction((trx) => sender.sendMany(trx, work, payloads));
  expect(new Set(ids).size).toBe(50);

  const seen: number[] = [];
  let active = 0;
  let most = 0;
  const handler = async (n: number) => {
    seen.push(n);
    most = Math.max(most, ++active);
    await sleep(10);
    active--;
  };
  const startedAt = performance.now();
  await Promise.all([node({ 'test.work': handler }), node({ 'test.work': handler })]);
  await expect.poll(() => seen.length, { interval: 5 }).toBe(50);
  // One job for each look, once a second on both nodes, would take 25 s.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect([...seen].sort((a, b) => a - b)).toEqual(payloads.map(({ n }) => n));
  expect(most).toBeLessThanOrEqual(2 * work.concurrency);
});

test('a job that fails is retried, knows its last attempt, and is handed on when it is given up', async () => {
  const attempts: [number, boolean][] = [];
  const given: number[] = [];
  const jobs = await node({
    'test.work': async (_, { attempt, lastAttempt }) => {
      attempts.push([attempt, lastAttempt]);
      throw new Error('broken');
    },
    'test.forgotten': async (n) => void given.push(n),
  });
  await send(jobs, work, 7);
  await expect.poll(() => given).toEqual([7]);
  expect(attempts).toEqual([
    [0, false],
    [1, false],
    [2, true],
  ]);
});

test('an attempt that takes too long is aborted', async () => {
  const reasons: unknown[] = [];
  const jobs = await node({
    'test.short': async (_, { signal }) => {
      await once(signal, 'abort');
      reasons.push(signal.reason);
      signal.throwIfAborted();
    },
  });
  const id = await send(jobs, short, 1);
  await expect.poll(() => reasons).toEqual([{ kind: 'timeout' }]);
  await expect.poll(() => state(id)).toBe('failed');
});

test('cancel aborts a running job on its node and takes a waiting one out', async () => {
  const reasons: unknown[] = [];
  let started = 0;
  const jobs = await node({
    'test.work': async (_, { signal }) => {
      started++;
      await once(signal, 'abort');
      reasons.push(signal.reason);
      signal.throwIfAborted();
    },
  });
  const id = await send(jobs, work, 1);
  await expect.poll(() => started).toBe(1);
  await database.transaction((trx) => jobs.cancel(trx, work, id));
  await expect.poll(() => reasons).toEqual([{ kind: 'lost' }]);

  const later = await database.transaction((trx) => jobs.send(trx, work, { n: 2 }, { startAfterS: 1 }));
  await database.transaction((trx) => jobs.cancel(trx, work, later));
  await sleep(2_500);
  expect(started).toBe(1);
  expect(await state(later)).toBe('cancelled');
});

test('a node that closes gives its jobs back, and the attempt does not count', async () => {
  const attempts: [number, boolean][] = [];
  const first = await node({
    'test.work': async (_, { signal }) => {
      attempts.push([-1, false]);
      await once(signal, 'abort');
      signal.throwIfAborted();
    },
  });
  await send(first, work, 1);
  await expect.poll(() => attempts.length).toBe(1);
  await first.close();
  await node({ 'test.work': async (_, { attempt, lastAttempt }) => void attempts.push([attempt, lastAttempt]) });
  await expect
    .poll(() => attempts)
    .toEqual([
      [-1, false],
      [1, false],
    ]);
  const { rows } = await sql`select retry_limit from pgboss.job where name = 'test.work'`.execute(database.db);
  expect(rows).toEqual([{ retryLimit: work.retries + 1 }]);
});

test('a payload that does not fit is refused when it is sent, and failed when it is found in the queue', async () => {
  const seen: number[] = [];
  const jobs = await node({ 'test.short': async (n) => void seen.push(n) });
  const wrong = { n: 'one' } as unknown as { n: number };
  await expect(database.transaction((trx) => jobs.send(trx, short, wrong))).rejects.toThrow('does not fit');
  const id = await send(jobs, short, 1);
  await expect.poll(() => state(id)).toBe('completed');
  await sql`update pgboss.job set state = 'created', started_on = null, data = '{"n":"one"}' where id = ${id}`.execute(
    database.db,
  );
  await expect.poll(() => state(id)).toBe('failed');
  expect(seen).toEqual([1]);
});

test('start refuses a job without a handler, handle a second one', async () => {
  const jobs = createJobs({ database, log, definitions: [work, forgotten] });
  open.push(jobs);
  jobs.handle(work, async () => {});
  expect(() => jobs.handle(work, async () => {})).toThrow('two handlers');
  await expect(jobs.start()).rejects.toThrow('no handler for test.forgotten');
  expect(() => jobs.handle(short, async () => {})).toThrow('not defined');
});

test('a job may be sent only if none like it waits', async () => {
  const release = Promise.withResolvers<void>();
  const jobs = await node({ 'test.work': () => release.promise });
  const unlessWaiting = () =>
    database.transaction((trx) =>
      jobs.sendMany(trx, work, [{ n: 1 }, { n: 2 }], { unlessWaiting: true, startAfterS: 60 }),
    );
  await database.transaction((trx) => jobs.send(trx, work, { n: 2 }));
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pgboss.job where name = 'test.work' and state = 'active'`.execute(
      database.db,
    );
    expect(rows).toHaveLength(1);
  }, 30_000);
  // The running job does not count as waiting.
  expect(await unlessWaiting()).toHaveLength(2);
  expect(await unlessWaiting()).toEqual([]);
  await sql`delete from pgboss.job where name = 'test.work' and data = '{"n": 1}'`.execute(database.db);
  expect(await unlessWaiting()).toHaveLength(1);
  release.resolve();
});

test('a schedule exists once, however many nodes start with it', async () => {
  for (let i = 0; i < 2; i++) {
    const jobs = createJobs({ database, log, definitions: [short] });
    open.push(jobs);
    jobs.handle(short, async () => {});
    jobs.schedule(short, '0 3 * * *', { n: 1 });
    await jobs.start();
  }
  const { rows } = await sql`select name, cron from pgboss.schedule`.execute(database.db);
  expect(rows).toEqual([{ name: 'test.short', cron: '0 3 * * *' }]);
});
