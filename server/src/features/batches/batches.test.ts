import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#platform/db/index';
import { newId } from '#platform/ids';
import { Problem } from '#platform/problem';
import { createSecrets } from '#platform/secrets/index';
import { createTestDatabase } from '#test/database';
import type { Client } from '#test/http';
import { createNode, createTestEngine, log, type TestNode } from './node.fixture.ts';
import { readEvents, type SseEvent, streamOf } from './sse.fixture.ts';

let made: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let nodes: TestNode[] = [];
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'batches '));
  made = await createTestDatabase();
  database = openDatabase(made.connection, log);
  for (const org of ['o-one', 'o-two']) {
    await database.db.insertInto('organizations').values({ id: org, name: org }).execute();
  }
  for (const [id, org_id] of [
    ['u-alice', 'o-one'],
    ['u-carol', 'o-one'],
    ['u-bob', 'o-two'],
  ] as const) {
    await database.db
      .insertInto('users')
      .values({ id, org_id, email: `${id}@example.com`, name: id, role: 'member' })
      .execute();
  }
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  nodes = [];
  await sql`truncate pgboss.job`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await made.drop();
  await rm(dir, { recursive: true });
});

async function node(options: Parameters<typeof createNode>[2] = {}): Promise<TestNode> {
  const created = await createNode(made.connection, dir, options);
  nodes.push(created);
  return created;
}

async function video(overrides: { scope?: 'user' | 'org'; status?: string; org?: string; owner?: string } = {}) {
  const id = newId();
  await database.db
    .insertInto('videos')
    .values({
      id,
      org_id: overrides.org ?? 'o-one',
      owner_id: overrides.owner ?? 'u-alice',
      scope: overrides.scope ?? 'user',
      name: 'drive.mp4',
      source: 'file',
      source_uri: `s3://bucket/${id}.mp4`,
      status: overrides.status ?? 'UPLOADED',
      storage_key: `videos/${id}/original`,
      duration_s: 60,
    })
    .execute();
  const file = join(dir, 'videos', id, 'original');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, 'not looked at');
  return id;
}

const ask = (api: Client, json: object, key = 'alice') =>
  api.call('POST', '/api/router/v2/query/start', { key, json: { query: 'find 2 cars', ...json } });

/** Asks, and follows the stream to its end. */
async function answer(on: TestNode, json: object) {
  const { json: started } = await ask(on.api, json);
  const events = await readEvents(await streamOf(on.api, String(started.stream_id)));
  return { batchId: String(started.batch_id), streamId: String(started.stream_id), events };
}

const last = (events: SseEvent[]) => events.at(-1)!.data;
const ended = (events: SseEvent[]) => events.find((e) => e.event === 'video_completed')!.data;

test('a question is answered: stream, status, document, evidence picture, batch, bulk', async () => {
  const { api } = await node();
  const videoId = await video();
  const { batchId, streamId, events } = await answer(nodes[0]!, { video_id: videoId });

  expect(events.map((e) => e.id)).toEqual(events.map((_, i) => i + 1));
  expect(events[0]).toMatchObject({ event: 'batch_created', data: { event: 'batch_created', batch_id: batchId } });
  expect(events.filter((e) => e.event === 'finding').map((e) => (e.data.finding as { label: string }).label)).toEqual([
    'red car 0',
    'red car 1',
  ]);
  const progress = events.filter((e) => e.event === 'progress').map((e) => e.data.progress as number);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(last(events)).toMatchObject({ event: 'done', batch_id: batchId, status: 'completed', completed: 1, total: 1 });
  const analysisId = String(ended(events).analysis_id);

  const status = await api.call('GET', `/api/videos/${videoId}/analyses/${analysisId}/status`, { key: 'reader' });
  expect(status.json).toMatchObject({ status: 'COMPLETED', analysis_id: analysisId, progress: 100, stage: null });
  expect(status.json.events).toHaveLength(2);

  const { json: document } = await api.call('GET', `/api/videos/${videoId}/analyses/${analysisId}`, { key: 'alice' });
  expect(document).toMatchObject({
    video_id: videoId,
    analysis_id: analysisId,
    filename: 'drive.mp4',
    analysis: {
      status: 'COMPLETED',
      query: 'find 2 cars',
      answer: 'Found 2.',
      engine_version: 'test-1',
      plan: { count: 2 },
      coverage: [{ text: 'a car', status: 'looked_for' }],
      events: [{ type: 'object', time: 't=0.340', end_time: 't=1.500', approval: 'pending', start_s: 0.34 }, {}],
    },
    metadata: { duration_s: 60, visual_analysis: { status: { status: 'COMPLETED' } } },
    events: [{ label: 'red car 0', t_start: '00:00', t_end: '00:01', start_pts: 30_600, time_base: [1, 90_000] }, {}],
  });
  const latest = await api.call('GET', `/api/video/${videoId}/analysis`, { key: 'alice' });
  expect(latest.json.analysis_id).toBe(analysisId);

  const stored = (document.analysis as { events: { data: { annotated_thumbnail_url: string } }[] }).events;
  const url = new URL(stored[1]!.data.annotated_thumbnail_url);
  expect(url.origin).toBe('http://public');
  const picture = (token: string) => api.call('GET', `${url.pathname}?token=${token}`);
  const token = url.searchParams.get('token')!;
  expect(await picture(token)).toMatchObject({ status: 200, text: 'jpeg of 2.34' });
  expect(await picture(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toMatchObject({
    status: 403,
    json: { error: 'evidence_token_invalid' },
  });
  const expired = createSecrets('s'.repeat(32)).sign('evidence', analysisId, new Date(Date.now() - 2000));
  expect(await picture(expired)).toMatchObject({ status: 403, json: { error: 'evidence_token_expired' } });
  const missing = await api.call('GET', `/api/evidence/${analysisId}/999-0.jpg?token=${token}`);
  expect(missing).toMatchObject({ status: 404, json: { error: 'evidence_not_found' } });

  const batch = await api.call('GET', `/api/batch/${batchId}/status`, { key: 'alice' });
  expect(batch.json).toMatchObject({
    batch_id: batchId,
    stream_id: streamId,
    status: 'completed',
    aggregated_progress: { total: 1, completed: 1, failed: 0 },
    videos: [{ video_id: videoId, analysis_id: analysisId, status: 'completed', last_error: null }],
    config: { analysis_kind: 'rapid_review', prompt: 'find 2 cars' },
  });
  const bulk = await api.call('POST', `/api/batch/${batchId}/analyses/bulk?include_source_uri=true`, {
    key: 'alice',
    json: { video_ids: [videoId, videoId, 'unknown'] },
  });
  expect(bulk.json).toMatchObject({
    analyses: [{ import_source_uri: `s3://bucket/${videoId}.mp4`, analysis_id: analysisId, events: [{}, {}] }],
    unresolved_video_ids: ['unknown'],
    not_found_analysis_ids: [],
  });
});

test('the second question on a video decodes nothing, and fast mode answers the same way', async () => {
  const { api, engine } = await node();
  const videoId = await video();
  await answer(nodes[0]!, { video_id: videoId });
  const begun = performance.now();
  const fast = await api.call('POST', '/api/router/query', {
    key: 'alice',
    json: { query: '3', video_id: videoId, prefer_fast: true, quick_analysis: true, use_thinking: false },
  });
  const events = await readEvents(await streamOf(api, String(fast.json.stream_id)));
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(ended(events)).toMatchObject({ status: 'completed', events: 3 });
  expect(engine.observed).toBe(1);
});

test('a client that leaves loses nothing: it resumes anywhere, by either name of the last id', async () => {
  const first = await node();
  const second = await node({ worker: false });
  let open = () => {};
  first.engine.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { json } = await ask(first.api, { query: '5', video_id: await video() });
  const leaving = new AbortController();
  const seen = await readEvents(
    await streamOf(first.api, String(json.stream_id), { signal: leaving.signal }),
    (event) => {
      if (event.event === 'progress') leaving.abort();
    },
  );
  const lastId = seen.at(-1)!.id;
  open();
  const path = `/api/router/v2/query/events/${json.stream_id}`;
  const byQuery = await readEvents(await streamOf(second.api, String(json.stream_id), { lastId }));
  const byHeader = await readEvents(
    await fetch(`${second.api.base}${path}?last_id=0`, {
      headers: { 'x-api-key': 'alice', 'last-event-id': String(lastId) },
    }),
  );
  expect(byHeader).toEqual(byQuery);
  const all = [...seen, ...byQuery];
  expect(all.map((e) => e.id)).toEqual(all.map((_, i) => i + 1));
  expect(all.at(-1)!.event).toBe('done');
  expect(await readEvents(await streamOf(second.api, String(json.stream_id)))).toEqual(all);
  expect((await second.api.call('GET', `${path}?last_id=x`, { key: 'alice' })).json.error).toBe('last_id_invalid');
});

test('the stream endpoint answers in the same response; a repeat with the same key takes the same stream up', async () => {
  const { api } = await node();
  const videoId = await video();
  const stream = (headers = {}) =>
    fetch(`${api.base}/api/router/v2/query/stream`, {
      method: 'POST',
      headers: { 'x-api-key': 'alice', 'content-type': 'application/json', 'idempotency-key': 'k1', ...headers },
      body: JSON.stringify({ query: 'find 2 cars', video_id: videoId, video_ids: null, client_info: 'x' }),
    });
  const [one, two] = await Promise.all([readEvents(await stream()), readEvents(await stream())]);
  expect(one.at(-1)!.event).toBe('done');
  expect(two).toEqual(one);
  expect(await readEvents(await stream({ 'last-event-id': '1' }))).toEqual(one.slice(1));
  const count = await database.db
    .selectFrom('analyses')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('video_id', '=', videoId)
    .executeTakeFirstOrThrow();
  expect(count.n).toBe(1);

  const start = () =>
    api.call('POST', '/api/router/v2/query/start', {
      key: 'alice',
      json: { query: 'x', video_id: videoId },
      headers: { 'idempotency-key': 'k2' },
    });
  const [a, b] = await Promise.all([start(), start()]);
  expect(a.json.batch_id).toBe(b.json.batch_id);
});

test('bad questions are refused with a sentence that names the field', async () => {
  const { api } = await node({ worker: false });
  const id = await video();
  const refused: [object, number, string][] = [
    [{ video_id: id, query: '' }, 400, 'query_empty'],
    [{ video_id: id, query: ' \n ' }, 400, 'query_empty'],
    [{ video_id: id, query: 'x'.repeat(100_000) }, 400, 'query_too_long'],
    [{ video_id: id, query: null }, 400, 'request_invalid'],
    [{ video_id: id, query: 7 }, 400, 'request_invalid'],
    [{}, 400, 'videos_missing'],
    [{ video_ids: [] }, 400, 'videos_missing'],
    [{ video_id: id, video_ids: [id] }, 400, 'videos_ambiguous'],
    [{ video_ids: Array(1001).fill(id) }, 400, 'too_many_videos'],
    [{ video_ids: [1] }, 400, 'request_invalid'],
    [{ video_id: newId() }, 404, 'video_not_found'],
    [{ video_ids: [id, newId()] }, 404, 'video_not_found'],
    [{ video_id: await video({ org: 'o-two', owner: 'u-bob' }) }, 403, 'video_forbidden'],
    [{ video_id: id, plan: {} }, 400, 'plan_invalid'],
  ];
  for (const [json, status, error] of refused) {
    const answer = await ask(api, json);
    expect([answer.status, answer.json.error], JSON.stringify(json).slice(0, 100)).toEqual([status, error]);
    expect(answer.json.detail).toMatch(/[a-z`].*\.$/);
  }
  expect((await ask(api, { video_id: id }, 'reader')).json.error).toBe('scope_missing');
  const many = { video_ids: Array(501).fill(id) };
  const { json } = await ask(api, { video_id: id });
  const bulk = await api.call('POST', `/api/batch/${json.batch_id}/analyses/bulk`, { key: 'alice', json: many });
  expect(bulk.status).toBe(400);
  // A plan that the client sends is followed instead of the words.
  await node();
  const { events } = await answer(nodes[1]!, { video_id: id, plan: { count: 4 } });
  expect(ended(events)).toMatchObject({ events: 4 });
});

test('nobody reads what is not theirs; what an organisation shares, its members read', async () => {
  const on = await node();
  const mine = await video();
  const shared = await video({ scope: 'org' });
  const paths = async (videoId: string) => {
    const { batchId, streamId, events } = await answer(on, { video_id: videoId });
    const analysisId = ended(events).analysis_id;
    return [
      `/api/batch/${batchId}/status`,
      `/api/router/v2/query/events/${streamId}`,
      `/api/videos/${videoId}/analyses/${analysisId}`,
      `/api/videos/${videoId}/analyses/${analysisId}/status`,
    ];
  };
  const statuses = async (key: string, all: string[]) =>
    Promise.all(all.map(async (path) => (await on.api.call('GET', path, { key })).status));
  const minePaths = await paths(mine);
  const sharedPaths = await paths(shared);
  expect(await statuses('alice', minePaths)).toEqual([200, 200, 200, 200]);
  expect(await statuses('carol', minePaths)).toEqual([403, 403, 403, 403]);
  expect(await statuses('bob', minePaths)).toEqual([403, 403, 403, 403]);
  expect(await statuses('carol', sharedPaths)).toEqual([200, 200, 200, 200]);
  expect(await statuses('bob', sharedPaths)).toEqual([403, 403, 403, 403]);
  const unknown = minePaths.map((path) => path.replaceAll(/[0-9a-f]{32}/g, newId()));
  expect(await statuses('alice', unknown)).toEqual([404, 404, 404, 404]);
  expect((await on.api.call('GET', `/api/video/${mine}/analysis`, { key: 'carol' })).status).toBe(404);
});

test('a thousand videos in one request, duplicates among them, are accepted quickly', async () => {
  const { api } = await node({ worker: false });
  const ids = await Promise.all(Array.from({ length: 500 }, () => video()));
  const video_ids = [...ids, ...ids];
  const begun = performance.now();
  const { json, status } = await ask(api, { video_ids });
  const took = performance.now() - begun;
  expect([status, json.total]).toEqual([200, 1000]);
  expect(took).toBeLessThan(3_000);
  const batch = await api.call('GET', `/api/batch/${json.batch_id}/status`, { key: 'alice' });
  expect((batch.json.videos as { video_id: string }[]).map((v) => v.video_id)).toEqual(video_ids);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from pgboss.job where name = 'analyses.run'`.execute(database.db);
  expect(rows[0]!.n).toBe(1000);
});

test('analyses of one video on two nodes observe it once', async () => {
  const engine = createTestEngine();
  let open = () => {};
  engine.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = await node({ engine });
  await node({ engine });
  const id = await video();
  const { json } = await ask(first.api, { video_ids: Array(12).fill(id) });
  await expect.poll(() => engine.observed).toBe(1);
  await sleep(300);
  open();
  const events = await readEvents(await streamOf(first.api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'completed', completed: 12 });
  expect(engine.observed).toBe(1);
});

test('what is wrong with a video fails its analysis at once, with the sentence, and the others of the batch go on', async () => {
  const on = await node();
  on.engine.failure = new Problem({ status: 400, code: 'media_damaged', message: 'The file is damaged after 3 s.' });
  const [bad, unusable] = [await video(), await video({ status: 'UPLOADING_FAILED' })];
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
  const mixed = await answer(on, { video_ids: [unusable, await video()] });
  expect(last(mixed.events)).toMatchObject({ status: 'completed', completed: 2, failed: 1 });
});

test('a surprise is tried again; when it stays, the analysis fails and says nothing of the inside', async () => {
  const on = await node();
  on.engine.failure = new Error('secret path /x');
  const { json } = await ask(on.api, { video_id: await video() });
  const hurry = setInterval(
    () => void sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(database.db),
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
  const on = await node();
  on.engine.gate = new Promise(() => {});
  const { json } = await ask(on.api, { video_id: await video() });
  await expect.poll(() => on.engine.observed).toBe(1);
  // As after the last attempt of a job that killed its worker each time.
  await sql`update pgboss.job set started_on = now() - interval '2 days', retry_limit = retry_count
    where name = 'analyses.run'`.execute(database.db);
  const events = await readEvents(await streamOf(on.api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'failed' });
  expect(ended(events).message).toMatch(/could not be completed/);
});

test('an observation that storage has lost is made again', async () => {
  const on = await node();
  const id = await video();
  await answer(on, { video_id: id });
  await rm(join(dir, 'videos', id, 'observations'), { recursive: true });
  expect(last((await answer(on, { video_id: id })).events)).toMatchObject({ status: 'completed' });
  expect(on.engine.observed).toBe(2);
  await answer(on, { video_id: id });
  expect(on.engine.observed).toBe(2);
});

test('an analysis waits for a video that is still arriving and starts when it is there', async () => {
  const on = await node();
  const id = await video({ status: 'PREPARE_IN_PROGRESS' });
  const { json } = await ask(on.api, { video_id: id });
  const waits = async () =>
    (
      await sql<{
        waits: number;
      }>`select max((data->>'waits')::int) as waits from pgboss.job where name = 'analyses.run'`.execute(database.db)
    ).rows[0]?.waits;
  await expect.poll(waits, { timeout: 10_000 }).toBe(2);
  await database.transaction(async (trx) => {
    await trx.updateTable('videos').set({ status: 'UPLOADED' }).where('id', '=', id).execute();
    await on.events.publish(trx, 'video.ready', { videoId: id, orgId: 'o-one' });
  });
  const begun = performance.now();
  const events = await readEvents(await streamOf(on.api, String(json.stream_id)));
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(last(events)).toMatchObject({ status: 'completed' });
});

async function remove(on: TestNode, id: string): Promise<void> {
  await database.transaction(async (trx) => {
    await trx.updateTable('videos').set({ deleted_at: new Date() }).where('id', '=', id).execute();
    await on.events.publish(trx, 'video.deleted', { videoId: id, orgId: 'o-one' });
  });
}

test('a video deleted while it is analysed ends its analyses with a sentence; one deleted later takes its documents along', async () => {
  const on = await node();
  const done = await video();
  const finished = await answer(on, { video_id: done });
  const { analysis_id: finishedId } = ended(finished.events);
  const path = `/api/videos/${done}/analyses/${finishedId}`;
  const { text } = await on.api.call('GET', path, { key: 'alice' });
  const [picture] = /\/api\/evidence\/[^"]+/.exec(text)!;
  expect((await on.api.call('GET', picture)).status).toBe(200);

  on.engine.gate = new Promise(() => {});
  const id = await video();
  const { json } = await ask(on.api, { video_ids: [id, id] });
  await expect.poll(() => on.engine.observed).toBe(2);
  await remove(on, id);
  const events = await readEvents(await streamOf(on.api, String(json.stream_id)));
  expect(last(events)).toMatchObject({ event: 'done', status: 'failed', failed: 2 });
  expect(ended(events).message).toBe('The video was deleted.');
  const status = await on.api.call('GET', `/api/videos/${id}/analyses/${ended(events).analysis_id}/status`, {
    key: 'alice',
  });
  expect(status.json).toMatchObject({ status: 'FAILED', error: 'video_deleted', events: [] });

  await remove(on, done);
  expect(await on.api.call('GET', path, { key: 'alice' })).toMatchObject({
    status: 404,
    json: { error: 'analysis_gone' },
  });
  await expect.poll(async () => (await on.api.call('GET', picture)).status).toBe(404);
  const bulk = await on.api.call('POST', `/api/batch/${finished.batchId}/analyses/bulk`, {
    key: 'alice',
    json: { video_ids: [done] },
  });
  expect(bulk.json).toEqual({ analyses: [], unresolved_video_ids: [], not_found_analysis_ids: [finishedId] });
  const left = await database.db
    .selectFrom('observations')
    .select('video_id')
    .where('video_id', 'in', [id, done])
    .execute();
  expect(left).toEqual([]);
});

test('a worker that closes hands its analysis on; progress never falls', async () => {
  const first = await node();
  first.engine.gate = new Promise(() => {});
  const { json } = await ask(first.api, { video_id: await video() });
  const reading = readEvents(await streamOf(first.api, String(json.stream_id)));
  await expect.poll(() => first.engine.observed).toBe(1);
  await sleep(700);
  await first.closeJobs();
  const second = await node();
  const events = await reading;
  expect(second.engine.observed).toBe(1);
  const progress = events.filter((e) => e.event === 'progress').map((e) => e.data.progress as number);
  expect(progress.length).toBeGreaterThan(0);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(last(events)).toMatchObject({ status: 'completed' });
});

test('a worker that was frozen while its job was given away changes nothing when it wakes', async () => {
  const frozen = await node({ concurrency: 1 }); // so that it cannot fetch its own job again
  let thaw = () => {};
  frozen.engine.gate = new Promise<void>((resolve) => {
    thaw = resolve;
  });
  const id = await video();
  const { json } = await ask(frozen.api, { video_id: id });
  await expect.poll(() => frozen.engine.observed).toBe(1);
  // What the queue and the lease do about a worker that was not heard of.
  await sql`update pgboss.job set state = 'retry', start_after = now() - interval '1s', priority = 9 where name = 'analyses.run'`.execute(
    database.db,
  );
  await sql`update observations set lease_until = now() - interval '1s' where video_id = ${id}`.execute(database.db);
  const engine = createTestEngine();
  engine.plan = () => ({ query: '', count: 3 }) as never;
  await node({ engine });
  const events = await readEvents(await streamOf(frozen.api, String(json.stream_id)));
  thaw();
  await sleep(500);
  expect(events.filter((e) => e.event === 'video_completed')).toHaveLength(1);
  const after = await readEvents(await streamOf(frozen.api, String(json.stream_id)));
  expect(after).toEqual(events);
  const batch = await frozen.api.call('GET', `/api/batch/${json.batch_id}/status`, { key: 'alice' });
  expect(batch.json.aggregated_progress).toEqual({ total: 1, completed: 1, failed: 0 });
});

test('a worker that is killed loses nothing: the analysis is done elsewhere, told and counted once', async () => {
  const on = await node({ worker: false });
  const child: ChildProcess = fork(
    new URL('worker.fixture.ts', import.meta.url),
    [JSON.stringify({ connection: made.connection, dir })],
    { execArgv: [] },
  );
  try {
    await once(child, 'message');
    const { json } = await ask(on.api, { video_ids: [await video(), await video()] });
    const reading = readEvents(await streamOf(on.api, String(json.stream_id)));
    await once(child, 'message'); // it observes
    child.kill('SIGKILL');
    const killed = performance.now();
    await node();
    const events = await reading;
    expect(performance.now() - killed).toBeLessThan(45_000);
    expect(last(events)).toMatchObject({ event: 'done', status: 'completed', completed: 2, failed: 0 });
    expect(events.filter((e) => e.event === 'video_completed')).toHaveLength(2);
    expect(events.filter((e) => e.event === 'finding')).toHaveLength(4);
    const progress = (id: unknown) =>
      events.filter((e) => e.event === 'progress' && e.data.video_id === id).map((e) => e.data.progress as number);
    for (const { data } of events.filter((e) => e.event === 'video_completed')) {
      const told = progress(data.video_id);
      expect(told).toEqual([...told].sort((a, b) => a - b));
    }
  } finally {
    child.kill('SIGKILL');
  }
});
