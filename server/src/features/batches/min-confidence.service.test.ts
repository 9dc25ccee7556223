// Possible events below the requested confidence: listed apart, and in no count, stream, search or filter.
import { expect, test } from 'vitest';
import { askAndFollow, completion, createWorld } from './world.fixture.ts';

const world = createWorld();

type Listed = { event_id: string; caveats: string[]; data: { confidence: number; annotated_thumbnail_url: string } };

test('events below min_confidence are candidates in the document and nowhere else', async () => {
  const on = await world.node();
  const { api } = on;
  const videoId = await world.video();
  const { batchId, events } = await askAndFollow(on, { video_id: videoId, min_confidence: 0.9 });
  expect(events.filter((event) => event.event === 'finding')).toEqual([]);
  expect(completion(events)).toMatchObject({ events: 0, candidates: 2 });

  const analysisId = String(completion(events).analysis_id);
  const path = `/api/videos/${videoId}/analyses/${analysisId}`;
  const { json: document } = await api.call('GET', path, { key: 'alice' });
  expect(document).toMatchObject({
    analysis: { events: [], min_confidence: 0.9, candidates: [{ description: 'red car 0', caveats: [] }, {}] },
    events: [],
    candidates: [{ label: 'red car 0', confidence: 0.8, caveats: [], t_start: '00:00' }, { label: 'red car 1' }],
  });
  const [first, second] = (document.analysis as { candidates: Listed[] }).candidates;
  expect([first!.event_id, second!.event_id]).toEqual([`${analysisId}-c0`, `${analysisId}-c1`]);
  const image = new URL(second!.data.annotated_thumbnail_url);
  expect(image.pathname).toBe(`/api/evidence/${analysisId}/c001-0.jpg`);
  expect(await api.call('GET', image.pathname + image.search)).toMatchObject({ status: 200, text: 'jpeg at 3' });
  const none = await api.call('GET', `/api/evidence/${analysisId}/001-0.jpg${image.search}`);
  expect(none.status).toBe(404);

  expect((await api.call('GET', `${path}/status`, { key: 'alice' })).json.events).toEqual([]);
  const filtered = await api.call('POST', `/api/batch/${batchId}/filter_batch`, {
    key: 'alice',
    json: { filter: ['pending'] },
  });
  expect(filtered.json.results).toEqual([]);
});

test('the default is 0.5, and every query operation takes another', async () => {
  const on = await world.node();
  const { api } = on;
  const videoId = await world.video();
  const { events } = await askAndFollow(on, { video_id: videoId });
  expect(completion(events)).toMatchObject({ events: 2, candidates: 0 });
  const analysisId = String(completion(events).analysis_id);
  const { json } = await api.call('GET', `/api/videos/${videoId}/analyses/${analysisId}`, { key: 'alice' });
  expect(json).toMatchObject({ analysis: { min_confidence: 0.5, candidates: [] }, candidates: [] });

  const operations = ['/api/router/v2/query/start', '/api/router/query', '/api/router/v2/query/plan'];
  for (const path of [...operations, '/api/router/v2/query/stream']) {
    for (const min_confidence of [-0.1, 1.1, 'high']) {
      const body = { query: 'find 2 cars', video_id: videoId, min_confidence };
      expect(await api.call('POST', path, { key: 'alice', json: body }), path).toMatchObject({ status: 400 });
    }
    if (path.endsWith('stream')) continue;
    const body = { query: 'find 2 cars', video_id: videoId, min_confidence: 0.7 };
    expect((await api.call('POST', path, { key: 'alice', json: body })).status, path).toBe(200);
  }
  const preview = { query: 'find 2 cars', min_confidence: 0.7 };
  const { json: planned } = await api.call('POST', '/api/router/v2/query/plan', { key: 'alice', json: preview });
  expect(planned.min_confidence).toBe(0.7);
});
