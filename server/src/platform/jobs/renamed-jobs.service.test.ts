import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createJobs, defineJob, type Jobs } from './index.ts';
import { base, database, forgotten, log, open, useDatabase } from './node.fixture.ts';

useDatabase();

describe('a renamed job', () => {
  const before = defineJob({ ...base, name: 'test.before', givenUp: forgotten });
  const after = defineJob({ ...base, name: 'test.after', formerNames: ['test.before', 'test.long-before'] });
  const earlier = () => createJobs({ database, log, definitions: [before, forgotten] });
  const received: number[] = [];

  /** A node of the version that renamed the job. */
  async function startLater(handler = async (n: number): Promise<void> => void received.push(n)): Promise<Jobs> {
    const jobs = createJobs({ database, log, definitions: [after, forgotten] });
    open.push(jobs);
    jobs.handle(after, ({ n }) => handler(n));
    jobs.handle(forgotten, async () => {});
    await jobs.start();
    return jobs;
  }

  beforeEach(() => {
    received.length = 0;
  });

  test('takes over waiting and delayed jobs of its former name at start', async () => {
    const sender = earlier();
    open.push(sender);
    await database.transaction((trx) => sender.sendMany(trx, before, [{ n: 1 }, { n: 2 }]));
    const delayed = await database.transaction((trx) => sender.send(trx, before, { n: 3 }, { startAfterS: 60 }));
    await startLater();
    await expect.poll(() => received.toSorted()).toEqual([1, 2]);
    const { rows } = await sql`
      select name, state::text, dead_letter from pgboss.job where id = ${delayed}`.execute(database.db);
    expect(rows).toEqual([{ name: 'test.after', state: 'created', deadLetter: null }]);
  });

  test('takes over jobs that an earlier node sends or gives back after the start', async () => {
    const node = earlier();
    open.push(node);
    let started = 0;
    node.handle(before, async (_, { signal }) => {
      started++;
      await once(signal, 'abort');
      signal.throwIfAborted();
    });
    node.handle(forgotten, async () => {});
    await node.start();
    await database.transaction((trx) => node.send(trx, before, { n: 4 }));
    await expect.poll(() => started).toBe(1);
    await startLater();
    await sleep(2_500);
    expect(received).toEqual([]); // still runs on the earlier node
    await node.close();
    await expect.poll(() => received).toEqual([4]);
  });

  test('is scheduled under its present name alone', async () => {
    const node = earlier();
    open.push(node);
    node.handle(before, async () => {});
    node.handle(forgotten, async () => {});
    node.schedule(before, '0 3 * * *', { n: 1 });
    await node.start();
    await node.close();
    await startLater();
    const { rows } = await sql`select name from pgboss.schedule where name = 'test.before'`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test('may not have the name of another job', () => {
    expect(() => createJobs({ database, log, definitions: [after, before, forgotten] })).toThrow(
      'job test.before is defined twice',
    );
  });
});
