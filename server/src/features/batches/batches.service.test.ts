import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { openStream, readEvents } from './sse.fixture.ts';
import { ask, askAndFollow, completion, createWorld, last, progressValues } from './world.fixture.ts';

const world = createWorld();

test('a query is answered: stream, status, document, evidence frame, batch, bulk', async () => {
  const on = await world.node();
  const { api } = on;
  const videoId = await world.video();
  const { batchId, streamId, events } = await askAndFollow(on, { video_id: videoId });

  expect(events.map((e) => e.id)).toEqual(events.map((_, i) => i + 1));
  expect(events[0]).toMatchObject({
    event: 'batch_created',
    data: { event: 'batch_created', batch_id: batchId, interpretation: expect.stringMatching(/^Understood as: /) },
  });
  expect(events.filter((e) => e.event === 'finding').map((e) => (e.data.finding as { label: string }).label)).toEqual([
    'red car 0',
    'red car 1',
  ]);
  const progress = progressValues(events);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(last(events)).toMatchObject({ event: 'done', batch_id: batchId, status: 'completed', completed: 1, total: 1 });
  const analysisId = String(completion(events).analysis_id);
  expect(last(events)).toMatchObject({ analysis_ids: [analysisId], answer: expect.any(String) });

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
  expect(await picture(token)).toMatchObject({ status: 200, text: 'jpeg at 3' });
  expect(await picture(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toMatchObject({
    status: 403,
    json: { error: 'evidence_token_invalid' },
  });
  const expired = on.secrets.sign('evidence', analysisId, new Date(Date.now() - 2000));
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

test('the second query on a video decodes nothing, and fast mode gives the same answer', async () => {
  const on = await world.node();
  const { api, engine } = on;
  const videoId = await world.video();
  await askAndFollow(on, { video_id: videoId });
  const fast = await api.call('POST', '/api/router/query', {
    key: 'alice',
    json: { query: '3', video_id: videoId, prefer_fast: true, quick_analysis: true, use_thinking: false },
  });
  const events = await readEvents(await openStream(api, String(fast.json.stream_id)));
  expect(completion(events)).toMatchObject({ status: 'completed', events: 3 });
  expect(engine.observed).toBe(1);
});

test('a client that disconnects resumes on any node, by `last_id` or `Last-Event-ID`', async () => {
  const first = await world.node();
  const second = await world.node({ worker: false });
  let open = () => {};
  first.engine.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { json } = await ask(first.api, { query: '5', video_id: await world.video() });
  const leaving = new AbortController();
  const seen = await readEvents(
    await openStream(first.api, String(json.stream_id), { signal: leaving.signal }),
    (event) => {
      if (event.event === 'progress') leaving.abort();
    },
  );
  const lastId = seen.at(-1)!.id;
  open();
  const path = `/api/router/v2/query/events/${json.stream_id}`;
  const byQuery = await readEvents(await openStream(second.api, String(json.stream_id), { lastId }));
  const byHeader = await readEvents(
    await fetch(`${second.api.base}${path}?last_id=0`, {
      headers: { 'x-api-key': 'alice', 'last-event-id': String(lastId) },
    }),
  );
  expect(byHeader).toEqual(byQuery);
  const all = [...seen, ...byQuery];
  expect(all.map((e) => e.id)).toEqual(all.map((_, i) => i + 1));
  expect(all.at(-1)!.event).toBe('done');
  expect(await readEvents(await openStream(second.api, String(json.stream_id)))).toEqual(all);
  expect((await second.api.call('GET', `${path}?last_id=x`, { key: 'alice' })).json.error).toBe('last_id_invalid');
});

test('the stream endpoint answers in the same response; a repeat with the same key resumes the stream', async () => {
  const { api } = await world.node();
  const videoId = await world.video();
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
  const count = await world.database.db
    .selectFrom('analyses')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('videoId', '=', videoId)
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

test('invalid queries are refused with a message that names the field', async () => {
  const { api } = await world.node({ worker: false });
  const id = await world.video();
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
    [{ video_id: await world.video({ org: 'o-two', owner: 'u-bob' }) }, 403, 'video_forbidden'],
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
  const { events } = await askAndFollow(await world.node(), { video_id: id, plan: { count: 4 } });
  expect(completion(events)).toMatchObject({ events: 4 });
});

test('batches are readable by their owner, and shared ones by the organization', async () => {
  const on = await world.node();
  const mine = await world.video();
  const shared = await world.video({ scope: 'org' });
  const paths = async (videoId: string) => {
    const { batchId, streamId, events } = await askAndFollow(on, { video_id: videoId });
    const analysisId = completion(events).analysis_id;
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
  expect(await statuses('admin', minePaths)).toEqual([200, 200, 200, 200]);
  expect(await statuses('carol', sharedPaths)).toEqual([200, 200, 200, 200]);
  expect(await statuses('bob', sharedPaths)).toEqual([403, 403, 403, 403]);
  const unknown = minePaths.map((path) => path.replaceAll(/[0-9a-f]{32}/g, newId()));
  expect(await statuses('alice', unknown)).toEqual([404, 404, 404, 404]);
  expect((await on.api.call('GET', `/api/video/${mine}/analysis`, { key: 'carol' })).status).toBe(403);
});

test('a thousand videos in one request, with duplicates, are accepted', async () => {
  const { api } = await world.node({ worker: false });
  const ids = await Promise.all(Array.from({ length: 500 }, () => world.video()));
  const video_ids = [...ids, ...ids];
  const { json, status } = await ask(api, { video_ids });
  expect([status, json.total]).toEqual([200, 1000]);
  const batch = await api.call('GET', `/api/batch/${json.batch_id}/status`, { key: 'alice' });
  expect((batch.json.videos as { video_id: string }[]).map((v) => v.video_id)).toEqual(video_ids);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from pgboss.job where name = 'analyses.run'`.execute(world.database.db);
  expect(rows[0]!.n).toBe(1000);
});
