// The forms of older clients, sent as those clients send them, on a clip with known events.
import { openAsBlob } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '#platform/ids';
import { startTestApp, type TestApp } from '#test/app';
import { sceneClip } from '#test/media/clips';
import { toQuery } from './forms/agent-queries.ts';

const WAIT = { timeout: 60_000, interval: 200 };
const KEY = 'sk_legacylegacylegacylegacylegacylegacy01';
let app: TestApp;
let videoId: string;

beforeAll(async () => {
  app = await startTestApp({ SIGHTLINE_BOOTSTRAP_KEY: KEY });
  videoId = await upload('scene.mp4', { folder_id: await folder('fleet') });
});
afterAll(() => app?.close());

const get = async (path: string) => (await app.api.call('GET', path, { key: KEY })).json as never;
const send = (path: string, json: object) => app.api.call('POST', path, { key: KEY, json });

async function folder(name: string): Promise<string> {
  return String((await send('/api/folders/create-or-get', { name, scope: 'user' })).json.id);
}

async function upload(name: string, fields: Record<string, string> = {}): Promise<string> {
  const body = new FormData();
  for (const [field, value] of Object.entries({ source: 'file', ...fields })) body.set(field, value);
  body.set('file', await openAsBlob(await sceneClip()), name);
  const { json } = await app.api.call('POST', '/api/upload-video', { key: KEY, body });
  return String(json.video_id);
}

/** Url-encoded, as older clients send forms; a field with several values is repeated. */
function form(path: string, fields: Record<string, string | string[]>) {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each])),
  );
  return app.api.call('POST', path, { key: KEY, body });
}

type Batch = {
  status: string;
  config: Record<string, unknown>;
  videos: { analysis_id: string }[];
  aggregated_progress: { total: number };
};

async function endOf(batchId: unknown): Promise<Batch> {
  const status = () => get(`/api/batch/${batchId}/status`) as Promise<Batch>;
  return vi.waitUntil(async () => ((await status()).status === 'completed' ? status() : false), WAIT);
}

type Analysis = { status: string; answer: string; events: { edgeCaseValidated: string; description: string }[] };

async function statusOf(analysisId: unknown): Promise<Analysis> {
  const path = `/api/videos/${videoId}/analyses/${analysisId}/status`;
  return vi.waitUntil(async () => {
    const found = (await get(path)) as Analysis;
    return found.status === 'COMPLETED' && found;
  }, WAIT);
}

test('a batch is created by form, once for each identifier of the client', async () => {
  const second = await upload('again.mp4');
  const fields = {
    video_ids: [videoId, second],
    analysis_kind: 'rapid_review',
    prompt: 'the picture gets dark',
    category: 'driving',
    concepts_json: '[]',
    config: 'default',
    confidence: 'low',
    is_thumbnail: 'true',
    use_enhanced_motion_analysis: 'false',
    start: 'true',
    client_batch_id: 'f00dfeedf00dfeedf00dfeedf00dfeed',
  };
  const made = await form('/api/create-batch', fields);
  expect(made).toMatchObject({ status: 200, json: { status: 'processing' } });
  const repeated = await form('/api/create-batch', fields);
  expect(repeated.json.batch_id).toBe(made.json.batch_id);
  const batch = await endOf(made.json.batch_id);
  expect(batch.aggregated_progress.total).toBe(2);
  expect(batch.config).toMatchObject({ analysis_kind: 'rapid_review', category: 'driving' });
  const { events } = await statusOf(batch.videos[0]!.analysis_id);
  expect(events.map(({ description }) => description)).toEqual(['picture is dark']);
});

test('one video is queried by form; its status has the answer and the events, and the thumbnails can be fetched', async () => {
  const question = 'security-----------EVENT_DESCRIPTION-----------the picture gets dark';
  const started = await form('/api/ask', { question, video_id: videoId, is_thumbnail: 'True', config: 'default' });
  expect(started.status).toBe(202);
  const { answer, events } = await statusOf(started.json.analysis_id);
  expect(answer).toContain('dark');
  expect(events).toHaveLength(1);

  const path = `/api/videos/${videoId}/analyses/${started.json.analysis_id}/generate-thumbnails`;
  const pictures = (await form(path, { firebase_collection_name: 'videos' })).json.events as Record<string, string>[];
  expect(pictures).toHaveLength(1);
  const picture = await fetch(pictures[0]!.annotated_thumbnail_url!.replace(/^https?:\/\/[^/]+/, app.api.base));
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});

test('a fixed agent runs by form or by an empty request; its events count as validated', async () => {
  const fields = { edge_case_category: 'agent_mode_placeholder', mode: 'agent', model_id: 'Nomadic-VL-XLarge' };
  const edge = await form(`/api/analyze-video-edge/${videoId}`, fields);
  const { events } = await statusOf(edge.json.analysis_id);
  expect(events.length).toBeGreaterThan(0);
  expect(new Set(events.map((event) => event.edgeCaseValidated))).toEqual(new Set(['true']));
  expect((await endOf(edge.json.batch_id)).config).toMatchObject({ analysis_kind: 'edge_agent' });
  const bare = await app.api.call('POST', `/api/analyze-video/${videoId}`, { key: KEY });
  expect((await statusOf(bare.json.analysis_id)).events).toHaveLength(events.length);
});

describe('what is refused', () => {
  test.each([
    ['/api/create-batch', { video_ids: 'x', custom_agent_id: 'a' }, 501, 'agents_not_offered'],
    [
      '/api/create-batch',
      { video_ids: 'x', custom_workflow_name: 'action-segmentation' },
      501,
      'segmentation_needs_model',
    ],
    ['/api/create-batch', { video_ids: 'x', custom_workflow_name: 'welding' }, 400, 'workflow_unknown'],
    [
      '/api/create-batch',
      { video_ids: 'x', custom_workflow_name: 'action-segmentation', output_schema_json: '{}' },
      400,
      'workflow_without_schema',
    ],
    ['/api/create-batch', { video_ids: 'x', segmenter_id: 's' }, 501, 'segmenters_not_offered'],
    ['/api/create-batch', { video_ids: 'x', detector_config_json: '{}' }, 400, 'detector_config_not_offered'],
    ['/api/ask', { question: 'a', video_id: 'x', segmenter_id: 's' }, 501, 'segmenters_not_offered'],
    ['/api/create-batch', { prompt: 'a car' }, 400, 'request_invalid'],
    ['/api/create-batch', { video_ids: 'x' }, 400, 'query_empty'],
    ['/api/create-batch', { video_ids: 'x', prompt: 'a car' }, 404, 'video_not_found'],
    ['/api/create-batch', { video_ids: 'x', analysis_kind: 'edge_agent' }, 400, 'category_unknown'],
    ['/api/ask', { question: 'driving-----------EVENT_DESCRIPTION-----------', video_id: 'x' }, 400, 'query_empty'],
    ['/api/ask', { question: 'a car', video_id: 'x', custom_agent_id: 'a' }, 501, 'agents_not_offered'],
    ['/api/analyze-video/x', {}, 404, 'video_not_found'],
    ['/api/analyze-video-edge/x', { custom_edge_case_agent_id: 'a' }, 501, 'agents_not_offered'],
    ['/api/ask-question', { question: 'odd_export' }, 501, 'odd_export_not_offered'],
    ['/api/create-agent', { name: 'x' }, 501, 'agents_not_offered'],
    ['/api/update-agent', {}, 501, 'agents_not_offered'],
    ['/api/list-agents', { scope: 'user' }, 501, 'agents_not_offered'],
    ['/api/segmenter-training/jobs', { name: 'x' }, 501, 'segmenters_not_offered'],
    ['/api/public/video/x/signed-url', {}, 404, 'samples_not_offered'],
  ])('%s %j: %i %s', async (path, fields, status, error) => {
    expect(await form(path, fields as Record<string, string>)).toMatchObject({ status, json: { error } });
  });
});

test.each([
  ['Vehicle Turns', null, 'the vehicle turns left, the vehicle turns right'],
  [
    'forklifts',
    '[{"title": " speeding forklift "}, {"description": "x"}, null, {"title": "collision"}]',
    'speeding forklift, collision',
  ],
])('an agent for %s looks for its question', (category, cases, question) => {
  expect(toQuery(category, cases)).toBe(question);
});

test.each([
  [null, null],
  ['', '[]'],
  ['forklifts', 'not json'],
  ['forklifts', '{"title": "x"}'],
])('an agent for %s with %s has none', (category, cases) => {
  expect(() => toQuery(category, cases)).toThrow(expect.objectContaining({ code: 'category_unknown' }));
});

describe('search among events', () => {
  const start = (json: object) => send('/api/search-sessions/start', json);
  type Session = { status: string; summary: string; thoughts: string[]; matches: Record<string, unknown>[] };
  const sessionOf = async (json: Record<string, unknown>): Promise<Session> =>
    ((await get(`/api/search-sessions/${json.owner_uid}/${json.session_id}`)) as { data: Session }).data;

  async function search(query: string): Promise<Session> {
    const { json } = await start({ query, folder_name: 'fleet', scope: 'my' });
    expect(await sessionOf(json)).toMatchObject({ status: 'pending', matches: [] });
    const { session_id, session_doc_path } = json as { session_id: string; session_doc_path: string };
    const ran = await form('/api/search?folder_collection=my', {
      query,
      folder: 'fleet',
      session_id,
      session_doc_path,
    });
    expect(ran.status).toBe(200);
    return sessionOf(json);
  }

  test('finds events by the words of their label or of the query, best first, each once', async () => {
    const batch = await form('/api/create-batch', { video_ids: videoId, prompt: 'the picture gets dark, a cut' });
    const { videos } = await endOf(batch.json.batch_id);
    const found = await search('when the picture got darker');
    expect(found.status).toBe('completed');
    const [best] = found.matches;
    expect(best).toMatchObject({ video_id: videoId, similarity: expect.any(Number) });
    expect(String(best!.reason)).toMatch(/dark/i);
    const { matches } = await search('cut');
    expect(matches.filter(({ analysis_id }) => analysis_id === videos[0]!.analysis_id)).toHaveLength(1);
    expect(new Set(matches.map(({ reason }) => reason)).size).toBe(matches.length);
  });

  test('reports that nothing matches, or that no words are left to search for', async () => {
    expect(await search('giraffe')).toMatchObject({ matches: [], summary: expect.stringContaining('No event') });
    expect(await search('the of and')).toMatchObject({ matches: [], summary: expect.stringContaining('No event') });
    expect(await search(`'); drop table analyses; -- & | ! <-> :*`)).toMatchObject({ status: 'completed' });
  });

  test('tells no one of analyses that they may not read, also where the video was shared since', async () => {
    const own = await upload('own.mp4');
    const { json } = await form('/api/create-batch', { video_ids: own, prompt: 'the picture gets dark' });
    await endOf(json.batch_id);
    const shared = await send('/api/folders', { name: 'shared', scope: 'org' });
    await app.api.call('PATCH', `/api/video/${own}`, { key: KEY, json: { folder_id: shared.json.id } });
    const { database, accounts, keys } = app.sightline;
    const { orgId } = (await accounts.owner())!;
    const userId = newId();
    const colleague = { id: userId, orgId, email: 'colleague@localhost', name: 'C', role: 'member' };
    await database.db.insertInto('users').values(colleague).execute();
    const theirs = (await keys.create({ orgId, userId, name: 'theirs' })).key;
    const found = await Promise.all(
      [KEY, theirs].map(async (key) => {
        const ask = async (method: string, path: string, body?: object) =>
          (await app.api.call(method, path, { key, json: body })).json;
        const made = await ask('POST', '/api/search-sessions/start', {
          query: 'dark',
          folder_name: 'shared',
          scope: 'org',
        });
        await ask('POST', '/api/search', { session_id: made.session_id });
        const { data } = await ask('GET', `/api/search-sessions/${made.owner_uid}/${made.session_id}`);
        const { status, matches } = data as Session;
        return [status, matches.length > 0];
      }),
    );
    expect(found).toEqual([
      ['completed', true],
      ['completed', false],
    ]);
  });

  test('no longer returns matches in deleted videos', async () => {
    const passing = await upload('passing.mp4', { folder_id: await folder('passing') });
    const { json } = await form('/api/create-batch', { video_ids: passing, prompt: 'the picture gets dark' });
    await endOf(json.batch_id);
    const made = (await start({ query: 'dark', folder_name: 'passing', scope: 'my' })).json;
    await form('/api/search', { session_id: String(made.session_id) });
    expect((await sessionOf(made)).matches).not.toEqual([]);
    await app.api.call('DELETE', `/api/video/${passing}`, { key: KEY });
    const { matches, summary } = await sessionOf(made);
    expect([matches, summary]).toEqual([[], expect.stringContaining('No event')]);
  });

  test('refuses an empty search, an unknown folder, and sessions of others', async () => {
    expect(await start({ query: ' ', folder_name: 'fleet' })).toMatchObject({
      status: 400,
      json: { error: 'search_empty' },
    });
    expect(await start({ query: 'cut', folder_name: 'nowhere' })).toMatchObject({
      status: 404,
      json: { error: 'folder_not_found' },
    });
    expect(await start({ query: 'cut', folder_name: 'Samples', scope: 'sample' })).toMatchObject({
      status: 404,
      json: { error: 'search_no_samples' },
    });
    expect(await form('/api/search', { session_id: 'x' })).toMatchObject({
      status: 404,
      json: { error: 'search_not_found' },
    });
  });
});

describe('results of a batch', () => {
  let batchId: string;
  beforeAll(async () => {
    const { json } = await form('/api/create-batch', {
      video_ids: videoId,
      prompt: 'the picture gets dark, a cut, the picture freezes',
    });
    batchId = String(json.batch_id);
    await endOf(batchId);
  });
  type Results = {
    batch_metadata: Record<string, unknown>;
    results: { analysis: { events: Record<string, unknown>[] } }[];
  };
  const results = async (path: string, json: object = {}) =>
    (await send(`/api/batch/${batchId}/${path}`, json)).json as Results;

  test('are filtered by approval', async () => {
    const all = await results('filter_batch', { filter: null });
    expect(all.batch_metadata).toMatchObject({ batch_id: batchId, batch_type: 'ask' });
    expect(all.results).toHaveLength(1);
    expect((await results('filter_batch', { filter: ['pending'] })).results).toEqual(all.results);
    expect((await results('filter_batch', { filter: ['approved', 'rejected'] })).results).toEqual([]);
    expect(await send(`/api/batch/${batchId}/filter_batch`, { filter: ['nice'] })).toMatchObject({ status: 400 });
  });

  test('come rarest first', async () => {
    const [{ analysis }] = (await results('sort_edge_cases')).results as [Results['results'][0]];
    const ratings = analysis.events.map(({ uniqueness_rating }) => uniqueness_rating as number);
    expect(ratings.length).toBeGreaterThan(2);
    expect(ratings).toEqual([...ratings].sort((a, b) => b - a));
    expect(analysis.events[0]).toMatchObject({ uniqueness_reasoning: expect.stringContaining('of this kind') });
  });

  test('can be annotated: notes are merged, and checked', async () => {
    const note = (metadata: string) => send(`/api/batch/${batchId}/metadata`, { metadata });
    expect(await note('{"experiment": "night", "round": 1}')).toMatchObject({
      status: 200,
      json: { success: true, batch_id: batchId },
    });
    expect((await note('{"round": 2}')).json.metadata).toEqual({ experiment: 'night', round: 2 });
    expect(await get(`/api/batch/${batchId}/status`)).toMatchObject({ metadata: { experiment: 'night', round: 2 } });
    for (const wrong of ['', 'x', '[]', 'null', '{"a": {}}', '{"a": 1.5}', '{"a": null}']) {
      expect(await note(wrong), wrong).toMatchObject({ status: 400, json: { error: 'metadata_invalid' } });
    }
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`n${i}`, i]));
    expect(await note(JSON.stringify(many))).toMatchObject({ status: 400, json: { error: 'metadata_too_large' } });
    expect(await note(JSON.stringify({ long: 'x'.repeat(5_001) }))).toMatchObject({ status: 400 });
  });
});
