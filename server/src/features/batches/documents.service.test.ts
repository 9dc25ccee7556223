import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { people } from './node.fixture.ts';
import { askAndFollow, createWorld } from './world.fixture.ts';

const world = createWorld();

test('concurrent requests with one client id create one batch', async () => {
  const on = await world.node({ worker: false });
  const query = { query: 'find 2 cars', videoId: await world.video() };
  const start = () => on.batches.start(people.alice!, query, { mode: 'thinking', clientId: 'mine' });
  const answers = await Promise.all(Array.from({ length: 6 }, start));
  expect(new Set(answers.map(({ batchId }) => batchId)).size).toBe(1);
});

test('documents of any size are streamed in chunks', async () => {
  const on = await world.node();
  const ids = await Promise.all(Array.from({ length: 6 }, () => world.video()));
  const { batchId } = await askAndFollow(on, { video_ids: ids });
  const noise = sql`(select string_agg(md5(random()::text), '') from generate_series(1, 40000))`;
  await sql`update analyses set document = json_build_object('analysis', json_build_object('noise', ${noise}))
    where batch_id = ${batchId}`.execute(world.database.db);
  const pieces: string[] = [];
  for await (const piece of await on.batches.bulk(people.alice!, batchId, ids, false)) pieces.push(piece);
  const { analyses } = JSON.parse(pieces.join('')) as { analyses: object[] };
  expect(analyses).toHaveLength(6);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(4_000_000);
  const bulk = await on.api.call('POST', `/api/batch/${batchId}/analyses/bulk`, {
    key: 'alice',
    json: { video_ids: [...ids, 'unknown'] },
  });
  expect(bulk.text.length).toBeGreaterThan(7_000_000);
  expect(bulk.json.unresolved_video_ids).toEqual(['unknown']);
});

test('a lone surrogate in a query or in metadata is refused', async () => {
  const { api } = await world.node({ worker: false });
  const send = (path: string, body: string) =>
    api.call('POST', path, { key: 'alice', body, headers: { 'content-type': 'application/json' } });
  const videoId = await world.video();
  const half = String.raw`\ud800`;
  const response = await send('/api/router/v2/query/start', `{"query":"a ${half} car","video_id":"${videoId}"}`);
  expect([response.status, response.json.error], response.text).toEqual([400, 'request_invalid']);
  const started = await send('/api/router/v2/query/start', `{"query":"a car","video_id":"${videoId}"}`);
  const note = JSON.stringify({ metadata: `{"name":"${half}"}` });
  const noted = await send(`/api/batch/${started.json.batch_id}/metadata`, note);
  expect([noted.status, noted.json.error], noted.text).toEqual([400, 'request_invalid']);
});
