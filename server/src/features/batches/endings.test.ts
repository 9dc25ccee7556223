import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Probe } from '#platform/media/index';
import { Problem } from '#platform/problem';
import { people } from './node.fixture.ts';
import { readEvents, streamOf } from './sse.fixture.ts';
import { answer, ask, createWorld, ended, last } from './world.fixture.ts';

const world = createWorld();

const PROBE: Probe = {
  container: 'mp4',
  durationS: 60,
  startS: 0,
  sizeBytes: 46,
  video: {
    codec: 'h264',
    pixelFormat: 'yuv420p',
    width: 640,
    height: 360,
    rotation: 0,
    frameRate: 30,
    timeBase: [1, 90_000],
    frames: 1800,
  },
  audio: null,
  createdAt: null,
  tags: {},
};

test('what is wrong with a video fails its analysis at once, with the sentence, and the others of the batch go on', async () => {
  const on = await world.node();
  on.engine.failure = new Problem({ status: 400, code: 'media_damaged', message: 'The file is damaged after 3 s.' });
  const [bad, unusable] = [await world.video(), await world.video({ status: 'UPLOADING_FAILED' })];
  const { batchId, events } = await answer(on, { video_ids: [bad, unusable] });
  expect(last(events)).toMatchObject({ event: 'done', status: 'failed', completed: 2, failed: 2 });
  expect(on.engine.observed).toBe(1);
  const { json } = await on.api.call('POST', `/api/batch/${batchId}/analyses/bulk`, {
    key: 'alice',
    json: { video_ids: [bad, unusable] },
  });
  expect(json.analyses).toMatchObject([
    {
      analysis: { status: 'FAILED', error: 'media_damaged', message: 'The file is damaged after 3 s.', events: [] },
      events: [],
    },
    { analysis: { status: 'FAILED', error: 'video_unusable', events: [] } },
  ]);
  const batch = await on.api.call('GET', `/api/batch/${batchId}/status`, { key: 'alice' });
  expect(batch.json.videos).toMatchObject([{ status: 'failed', last_error: 'The file is damaged after 3 s.' }, {}]);

  on.engine.failure = null;
  const mixed = await answer(on, { video_ids: [unusable, await world.video()] });
  expect(last(mixed.events)).toMatchObject({ status: 'completed', completed: 2, failed: 1 });
});

test('a surprise is tried again; when it stays, the analysis fails and says nothing of the inside', async () => {
  const on = await world.node();
  on.engine.failure = new Error('secret path /x');
  const { json } = await ask(on.api, { video_id: await world.video() });
  const hurry = setInterval(
    () => void sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(world.database.db),
    100,
  );
  const events = await readEvents(await streamOf(on.api, String(json.stream_id)));
  clearInterval(hurry);
  expect(on.engine.observed).toBe(4);
  expect(last(events)).toMatchObject({ status: 'failed' });
  expect(ended(events).message).toBe(
    'The analysis could not be completed because of a fault on our side; ask again to retry it.',
  );
});

test('an analysis whose job is given up by the queue fails with a sentence', async () => {
  const on = await world.node();
  on.engine.gate = new Promise(() => {});
  const { json } = await ask(on.api, { video_id: await world.video() });
  await expect.poll(() => on.engine.observed).toBe(1);
  // As after the last attempt of a job that killed its worker each time.
  await sql`update pgboss.job set started_on = now() - interval '2 days', retry_limit = retry_count
    where name = 'analyses.run'`.execute(world.database.db);
  const events = await readEvents(await streamOf(on.api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'failed' });
  expect(ended(events).message).toMatch(/could not be completed/);
});

const losses = {
  lost: (folder: string) => rm(folder, { recursive: true }),
  spoilt: (folder: string) => truncate(join(folder, 'signals-1.bin'), 3),
};

test.each(['lost', 'spoilt'] as const)('an observation that storage has %s is made again', async (how) => {
  const on = await world.node();
  const id = await world.video();
  await answer(on, { video_id: id });
  // By now it is at hand as well.
  await answer(on, { video_id: id });
  await losses[how](join(world.dir, 'videos', id, 'observations'));
  expect(last((await answer(on, { video_id: id })).events)).toMatchObject({ status: 'completed' });
  expect(on.engine.observed).toBe(2);
  await answer(on, { video_id: id });
  expect(on.engine.observed).toBe(2);
});

test('what was observed is read once for the prompts that follow', async () => {
  const on = await world.node();
  const id = await world.video();
  const given: unknown[] = [];
  const { answer: find } = on.engine;
  on.engine.answer = (plan, artifacts) => {
    given.push(artifacts);
    return find(plan, artifacts);
  };
  for (let prompt = 0; prompt < 3; prompt++) await answer(on, { video_id: id });
  expect(given).toHaveLength(3);
  expect(given[2]).toBe(given[1]);
});

test('an analysis waits for a video that is still arriving and starts when it is there', async () => {
  const on = await world.node();
  const id = await world.video({ status: 'PREPARE_IN_PROGRESS' });
  const { json } = await ask(on.api, { video_id: id });
  const waits = async () =>
    (
      await sql<{
        waits: number;
      }>`select max((data->>'waits')::int) as waits from pgboss.job where name = 'analyses.run'`.execute(
        world.database.db,
      )
    ).rows[0]?.waits;
  await expect.poll(waits, { timeout: 10_000 }).toBe(2);
  await world.database.transaction((trx) =>
    on.videos.markReady(trx, id, { probe: PROBE, sizeBytes: 46, sha256: '00' }),
  );
  const begun = performance.now();
  const events = await readEvents(await streamOf(on.api, String(json.stream_id)));
  expect(performance.now() - begun).toBeLessThan(2_500); // it would have looked again after 4 s
  expect(last(events)).toMatchObject({ status: 'completed' });
});

test('a video deleted while it is analysed ends its analyses with a sentence; one deleted later takes its documents along', async () => {
  const on = await world.node();
  const done = await world.video();
  const finished = await answer(on, { video_id: done });
  const { analysis_id: finishedId } = ended(finished.events);
  const path = `/api/videos/${done}/analyses/${finishedId}`;
  const { text } = await on.api.call('GET', path, { key: 'alice' });
  const [picture] = /\/api\/evidence\/[^"]+/.exec(text)!;
  expect((await on.api.call('GET', picture)).status).toBe(200);

  on.engine.gate = new Promise(() => {});
  const id = await world.video();
  const { json } = await ask(on.api, { video_ids: [id, id] });
  await expect.poll(() => on.engine.observed).toBe(2);
  await on.videos.remove(people.alice!, id);
  const events = await readEvents(await streamOf(on.api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'failed', failed: 2 });
  expect(ended(events).message).toBe('The video was deleted.');
  const status = await on.api.call('GET', `/api/videos/${id}/analyses/${ended(events).analysis_id}/status`, {
    key: 'alice',
  });
  expect(status.json).toMatchObject({ status: 'FAILED', error: 'video_deleted', events: [] });

  await on.videos.remove(people.alice!, done);
  expect(await on.api.call('GET', path, { key: 'alice' })).toMatchObject({
    status: 404,
    json: { error: 'analysis_gone' },
  });
  expect((await on.api.call('GET', picture)).status).toBe(404);
  const bulk = await on.api.call('POST', `/api/batch/${finished.batchId}/analyses/bulk`, {
    key: 'alice',
    json: { video_ids: [done] },
  });
  expect(bulk.json).toEqual({ analyses: [], unresolved_video_ids: [], not_found_analysis_ids: [finishedId] });
  const { db } = world.database;
  const left = () => db.selectFrom('observations').select('video_id').where('video_id', 'in', [id, done]).execute();
  await expect.poll(left).toEqual([]);
});

test('a picture that was drawn is not shown while its video is deleted, and is again when that is restored', async () => {
  const on = await world.node({ restoreS: 3600 });
  const id = await world.video();
  const { events } = await answer(on, { video_id: id });
  const { text } = await on.api.call('GET', `/api/videos/${id}/analyses/${ended(events).analysis_id}`, {
    key: 'alice',
  });
  const [picture] = /\/api\/evidence\/[^"]+/.exec(text)!;
  const status = async () => (await on.api.call('GET', picture)).status;
  expect(await status()).toBe(200);
  await on.videos.remove(people.alice!, id);
  expect(await status()).toBe(404);
  await on.videos.restore(people.alice!, id);
  expect(await status()).toBe(200);
});

test('an analysis waits for another one of its video however long that takes', async () => {
  const api = (await world.node({ worker: false })).api;
  const id = await world.video();
  const { json } = await ask(api, { video_id: id });
  const { db } = world.database;
  // It stood in the queue for two days, and somebody else began just before it.
  await db
    .updateTable('analyses')
    .set({ created_at: new Date(Date.now() - 48 * 3600_000) })
    .where('batch_id', '=', String(json.batch_id))
    .execute();
  const observing = { lease_until: new Date(Date.now() + 2_000), lease_holder: 'other:0', status: 'running' };
  const kind = { video_id: id, kind: 'signals', version: '1', storage_key: `videos/${id}/observations/signals-1.bin` };
  await db
    .insertInto('observations')
    .values({ ...kind, ...observing })
    .execute();
  await world.node();
  const events = await readEvents(await streamOf(api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ status: 'completed' });
});
