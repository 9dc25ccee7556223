import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '#platform/db/database';
import type { Database } from '#platform/db/index';
import { createLog } from '#platform/log';
import { createTestDatabase } from '#test/database';
import { createJobs, defineJob, type JobContext, type JobDefinition, type Jobs } from './index.ts';
import { slow } from './jobs.fixture.ts';

const log = createLog('silent');
const payload = Type.Object({ n: Type.Integer() });
const base = { payload, retries: 2, retryDelayS: 0, timeoutS: 60, concurrency: 4 };
const forgotten = defineJob({ ...base, name: 'test.forgotten' });
const work = defineJob({ ...base, name: 'test.work', givenUp: forgotten });
const short = defineJob({ ...base, name: 'test.short', retries: 0, timeoutS: 1 });
const shared = defineJob({ ...base, name: 'test.shared', shared: true });
const definitions: JobDefinition[] = [work, forgotten, short, slow, shared];

type Handlers = Record<string, (n: number, context: JobContext) => Promise<void>>;

let database: Database;
let drop: () => Promise<void>;
let open: Jobs[] = [];

beforeAll(async () => {
  const made = await createTestDatabase();
  drop = made.drop;
  database = openDatabase(made.connection, log);
  await sql`create table attempts (n int, attempt int, worker int, ended boolean not null default false)`.execute(
    database.db,
  );
});
beforeEach(async () => {
  await sql`truncate attempts`.execute(database.db);
});
afterEach(async () => {
  await Promise.all(open.map((jobs) => jobs.close()));
  open = [];
  // What one test leaves in the queue is no business of the next.
  await sql`delete from pgboss.job`.execute(database.db);
  await sql`truncate job_interruptions`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await drop();
});

/** A worker node with the given handlers; the other kinds of job do nothing. */
async function node(handlers: Handlers): Promise<Jobs> {
  const jobs = createJobs({ database, log, definitions });
  open.push(jobs);
  for (const job of definitions) {
    jobs.handle(job as typeof work, async ({ n }, context) => handlers[job.name]?.(n, context));
  }
  await jobs.start();
  return jobs;
}

const send = (jobs: Jobs, job: typeof work, n: number) => database.transaction((trx) => jobs.send(trx, job, { n }));
const sendFor = (jobs: Jobs, orgId: string, ns: number[]) =>
  database.transaction((trx) =>
    jobs.sendMany(
      trx,
      shared,
      ns.map((n) => ({ n })),
      { orgId },
    ),
  );
const state = async (id: string) =>
  (await sql<{ state: string }>`select state from pgboss.job where id = ${id}`.execute(database.db)).rows[0]?.state;

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
  const begun = performance.now();
  await Promise.all([node({ 'test.work': handler }), node({ 'test.work': handler })]);
  await expect.poll(() => seen.length, { interval: 5 }).toBe(50);
  expect(performance.now() - begun).toBeLessThan(3_000);
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
  await expect.poll(() => given, { timeout: 20_000 }).toEqual([7]);
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
  await expect.poll(() => reasons, { timeout: 5_000 }).toEqual([{ kind: 'timeout' }]);
  await expect.poll(() => state(id)).toBe('failed');
});

test('cancel aborts a running job on its node and takes a waiting one out', async () => {
  const reasons: unknown[] = [];
  let begun = 0;
  const jobs = await node({
    'test.work': async (_, { signal }) => {
      begun++;
      await once(signal, 'abort');
      reasons.push(signal.reason);
      signal.throwIfAborted();
    },
  });
  const id = await send(jobs, work, 1);
  await expect.poll(() => begun).toBe(1);
  await database.transaction((trx) => jobs.cancel(trx, work, id));
  await expect.poll(() => reasons).toEqual([{ kind: 'lost' }]);

  const later = await database.transaction((trx) => jobs.send(trx, work, { n: 2 }, { startAfterS: 1 }));
  await database.transaction((trx) => jobs.cancel(trx, work, later));
  await sleep(2_500);
  expect(begun).toBe(1);
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
    .poll(() => attempts, { timeout: 3_000 })
    .toEqual([
      [-1, false],
      [1, false],
    ]);
  const { rows } = await sql`select retry_limit from pgboss.job where name = 'test.work'`.execute(database.db);
  expect(rows).toEqual([{ retry_limit: work.retries + 1 }]);
});

/** A worker process that holds each of its jobs for so long. */
async function startWorker(holdMs: number): Promise<ChildProcess> {
  const argument = JSON.stringify({ connection: database.connection, holdMs });
  const child = fork(new URL('worker.fixture.ts', import.meta.url), [argument], { execArgv: [] });
  await once(child, 'message');
  return child;
}

/** Has a worker take up the only job, and kills it then; its silence is found at once. */
async function killedInJob(): Promise<void> {
  const doomed = await startWorker(600_000);
  try {
    await expect.poll(attempts, { timeout: 30_000 }).toBe(1);
  } finally {
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
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
    const doomed = await worker();
    const sender = createJobs({ database, log, definitions: [slow] });
    open.push(sender);
    const payloads = Array.from({ length: 10 }, (_, n) => ({ n }));
    await database.transaction((trx) => sender.sendMany(trx, slow, payloads));
    await expect.poll(async () => (await rows()).length).toBe(10);
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    const killed = performance.now();
    await worker();
    await expect
      .poll(async () => (await rows()).filter((r) => r.ended).length, { timeout: 40_000, interval: 200 })
      .toBe(10);
    expect(performance.now() - killed).toBeLessThan(25_000);
    const all = await rows();
    expect(all.filter((r) => r.worker === doomed.pid).every((r) => r.attempt === 0 && !r.ended)).toBe(true);
    expect(all.filter((r) => r.ended).every((r) => r.attempt === 1)).toBe(true);
    expect(new Set(all.filter((r) => r.ended).map((r) => r.n)).size).toBe(10);
    // Ten jobs share the blame for one death.
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
  await expect.poll(() => state(id), { timeout: 30_000 }).toBe('failed');
  expect(seen).toEqual([]);
}, 120_000);

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
  await expect.poll(() => state(id), { timeout: 5_000 }).toBe('failed');
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
  });
  // The one that runs does not wait.
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

describe('jobs that organisations share', () => {
  /** Nodes whose jobs run until the test ends; `running` names what has started, in its order. */
  async function openNodes(count: number) {
    const running: number[] = [];
    const ends = new Map<number, () => void>();
    const handler = (n: number, { signal }: JobContext) =>
      new Promise<void>((resolve) => {
        running.push(n);
        ends.set(n, resolve);
        signal.addEventListener('abort', () => resolve());
      });
    const nodes = [];
    for (let i = 0; i < count; i++) nodes.push(await node({ 'test.shared': handler }));
    return { jobs: nodes[0]!, running, end: (n: number) => ends.get(n)!() };
  }
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

  test('leave room on every node for the next organisation, however much the first one brings', async () => {
    const { jobs, running } = await openNodes(2);
    await sendFor(jobs, 'a', numbers(0, 50));
    await expect.poll(() => running.length).toBe(2 * shared.concurrency);
    await sendFor(jobs, 'b', numbers(100, 50));
    await expect.poll(() => running.filter((n) => n >= 100).length).toBe(shared.concurrency);
    await sendFor(jobs, 'c', [200]);
    await expect.poll(() => running).toContain(200);
    // What a node refused before it still refuses: no look of it has made room.
    await sleep(1_500);
    expect(running.filter((n) => n < 100)).toHaveLength(2 * shared.concurrency);
  });

  test('go to the organisation with the fewest running jobs when a slot is free', async () => {
    const { jobs, running, end } = await openNodes(1);
    await sendFor(jobs, 'a', numbers(0, 20));
    await sendFor(jobs, 'b', numbers(100, 1));
    await expect.poll(() => running.length).toBe(shared.concurrency + 1);
    await sendFor(jobs, 'b', numbers(101, 2));
    await expect.poll(() => running.slice(shared.concurrency + 1)).toEqual([101]);
    end(0);
    await expect.poll(() => running.slice(shared.concurrency + 2)).toEqual([102]);
  });

  test('are not sent without an organisation', async () => {
    const { jobs } = await openNodes(1);
    await expect(database.transaction((trx) => jobs.send(trx, shared, { n: 1 }))).rejects.toThrow('orgId');
  });
});
