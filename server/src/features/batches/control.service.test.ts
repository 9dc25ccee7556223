// Lists of batches and analyses; canceling a batch, retrying its failed analyses, and deleting analyses.
import { expect, test } from 'vitest';
import { createTestEngine } from './node.fixture.ts';
import { openStream, readEvents } from './sse.fixture.ts';
import { ask, askAndFollow, createWorld, last } from './world.fixture.ts';

const world = createWorld();
type Listed = { batch_id: string; status: string; videos: unknown[] };

test('batches are listed newest first, in pages, to those who may read them', async () => {
  const on = await world.node();
  const [own, shared] = [await world.video(), await world.video({ scope: 'org' })];
  const ids: string[] = [];
  for (const video of [own, shared, own]) ids.unshift((await askAndFollow(on, { video_id: video })).batchId);
  const list = async (query: string, key = 'alice') =>
    (await on.api.call('GET', `/api/batches${query}`, { key })).json as {
      batches: Listed[];
      has_more: boolean;
      next_cursor: string | null;
    };

  const all = await list('');
  expect(all.batches.map(({ batch_id }) => batch_id)).toEqual(ids);
  expect(all).toMatchObject({ has_more: false, next_cursor: null });
  expect(all.batches[0]).toMatchObject({
    status: 'completed',
    query: 'find 2 cars',
    mode: 'thinking',
    videos: [],
    aggregated_progress: { total: 1, completed: 1, failed: 0 },
    event_count: 2,
  });
  const first = await list('?limit=2');
  expect([first.batches.length, first.has_more]).toEqual([2, true]);
  const second = await list(`?limit=2&cursor=${first.next_cursor}`);
  expect([...first.batches, ...second.batches].map(({ batch_id }) => batch_id)).toEqual(ids);

  expect((await list('?scope=org')).batches.map(({ batch_id }) => batch_id)).toEqual([ids[1]]);
  expect((await list('?status=failed')).batches).toEqual([]);
  expect((await list('', 'carol')).batches.map(({ batch_id }) => batch_id)).toEqual([ids[1]]);
  expect((await list('', 'bob')).batches).toEqual([]);
  expect(await on.api.call('GET', '/api/batches?cursor=x', { key: 'alice' })).toMatchObject({
    status: 400,
    json: { error: 'cursor_invalid' },
  });
});

test('analyses of a video are listed newest first, without their documents', async () => {
  const on = await world.node();
  const video = await world.video();
  const [one, two] = [await askAndFollow(on, { video_id: video }), await askAndFollow(on, { video_id: video })];
  const path = `/api/videos/${video}/analyses`;
  const { json } = await on.api.call('GET', path, { key: 'alice' });
  expect(json.analyses).toMatchObject([
    { batch_id: two.batchId, video_id: video, status: 'COMPLETED', event_count: 2, answer: 'Found 2.', progress: 100 },
    { batch_id: one.batchId, problem_code: null, stage: null, query: 'find 2 cars' },
  ]);
  const page = await on.api.call('GET', `${path}?limit=1`, { key: 'alice' });
  const rest = await on.api.call('GET', `${path}?limit=1&cursor=${page.json.next_cursor}`, { key: 'alice' });
  expect([page.json.has_more, rest.json.has_more]).toEqual([true, false]);
  expect(rest.json.analyses).toMatchObject([{ batch_id: one.batchId }]);
  expect((await on.api.call('GET', path, { key: 'bob' })).json.error).toBe('video_forbidden');
});

test('a canceled batch ends its running analyses, its jobs and its stream; ended ones keep their documents', async () => {
  const engine = createTestEngine();
  const on = await world.node({ engine });
  const [done, stuck] = [await world.video(), await world.video()];
  // The first is answered; the second waits for its video.
  await world.database.db
    .updateTable('videos')
    .set({ status: 'PREPARE_IN_PROGRESS' })
    .where('id', '=', stuck)
    .execute();
  const { json: started } = await ask(on.api, { video_ids: [done, stuck], min_confidence: 0.7 });
  const status = async () => (await on.api.call('GET', `/api/batch/${started.batch_id}/status`, { key: 'alice' })).json;
  await expect.poll(async () => (await status()).aggregated_progress).toMatchObject({ completed: 1 });

  const cancel = (key = 'alice') => on.api.call('POST', `/api/batch/${started.batch_id}/cancel`, { key });
  expect((await cancel('bob')).json.error).toBe('batch_forbidden');
  const canceled = await cancel();
  expect(canceled).toMatchObject({
    status: 200,
    json: {
      status: 'cancelled',
      aggregated_progress: { total: 2, completed: 2, failed: 1 },
      videos: [
        { video_id: done, status: 'completed', last_error: null },
        { video_id: stuck, status: 'failed', last_error: 'The analysis was canceled with its batch.' },
      ],
    },
  });
  expect((await cancel()).json).toEqual(canceled.json);
  const events = await readEvents(await openStream(on.api, String(started.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'cancelled', failed: 1 });
  const { json: again } = await on.api.call('GET', `/api/videos/${done}/analyses`, { key: 'alice' });
  expect(again.analyses).toMatchObject([{ status: 'COMPLETED', event_count: 2 }]);

  // The arrival of the video restarts nothing.
  await world.database.db.updateTable('videos').set({ status: 'UPLOADED' }).where('id', '=', stuck).execute();
  const retry = (key = 'alice') => on.api.call('POST', `/api/batch/${started.batch_id}/retry`, { key });
  expect((await retry('bob')).json.error).toBe('batch_forbidden');
  const { json: second } = await retry();
  expect(second).toMatchObject({ status: 'processing', total: 1 });
  const ended = await readEvents(await openStream(on.api, String(second.stream_id)));
  expect(last(ended)).toMatchObject({ event: 'done', status: 'completed', total: 1 });
  const { json: created } = await on.api.call('GET', `/api/batch/${second.batch_id}/status`, { key: 'alice' });
  expect(created).toMatchObject({
    query: 'find 2 cars',
    videos: [{ video_id: stuck, status: 'completed' }],
    config: { retry_of: started.batch_id, mode: 'thinking' },
  });
  const { json: document } = await on.api.call('GET', `/api/video/${stuck}/analysis`, { key: 'alice' });
  expect(document).toMatchObject({ analysis: { min_confidence: 0.7, status: 'COMPLETED' } });
  const nothing = await on.api.call('POST', `/api/batch/${second.batch_id}/retry`, { key: 'alice' });
  expect(nothing).toMatchObject({ status: 409, json: { error: 'nothing_to_retry' } });
});

test('a batch is canceled while its analysis runs on another node, which stops', async () => {
  const engine = createTestEngine();
  let stopped = false;
  const observe = engine.observe;
  engine.gate = new Promise(() => {});
  engine.observe = (...args) =>
    observe(...args).catch((error) => {
      stopped = true;
      throw error;
    });
  await world.node({ engine });
  const other = await world.node({ worker: false });
  const video = await world.video();
  const { json: started } = await ask(other.api, { video_id: video });
  await expect.poll(() => engine.observed).toBe(1);
  const { json } = await other.api.call('POST', `/api/batch/${started.batch_id}/cancel`, { key: 'alice' });
  expect(json).toMatchObject({ status: 'cancelled', videos: [{ status: 'failed' }] });
  await expect.poll(() => stopped).toBe(true);
  const { json: later } = await other.api.call('GET', `/api/videos/${video}/analyses`, { key: 'alice' });
  expect(later.analyses).toMatchObject([{ status: 'FAILED', problem_code: 'analysis_cancelled' }]);
});

test('a deleted analysis is removed with its images, leaves its batch, and is in the audit log', async () => {
  const engine = createTestEngine();
  const on = await world.node({ engine });
  const [done, stuck] = [await world.video({ scope: 'org' }), await world.video({ scope: 'org' })];
  const set = { status: 'PREPARE_IN_PROGRESS' };
  await world.database.db.updateTable('videos').set(set).where('id', '=', stuck).execute();
  const { json: started } = await ask(on.api, { video_ids: [done, stuck] });
  const call = (method: string, path: string, key = 'alice') => on.api.call(method, path, { key });
  const status = async () => (await call('GET', `/api/batch/${started.batch_id}/status`)).json;
  await expect.poll(async () => (await status()).aggregated_progress).toMatchObject({ completed: 1 });
  const [ended, running] = ((await status()).videos as { analysis_id: string }[]).map((each) => each.analysis_id);
  const path = `/api/videos/${done}/analyses/${ended}`;
  const { json: document } = await call('GET', path);
  const [, image] = /"(http:\/\/public[^"]*evidence[^"]*)"/.exec(JSON.stringify(document))!;
  const imagePath = image!.slice('http://public'.length);

  // A colleague reads it, but does not delete it.
  expect((await call('GET', path, 'carol')).status).toBe(200);
  for (const key of ['carol', 'bob']) expect((await call('DELETE', path, key)).json.error).toBe('analysis_forbidden');
  expect((await call('DELETE', `/api/videos/${stuck}/analyses/${ended}`)).json.error).toBe('analysis_not_found');
  expect(await call('DELETE', path)).toMatchObject({ status: 200, json: { status: 'deleted', analysis_id: ended } });
  for (const method of ['GET', 'DELETE']) {
    expect(await call(method, path)).toMatchObject({ status: 404, json: { error: 'analysis_not_found' } });
  }
  expect((await on.api.call('GET', imagePath)).status).toBe(404);
  expect(await status()).toMatchObject({
    status: 'processing',
    aggregated_progress: { total: 1, completed: 0, failed: 0 },
    videos: [{ analysis_id: running }],
  });
  const entries = await world.database.db
    .selectFrom('auditEvents')
    .select(['userId', 'detail'])
    .where('action', '=', 'analysis.deleted')
    .where('outcome', '=', 'succeeded')
    .where('subjectId', '=', ended!)
    .execute();
  expect(entries).toEqual([{ userId: 'u-alice', detail: { video_id: done, query: 'find 2 cars' } }]);

  // A running one is canceled: its stream ends, and the batch goes with its last analysis.
  expect((await call('DELETE', `/api/videos/${stuck}/analyses/${running}`)).status).toBe(200);
  expect((await call('GET', `/api/batch/${started.batch_id}/status`)).json.error).toBe('batch_not_found');
  const left = await world.database.db
    .selectFrom('streams')
    .select('closedAt')
    .where('id', '=', started.stream_id as string)
    .execute();
  expect(left).toEqual([{ closedAt: expect.any(Date) }]);
});
