import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { runAnalysis } from '#features/analyses/jobs';
import { ask, createWorld } from './world.fixture.ts';

const world = createWorld();

const videosOf = (count: number, owner = 'u-alice', org = 'o-one') =>
  Promise.all(Array.from({ length: count }, () => world.video({ owner, org })));

const statusOf = async (batchId: unknown) =>
  (
    await world.database.db
      .selectFrom('analyses')
      .select('status')
      .where('batchId', '=', String(batchId))
      .orderBy('status')
      .execute()
  ).map(({ status }) => status);

test('a question does not wait for a batch, of another organization or of the same one', async () => {
  const on = await world.node();
  const [own] = await videosOf(1);
  const [other] = await videosOf(1, 'u-bob', 'o-two');
  const questions = [
    [own, 'alice'],
    [other, 'bob'],
  ] as const;
  for (const [video_id, key] of questions) {
    const { json } = await ask(on.api, { video_id }, key);
    await vi.waitFor(async () => expect(await statusOf(json.batch_id)).toEqual(['COMPLETED']), 30_000);
  }

  on.engine.observed = 0;
  let open = () => {};
  on.engine.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { json: batch } = await ask(on.api, { video_ids: await videosOf(40) });
  await vi.waitFor(() => expect(on.engine.observed).toBe(runAnalysis.concurrency), 30_000);
  for (const [video_id, key] of questions) {
    const { json } = await ask(on.api, { video_id, query: 'find 3 cars' }, key);
    await vi.waitFor(async () => expect(await statusOf(json.batch_id)).toEqual(['COMPLETED']), 30_000);
  }
  expect(new Set(await statusOf(batch.batch_id))).toEqual(new Set(['PROCESSING']));
  open();
  await vi.waitFor(async () => expect(new Set(await statusOf(batch.batch_id))).toEqual(new Set(['COMPLETED'])), 60_000);
});

/** Owners of the waiting analyses of batches, in the order in which they would run. */
async function listOrder(): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select analyses.owner_id as owner from pgboss.job join analyses on analyses.id = job.data ->> 'analysisId'
    where job.name = ${runAnalysis.name} and job.state < 'active'
    order by job.priority desc, job.created_on, analyses.position`.execute(world.database.db);
  return rows.map(({ owner }) => owner);
}

test('users of an organization take turns', async () => {
  const on = await world.node({ worker: false });
  await ask(on.api, { video_ids: await videosOf(8) }, 'alice');
  await ask(on.api, { video_ids: await videosOf(5, 'u-carol') }, 'carol');
  const order = await listOrder();
  expect(order).toHaveLength(13);
  for (const at of [0, 2, 4, 6, 8]) expect(new Set(order.slice(at, at + 2))).toEqual(new Set(['u-alice', 'u-carol']));
  // A further batch of the same user comes after what this user started before.
  await ask(on.api, { video_ids: await videosOf(5) }, 'alice');
  expect((await listOrder()).slice(0, 10)).toEqual(order.slice(0, 10));
});

test('nobody waits for what runs in the background, which comes after all batches', async () => {
  const on = await world.node({ worker: false });
  const [videoId] = await videosOf(1);
  const alice = { orgId: 'o-one', userId: 'u-alice', keyId: null };
  await on.batches.start(alice, { query: 'find 1 car', videoId: videoId! }, { mode: 'thinking', isBackground: true });
  await ask(on.api, { video_ids: await videosOf(6, 'u-carol') }, 'carol');
  expect((await listOrder()).at(-1)).toBe('u-alice');
});
