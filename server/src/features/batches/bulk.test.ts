import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { people } from './node.fixture.ts';
import { answer, createWorld } from './world.fixture.ts';

const world = createWorld();

test('of requests under one name at once, one makes the batch', async () => {
  const on = await world.node({ worker: false });
  const query = { query: 'find 2 cars', video_id: await world.video() };
  const start = () => on.batches.start(people.alice!, query, { mode: 'thinking', clientId: 'mine' });
  const answers = await Promise.all(Array.from({ length: 6 }, start));
  expect(new Set(answers.map(({ batch_id }) => batch_id)).size).toBe(1);
});

test('documents of any size are read and sent some at a time', async () => {
  const on = await world.node();
  const ids = await Promise.all(Array.from({ length: 6 }, () => world.video()));
  const { batchId } = await answer(on, { video_ids: ids });
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

test('half a character in a question or a note is the client’s mistake', async () => {
  const { api } = await world.node({ worker: false });
  const send = (path: string, body: string) =>
    api.call('POST', path, { key: 'alice', body, headers: { 'content-type': 'application/json' } });
  const videoId = await world.video();
  const half = String.raw`\ud800`;
  const asked = await send('/api/router/v2/query/start', `{"query":"a ${half} car","video_id":"${videoId}"}`);
  expect([asked.status, asked.json.error], asked.text).toEqual([400, 'request_invalid']);
  const started = await send('/api/router/v2/query/start', `{"query":"a car","video_id":"${videoId}"}`);
  const note = JSON.stringify({ metadata: `{"name":"${half}"}` });
  const noted = await send(`/api/batch/${started.json.batch_id}/metadata`, note);
  expect([noted.status, noted.json.error], noted.text).toEqual([400, 'request_invalid']);
});
