import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { nextMessage } from '#test/child-messages';
import { createTestEngine } from './node.fixture.ts';
import { openStream, readEvents } from './sse.fixture.ts';
import { ask, createWorld, last, progressValues } from './world.fixture.ts';

const world = createWorld();

test('analyses of one video on two nodes observe it once', async () => {
  const engine = createTestEngine();
  let open = () => {};
  engine.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = await world.node({ engine });
  await world.node({ engine });
  const id = await world.video();
  const { json } = await ask(first.api, { video_ids: Array(12).fill(id) });
  await expect.poll(() => engine.observed).toBe(1);
  await sleep(300);
  open();
  const events = await readEvents(await openStream(first.api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'completed', completed: 12 });
  expect(engine.observed).toBe(1);
});

test('a worker that shuts down releases its analysis; progress never decreases', async () => {
  const first = await world.node();
  first.engine.gate = new Promise(() => {});
  const { json } = await ask(first.api, { video_id: await world.video() });
  const reading = readEvents(await openStream(first.api, String(json.stream_id)));
  await expect.poll(() => first.engine.observed).toBe(1);
  const reported = world.database.db
    .selectFrom('streamEvents')
    .select('id')
    .where('streamId', '=', String(json.stream_id))
    .where('kind', '=', 'progress');
  await expect.poll(() => reported.execute()).not.toEqual([]);
  await first.jobs.close();
  const second = await world.node();
  const events = await reading;
  expect(second.engine.observed).toBe(1);
  const progress = progressValues(events);
  expect(progress.length).toBeGreaterThan(0);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(last(events)).toMatchObject({ status: 'completed' });
});

test('a worker that was frozen while another took its job changes nothing when it resumes', async () => {
  const frozen = await world.node({ env: { SIGHTLINE_MEDIA_PROCESSES: '1' } });
  let thaw = () => {};
  frozen.engine.gate = new Promise<void>((resolve) => {
    thaw = resolve;
  });
  // A batch and a question take the slots of the organization, so that it cannot fetch its own job again.
  await ask(frozen.api, { video_ids: await Promise.all(Array.from({ length: 5 }, () => world.video())) });
  await ask(frozen.api, { video_id: await world.video() });
  const id = await world.video();
  const { json } = await ask(frozen.api, { video_id: id });
  await expect.poll(() => frozen.engine.observed).toBe(3);
  const engine = createTestEngine();
  engine.plan = () => ({ query: '', count: 3 }) as never;
  const other = await world.node({ engine });
  // The queue and the lease replace a worker that was not heard of; the other one starts before it notices.
  await world.database.transaction(async (trx) => {
    await sql`update pgboss.job set state = 'retry', start_after = now() - interval '1s' where id = (
      select job_id::uuid from analyses where video_id = ${id})`.execute(trx);
    await sql`update observations set lease_until = now() - interval '1s' where video_id = ${id}`.execute(trx);
    await other.database.notify(trx, 'sightline_jobs', 'analyses.run');
  });
  const events = await readEvents(await openStream(frozen.api, String(json.stream_id)));
  thaw();
  await sleep(500);
  expect(events.filter((e) => e.event === 'video_completed')).toHaveLength(1);
  const after = await readEvents(await openStream(frozen.api, String(json.stream_id)));
  expect(after).toEqual(events);
  const batch = await frozen.api.call('GET', `/api/batch/${json.batch_id}/status`, { key: 'alice' });
  expect(batch.json.aggregated_progress).toEqual({ total: 1, completed: 1, failed: 0 });
});

test('the analysis of a killed worker runs elsewhere and is published and counted once', async () => {
  const on = await world.node({ worker: false });
  const child: ChildProcess = fork(new URL('worker.fixture.ts', import.meta.url), [JSON.stringify(world.env)], {
    execArgv: [],
  });
  try {
    await nextMessage(child);
    const { json } = await ask(on.api, { video_ids: [await world.video(), await world.video()] });
    const reading = readEvents(await openStream(on.api, String(json.stream_id)));
    await nextMessage(child); // it observes
    child.kill('SIGKILL');
    const killed = performance.now();
    await world.node();
    const events = await reading;
    expect(performance.now() - killed).toBeLessThan(45_000);
    expect(last(events)).toMatchObject({ event: 'done', status: 'completed', completed: 2, failed: 0 });
    expect(events.filter((e) => e.event === 'video_completed')).toHaveLength(2);
    expect(events.filter((e) => e.event === 'finding')).toHaveLength(4);
    for (const { data } of events.filter((e) => e.event === 'video_completed')) {
      const reported = progressValues(events, data.video_id);
      expect(reported).toEqual([...reported].sort((a, b) => a - b));
    }
  } finally {
    child.kill('SIGKILL');
  }
});
