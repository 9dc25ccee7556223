import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Probe } from '#platform/media/index';
import { Problem } from '#platform/problem';
import { people } from './node.fixture.ts';
import { openStream, readEvents } from './sse.fixture.ts';
import { ask, askAndFollow, completion, createWorld, last } from './world.fixture.ts';

const world = createWorld();

const PROBE: Probe = {
  container: 'mp4',
  durationS: 60,
  startS: 0,
  sizeBytes: 46,
  video: {
    codec: 'h264',
    pixelFormat: 'yuv420p',
    hdr: null,
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

test('a problem of one video fails its analysis with the reason, and the other analyses continue', async () => {
  const on = await world.node();
  on.engine.failure = new Problem({ status: 400, code: 'media_damaged', message: 'The file is damaged after 3 s.' });
  const [bad, unusable] = [await world.video(), await world.video({ status: 'UPLOADING_FAILED' })];
  const { batchId, events } = await askAndFollow(on, { video_ids: [bad, unusable] });
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
  const mixed = await askAndFollow(on, { video_ids: [unusable, await world.video()] });
  expect(last(mixed.events)).toMatchObject({ status: 'completed', completed: 2, failed: 1 });
});

test('an unexpected error is retried, then fails the analysis without internal details', async () => {
  const on = await world.node();
  on.engine.failure = new Error('secret path /x');
  const { json } = await ask(on.api, { video_id: await world.video() });
  const hurry = setInterval(
    () => void sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(world.database.db),
    100,
  );
  onTestFinished(() => clearInterval(hurry));
  const events = await readEvents(await openStream(on.api, String(json.stream_id)));
  clearInterval(hurry);
  expect(on.engine.observed).toBe(4);
  expect(last(events)).toMatchObject({ status: 'failed' });
  expect(completion(events).message).toBe('The analysis failed because of an internal error. Start it again.');
});

test('an analysis whose job the queue gives up fails with a reason', async () => {
  const on = await world.node();
  on.engine.gate = new Promise(() => {});
  const { json } = await ask(on.api, { video_id: await world.video() });
  await expect.poll(() => on.engine.observed).toBe(1);
  // As after the last attempt of a job that killed its worker each time.
  await sql`update pgboss.job set started_on = now() - interval '2 days', retry_limit = retry_count
    where name = 'analyses.run'`.execute(world.database.db);
  const events = await readEvents(await openStream(on.api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'failed' });
  expect(completion(events).message).toMatch(/failed because of an internal error/);
});

const losses = {
  lost: (folder: string) => rm(folder, { recursive: true }),
  spoilt: (folder: string) => truncate(join(folder, 'signals-1.bin'), 3),
};

test.each(['lost', 'spoilt'] as const)('an observation that storage has %s is made again', async (how) => {
  const on = await world.node();
  const id = await world.video();
  await askAndFollow(on, { video_id: id });
  // The observation is cached as well now.
  await askAndFollow(on, { video_id: id });
  await losses[how](join(world.dir, 'videos', id, 'observations'));
  expect(last((await askAndFollow(on, { video_id: id })).events)).toMatchObject({ status: 'completed' });
  expect(on.engine.observed).toBe(2);
  await askAndFollow(on, { video_id: id });
  expect(on.engine.observed).toBe(2);
});

test('observations are read once for consecutive prompts', async () => {
  const on = await world.node();
  const id = await world.video();
  const given: unknown[] = [];
  const { answer: find } = on.engine;
  on.engine.answer = (plan, artifacts) => {
    given.push(artifacts);
    return find(plan, artifacts);
  };
  for (let prompt = 0; prompt < 3; prompt++) await askAndFollow(on, { video_id: id });
  expect(given).toHaveLength(3);
  expect(given[2]).toBe(given[1]);
});

test('an analysis waits for a pending upload and starts when the video is ready', async () => {
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
  await expect.poll(waits).toBe(2);
  await world.database.transaction((trx) =>
    on.videos.markReady(trx, id, { probe: PROBE, sizeBytes: 46, sha256: '00' }),
  );
  const events = await readEvents(await openStream(on.api, String(json.stream_id)));
  // It did not wait for its next look.
  const { rows } = await sql`select state from pgboss.job where name = 'analyses.run' and data ? 'waits'
    order by (data->>'waits')::int desc limit 1`.execute(world.database.db);
  expect(rows).toEqual([{ state: 'cancelled' }]);
  expect(last(events)).toMatchObject({ status: 'completed' });
});

test('deleting a video fails its running analyses with a reason and hides the documents of ended ones', async () => {
  const on = await world.node();
  const done = await world.video();
  const finished = await askAndFollow(on, { video_id: done });
  const { analysis_id: finishedId } = completion(finished.events);
  const path = `/api/videos/${done}/analyses/${finishedId}`;
  const { text } = await on.api.call('GET', path, { key: 'alice' });
  const [picture] = /\/api\/evidence\/[^"]+/.exec(text)!;
  expect((await on.api.call('GET', picture)).status).toBe(200);

  on.engine.gate = new Promise(() => {});
  const id = await world.video();
  const { json } = await ask(on.api, { video_ids: [id, id] });
  await expect.poll(() => on.engine.observed).toBe(2);
  await on.videos.remove(people.alice!, id);
  const events = await readEvents(await openStream(on.api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'failed', failed: 2 });
  expect(completion(events).message).toBe('The video was deleted.');
  const status = await on.api.call('GET', `/api/videos/${id}/analyses/${completion(events).analysis_id}/status`, {
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
  const left = () => db.selectFrom('observations').select('videoId').where('videoId', 'in', [id, done]).execute();
  await expect.poll(left).toEqual([]);
});

test('a drawn frame is not served while its video is deleted, and is again after a restore', async () => {
  const on = await world.node({ env: { SIGHTLINE_RESTORE_HOURS: '1' } });
  const id = await world.video();
  const { events } = await askAndFollow(on, { video_id: id });
  const { text } = await on.api.call('GET', `/api/videos/${id}/analyses/${completion(events).analysis_id}`, {
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

test('an analysis waits for another one of its video, however long it takes', async () => {
  const api = (await world.node({ worker: false })).api;
  const id = await world.video();
  const { json } = await ask(api, { video_id: id });
  const { db } = world.database;
  // It stood in the queue for two days, and somebody else began just before it.
  await db
    .updateTable('analyses')
    .set({ createdAt: new Date(Date.now() - 48 * 3600_000) })
    .where('batchId', '=', String(json.batch_id))
    .execute();
  const observing = { leaseUntil: new Date(Date.now() + 2_000), leaseHolder: 'other:0', status: 'running' };
  const kind = { videoId: id, kind: 'signals', version: '1', storageKey: `videos/${id}/observations/signals-1.bin` };
  await db
    .insertInto('observations')
    .values({ ...kind, ...observing })
    .execute();
  await world.node();
  const events = await readEvents(await openStream(api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ status: 'completed' });
});
