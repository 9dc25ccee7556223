// Dry run of a query: how it is understood and what it would cost. Nothing is stored.
import { expect, test } from 'vitest';
import { askAndFollow, createWorld } from './world.fixture.ts';

const world = createWorld();

test('a preview states the interpretation, the parts, the plan and the cost, and stores nothing', async () => {
  const { api, engine } = await world.node();
  const [first, second] = [await world.video(), await world.video()];
  const preview = (body: object, key = 'alice') =>
    api.call('POST', '/api/router/v2/query/plan', { key, json: { query: 'find 2 cars', ...body } });

  const { status, json } = await preview({ video_ids: [first, second] });
  expect(status).toBe(200);
  expect(json).toEqual({
    interpretation: 'Understood as: find 2 cars.',
    plan: { query: 'find 2 cars', count: 2, corrected: [] },
    min_confidence: 0.5,
    parts: [{ text: 'a car', status: 'looked_for', by: ['signals'], reason: null }],
    corrected: [],
    suggestions: [],
    total_videos: 2,
    observed_videos: 0,
    estimated_seconds: Math.ceil(120 / 9.5),
    estimated_vision_tokens: 0,
    estimated_vision_calls: 0,
    estimated_vision_cost: 0,
  });
  expect((await preview({ video_ids: [first, second], mode: 'fast' })).json.estimated_seconds).toBe(2);
  expect((await preview({})).json).toMatchObject({ total_videos: 0, estimated_seconds: 0 });
  expect((await preview({ video_id: first }, 'reader')).status).toBe(200);
  expect(engine.observed).toBe(0);
  const { rows } = await countAnalyses();
  expect(rows).toBe(0);
});

test('videos that were observed cost nothing more', async () => {
  const node = await world.node();
  const [observed, other] = [await world.video(), await world.video()];
  await askAndFollow(node, { video_id: observed });
  const { json } = await node.api.call('POST', '/api/router/v2/query/plan', {
    key: 'alice',
    json: { query: 'find 2 cars', video_ids: [observed, other] },
  });
  expect(json).toMatchObject({ total_videos: 2, observed_videos: 1, estimated_seconds: Math.ceil(60 / 9.5) });
});

test('a preview refuses what the query would refuse', async () => {
  const { api } = await world.node();
  const foreign = await world.video({ org: 'o-two', owner: 'u-bob' });
  const preview = (json: object) => api.call('POST', '/api/router/v2/query/plan', { key: 'alice', json });
  expect(await preview({ query: ' ' })).toMatchObject({ status: 400, json: { error: 'query_empty' } });
  expect(await preview({ query: 'x', plan: { count: 'two' } })).toMatchObject({ json: { error: 'plan_invalid' } });
  expect(await preview({ query: 'x', video_id: foreign })).toMatchObject({ json: { error: 'video_forbidden' } });
  expect(await preview({ query: 'x', video_id: 'none' })).toMatchObject({ status: 404 });
});

async function countAnalyses() {
  const found = await world.database.db.selectFrom('analyses').select('id').execute();
  return { rows: found.length };
}
