import { hostname } from 'node:os';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { createJobs } from './index.ts';
import { database, definitions, log, node, open, send, short, useDatabase, work } from './node.fixture.ts';

useDatabase();
beforeEach(async () => {
  await sql`truncate workers`.execute(database.db);
});

/** A node that only sends, such as an API node. */
function sender() {
  const jobs = createJobs({ database, log, definitions });
  open.push(jobs);
  return jobs;
}

test('queues count what waits, since when, what starts later, runs and was given up', async () => {
  const jobs = sender();
  expect(await jobs.queues()).toEqual(
    definitions.map(({ name }) => ({ name, waiting: 0, oldestWaitingAt: null, delayed: 0, running: 0, failed: 0 })),
  );
  await send(jobs, work, 1);
  const first = (await jobs.queues())[0]!.oldestWaitingAt!;
  await send(jobs, work, 2);
  await database.transaction((trx) => jobs.send(trx, work, { n: 3 }, { startAfterS: 600 }));
  const queueOf = async ({ name }: { name: string }) => (await jobs.queues()).find((queue) => queue.name === name);
  expect(await queueOf(work)).toEqual({
    name: work.name,
    waiting: 2,
    oldestWaitingAt: first,
    delayed: 1,
    running: 0,
    failed: 0,
  });
  expect(Math.abs(Date.now() - first.getTime())).toBeLessThan(60_000);

  const release = Promise.withResolvers<void>();
  await node({
    [work.name]: () => release.promise,
    [short.name]: async () => {
      throw new Error('no');
    },
  });
  await send(jobs, short, 1);
  await expect.poll(() => queueOf(short)).toMatchObject({ waiting: 0, running: 0, failed: 1 });
  await expect.poll(() => queueOf(work)).toMatchObject({ waiting: 0, oldestWaitingAt: null, delayed: 1, running: 2 });
  await sql`update pgboss.job set completed_on = now() - interval '7 hours' where state = 'failed'`.execute(
    database.db,
  );
  expect(await queueOf(short)).toMatchObject({ failed: 0 });
  release.resolve();
  await expect.poll(() => queueOf(work)).toMatchObject({ running: 0, failed: 0 });
});

test('a worker is listed with what it runs, until it closes', async () => {
  const release = Promise.withResolvers<void>();
  const api = sender();
  expect(await api.workers()).toEqual([]);
  const worker = await node({ [work.name]: () => release.promise });
  const [listed] = await api.workers();
  expect(listed).toMatchObject({ host: hostname(), pid: process.pid, running: {}, responding: true });
  await send(worker, work, 1);
  await expect.poll(async () => (await api.workers())[0]!.running).toEqual({ [work.name]: 1 });
  const [later] = await api.workers();
  expect(later!.id).toBe(listed!.id);
  expect(later!.heartbeatAt.getTime()).toBeGreaterThan(listed!.heartbeatAt.getTime());
  release.resolve();
  await worker.close();
  expect(await api.workers()).toEqual([]);
});

test('a worker that dies is listed as not responding for a day, and one that is frozen returns', async () => {
  const jobs = await node({});
  const silent = (time: string) =>
    sql`update workers set heartbeat_at = now() - ${time}::interval`.execute(database.db).then(() => jobs.workers());
  expect(await silent('21 seconds')).toMatchObject([{ responding: false }]);
  expect(await silent('25 hours')).toEqual([]);
  await sql`insert into workers (id, host, pid, heartbeat_at) values ('old', 'gone', 1, now() - interval '25 hours')`.execute(
    database.db,
  );
  await node({});
  const { rows } = await sql`select id from workers where id = 'old'`.execute(database.db);
  expect(rows).toEqual([]);
  await expect.poll(() => jobs.workers().then((all) => all.length)).toBe(2);
});
