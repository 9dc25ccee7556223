// Runs of saved questions while their worker is killed again and again.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { nextMessage } from '#test/child-messages';
import { PROBE } from '#test/library';
import { createTestEngine } from '../batches/node.fixture.ts';
import { createWorld } from '../batches/world.fixture.ts';
import { startReceiver } from '../webhooks/receiver.fixture.ts';

const world = createWorld();
const KILLS = 2;
const VIDEOS = 6;
/** Events of each run; a cooldown announces one of them. */
const EVENTS = 2;
const DONE = { timeout: 120_000, interval: 20 };

test('no run and no alert is lost or doubled when workers are killed', { timeout: 240_000 }, async () => {
  const env = { ...world.env, SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const { api, database, videos } = await world.node({ worker: false, engine: createTestEngine(), env });
  const { db } = database;
  const receiver = await startReceiver();
  let worker = null as ChildProcess | null;
  const start = async () => {
    worker = fork(new URL('worker.fixture.ts', import.meta.url), [JSON.stringify(env)], { execArgv: [] });
    await nextMessage(worker);
  };
  const count = async (table: 'batches' | 'savedQuestionRuns', status: string) =>
    (await db.selectFrom(table).select('id').where('status', '=', status).execute()).length;
  /** Grows with each step of each run. */
  const steps = async () =>
    (await count('savedQuestionRuns', 'processing')) +
    2 * (await count('savedQuestionRuns', 'completed')) +
    receiver.received.length;
  try {
    const json = { url: receiver.url, event_types: ['alert.raised'] };
    await api.call('POST', '/api/webhooks', { key: 'admin', json });
    for (const name of ['Cars', 'Vans']) {
      const question = { name, query: `find ${EVENTS} cars` };
      expect((await api.call('POST', '/api/saved-questions', { key: 'alice', json: question })).status).toBe(200);
    }
    for (let n = 0; n < VIDEOS; n++) {
      const id = await world.video({ status: 'PREPARE_IN_PROGRESS' });
      await database.transaction((trx) => videos.markReady(trx, id, { probe: PROBE, sizeBytes: 11, sha256: `${n}` }));
    }
    expect(await count('savedQuestionRuns', 'waiting')).toBe(2 * VIDEOS);
    for (let kill = 1; kill <= KILLS; kill++) {
      await start();
      const before = await steps();
      await expect.poll(steps, { ...DONE, interval: 2 }).toBeGreaterThan(before + kill);
      worker!.kill('SIGKILL');
      await once(worker!, 'exit');
      // As if the worker had died ten seconds ago.
      await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '10 s' where state = 'active'`.execute(db);
      await sql`update observations set lease_until = now() - interval '1 s'`.execute(db);
    }
    expect(await count('savedQuestionRuns', 'completed')).toBeLessThan(2 * VIDEOS);
    await start();
    await expect.poll(() => count('savedQuestionRuns', 'completed'), DONE).toBe(2 * VIDEOS);
    expect(await count('batches', 'completed')).toBe(2 * VIDEOS);
    const messages = await db.selectFrom('webhookMessages').select(['data', 'subject']).execute();
    const announced = messages.map(({ data, subject }) => `${subject} ${JSON.parse(data).event_id}`);
    expect(announced).toHaveLength(2 * VIDEOS * EVENTS);
    expect(new Set(announced).size).toBe(announced.length);
    // Webhooks are delivered at least once.
    const received = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
    await expect.poll(received, DONE).toBe(announced.length);
  } finally {
    worker?.kill('SIGKILL');
    await receiver.stop();
  }
});
