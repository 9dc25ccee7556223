// Webhooks while the worker that sends them is killed again and again.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '#platform/db/database';
import type { Caller } from '#platform/http/index';
import { createLog } from '#platform/log';
import { nextMessage } from '#test/child-messages';
import { createTestDatabase } from '#test/database/test-database';
import { createNode } from './node.fixture.ts';
import { startReceiver, verify } from './receiver.fixture.ts';

const KILLS = inject('webhookKills');
/** Messages for each kill. */
const SHARE = 10;

test(`${KILLS} kills during ${KILLS * SHARE} deliveries lose none`, { timeout: 120_000 + KILLS * 30_000 }, async () => {
  const { connection, drop } = await createTestDatabase();
  const database = openDatabase(connection, createLog('warn'), 4);
  const { db } = database;
  const { webhooks, jobs, net } = createNode(database);
  // Slow enough that several messages are under way when their worker dies.
  const receiver = await startReceiver(async () => {
    await sleep(20);
    return { status: 204 };
  });
  let worker = null as ChildProcess | null;
  const start = async () => {
    worker = fork(new URL('worker.fixture.ts', import.meta.url), [JSON.stringify(connection)], { execArgv: [] });
    await nextMessage(worker);
  };
  try {
    await db.insertInto('organizations').values({ id: 'o', name: 'o' }).execute();
    const caller = { orgId: 'o', userId: 'u' } as Caller;
    const settings = {
      url: receiver.url,
      description: '',
      format: 'standard' as const,
      eventTypes: [],
      folderId: null,
      savedQuestionsOnly: false,
      enabled: true,
    };
    const { secret } = await webhooks.create(caller, settings, { by: null, saveReference: async () => {} });
    const expected = new Set<number>();
    for (let n = 0; n < KILLS * SHARE; n++) {
      const fact = { orgId: 'o', limit: 'videos', percent: 90, used: n, maximum: 10_000 } as const;
      await database.transaction((trx) => webhooks.onQuotaReached(trx, fact));
      expected.add(n);
    }
    for (let kill = 1; kill <= KILLS; kill++) {
      await start();
      const before = receiver.received.length;
      // Some later kills find no message that is due: the others wait until the death of their worker is noticed.
      const arrived = expect.poll(() => receiver.received.length, { timeout: 60_000, interval: 2 });
      await arrived.toBeGreaterThan(before + (kill % (SHARE - 1)));
      worker!.kill('SIGKILL');
      await once(worker!, 'exit');
      // As old as the heartbeats of a worker that died ten seconds ago.
      await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '10 s' where state = 'active'`.execute(db);
    }
    await start();
    const pending = async () =>
      (await db.selectFrom('webhookDeliveries').select('id').where('status', '<>', 'delivered').execute()).length;
    await expect.poll(pending, { timeout: 120_000 + KILLS * 10_000, interval: 200 }).toBe(0);
    const received = receiver.received.map((message) => {
      expect(verify(secret, message)).toEqual(message.json);
      return message.json.data.used as number;
    });
    expect(new Set(received)).toEqual(expected);
    const repeated = received.length - expected.size;
    console.info(`${KILLS} kills: ${received.length} requests for ${expected.size} messages, none was lost`);
    // Otherwise no kill hit a delivery.
    expect(repeated).toBeGreaterThan(0);
  } finally {
    worker?.kill('SIGKILL');
    await jobs.close();
    await net.close();
    await database.close();
    await receiver.stop();
    await drop();
  }
});
