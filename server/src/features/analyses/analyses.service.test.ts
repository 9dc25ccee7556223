import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { Problem } from '#platform/problem';
import { PUBLIC_URL } from '#test/library';
import { type AnalysesWorld, COVERAGE, openAnalyses } from './analyses.fixture.ts';

type StoredEvent = {
  event_id: string;
  data: { annotated_thumbnail_url?: string; evidence: { frames: { url: string }[] } };
};
type Document = { analysis: Record<string, unknown> & { events: StoredEvent[] }; events: Record<string, unknown>[] };

let world: AnalysesWorld;
beforeAll(async () => {
  world = await openAnalyses();
});
afterEach(() => {
  world.engine.failure = null;
});
afterAll(() => world?.close());

/** Waits until the analysis has this status. */
const waitFor = (videoId: string, analysisId: string, status: string) =>
  expect.poll(async () => (await world.call(videoId, analysisId, '/status')).json.status).toBe(status);

/** A completed analysis of a new video. */
async function analyze(more: { scope?: 'user' | 'org'; folderId?: string } = {}) {
  const videoId = await world.addVideo(more);
  const analysisId = await world.start(videoId);
  await waitFor(videoId, analysisId, 'COMPLETED');
  const { json } = await world.call(videoId, analysisId);
  return { videoId, analysisId, document: json as unknown as Document };
}

/** Path and token of the image of a frame. */
function parseUrl(document: Document, event = 0, frame = 0) {
  const url = new URL(document.analysis.events[event]!.data.evidence.frames[frame]!.url);
  return { origin: url.origin, path: url.pathname, token: url.searchParams.get('token')! };
}

test('a completed analysis has a status, a document with evidence and coverage, and thumbnails', async () => {
  const { videoId, analysisId, document } = await analyze();
  expect(document).toMatchObject({
    video_id: videoId,
    analysis_id: analysisId,
    filename: `${videoId}.mp4`,
    analysis: {
      status: 'COMPLETED',
      batch_id: null,
      query: 'a red car',
      mode: 'thinking',
      answer: 'Three red cars.',
      summary: 'Found 3 events.',
      interpretation: 'Understood as: a red car.',
      coverage: COVERAGE,
      plan: { query: 'a red car' },
      engine_version: 'test-1',
      events: [
        {
          event_id: `${analysisId}-0`,
          type: 'object',
          time: 't=0.340',
          end_time: 't=1.500',
          start_s: 0.34,
          end_s: 1.5,
          data: {
            confidence: 0.8,
            start_pts: 30_600,
            time_base: [1, 90_000],
            evidence: {
              frames: [
                { role: 'best', time_s: 1, boxes: [{ x: 0.1 }] },
                { role: 'last', time_s: 1.4 },
              ],
              tracks: [{ id: 7, class: 'car', color: 'red', path: [[1, 0.5, 0.5]] }],
              signals: [{ name: 'brightness', value: 31, threshold: 40, unit: 'of 255' }],
            },
          },
        },
        { event_id: `${analysisId}-1` },
        { event_id: `${analysisId}-2`, type: 'audio', data: { evidence: { frames: [] } } },
      ],
    },
    metadata: { duration_s: 12.5, width: 640, frame_rate: 25, visual_analysis: { status: { status: 'COMPLETED' } } },
    events: [{ label: 'red car 0', t_start: '00:00', t_end: '00:01' }, { label: 'red car 1' }, { label: 'red car 2' }],
  });

  const status = await world.call(videoId, analysisId, '/status');
  expect(status).toMatchObject({
    status: 200,
    json: {
      status: 'COMPLETED',
      analysis_id: analysisId,
      video_id: videoId,
      batch_id: null,
      progress: 100,
      stage: null,
      chunks_completed: 1,
      chunks_total: 1,
      answer: 'Three red cars.',
    },
  });
  const ids = document.analysis.events.map(({ event_id }) => event_id);
  expect((status.json.events as StoredEvent[]).map(({ event_id }) => event_id)).toEqual(ids);

  const thumbnails = await world.call(videoId, analysisId, '/generate-thumbnails');
  const events = thumbnails.json.events as (StoredEvent & { annotated_thumbnail_url: string })[];
  expect(events.map(({ event_id }) => event_id)).toEqual(ids);
  expect(events.map(({ annotated_thumbnail_url: url }) => url === '')).toEqual([false, false, true]);
  expect(events[0]!.annotated_thumbnail_url).toContain(`/api/evidence/${analysisId}/000-0.jpg?token=`);
});

test('the latest analysis of a video is the newest one that the caller may read', async () => {
  const { videoId, analysisId } = await analyze({ scope: 'org' });
  const second = await world.start(videoId, world.caller, 'a dog');
  await waitFor(videoId, second, 'COMPLETED');
  const latest = await world.api.call('GET', `/api/video/${videoId}/analysis`, { key: world.key });
  expect(latest.json).toMatchObject({ analysis_id: second, analysis: { query: 'a dog' } });
  expect(second).not.toBe(analysisId);
  const other = await world.addVideo();
  expect(await world.api.call('GET', `/api/video/${other}/analysis`, { key: world.key })).toMatchObject({
    status: 404,
    json: { error: 'analysis_not_found', detail: 'This video has no analysis.' },
  });
});

test('a running analysis has a document without events, and no thumbnails', async () => {
  const videoId = await world.addVideo({}, false);
  const analysisId = await world.start(videoId);
  const { json } = await world.call(videoId, analysisId);
  expect(json).toMatchObject({ analysis: { status: 'PROCESSING', events: [], coverage: [], plan: null }, events: [] });
  expect((await world.call(videoId, analysisId, '/status')).json).toMatchObject({
    status: 'PROCESSING',
    completed_at: null,
    answer: '',
    chunks_completed: 0,
    events: [],
  });
  expect(await world.call(videoId, analysisId, '/generate-thumbnails')).toMatchObject({
    status: 409,
    json: { error: 'analysis_unfinished' },
  });
  await world.markReady(videoId);
  await waitFor(videoId, analysisId, 'COMPLETED');
});

test('a failed analysis has the reason in its status and document', async () => {
  world.engine.failure = new Problem({ status: 400, code: 'media_damaged', message: 'The file is damaged.' });
  const videoId = await world.addVideo();
  const analysisId = await world.start(videoId);
  await waitFor(videoId, analysisId, 'FAILED');
  const reason = { error: 'media_damaged', message: 'The file is damaged.' };
  expect((await world.call(videoId, analysisId, '/status')).json).toMatchObject({ ...reason, events: [] });
  expect((await world.call(videoId, analysisId)).json).toMatchObject({ analysis: { status: 'FAILED', ...reason } });
  expect(await world.call(videoId, analysisId, '/generate-thumbnails')).toMatchObject({
    status: 200,
    json: { events: [] },
  });
});

test('evidence images are drawn once, at their first request, without a key', async () => {
  const { document } = await analyze();
  const { origin, path, token } = parseUrl(document, 0, 1);
  expect(origin).toBe(PUBLIC_URL);
  const before = world.engine.drawn;
  const first = await world.api.call('GET', `${path}?token=${token}`);
  expect(first).toMatchObject({ status: 200, text: 'jpeg at 1.4' });
  expect(first.headers.get('content-type')).toBe('image/jpeg');
  const head = await world.api.call('HEAD', `${path}?token=${token}`);
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(first.text.length)]);
  const headers = { 'if-none-match': first.headers.get('etag')! };
  expect((await world.api.call('GET', `${path}?token=${token}`, { headers })).status).toBe(304);
  const range = await world.api.call('GET', `${path}?token=${token}`, { headers: { range: 'bytes=0-3' } });
  expect(range).toMatchObject({ status: 206, text: 'jpeg' });
  expect(world.engine.drawn).toBe(before + 1);
});

test('evidence URLs with an altered, foreign or expired token are refused', async () => {
  const [own, other] = [await analyze(), await analyze()];
  const { path, token } = parseUrl(own.document);
  const get = (url: string) => world.api.call('GET', url);
  const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  for (const wrong of [altered, parseUrl(other.document).token, '']) {
    expect(await get(`${path}?token=${wrong}`)).toMatchObject({
      status: 403,
      json: { error: 'evidence_token_invalid' },
    });
  }
  const expired = world.library.secrets.sign('evidence', own.analysisId, new Date(Date.now() - 2_000));
  expect(await get(`${path}?token=${expired}`)).toMatchObject({
    status: 403,
    json: { error: 'evidence_token_expired' },
  });
  expect((await get(path)).status).toBe(400);
  for (const name of ['000-2.jpg', '002-0.jpg', '999-0.jpg']) {
    const missing = await get(`${path.replace(/[^/]+$/, name)}?token=${token}`);
    expect([name, missing.status, missing.json.error]).toEqual([name, 404, 'evidence_not_found']);
  }
});

test('a deleted video hides its document and images; restored, it shows them again', async () => {
  const { videoId, analysisId, document } = await analyze();
  const { path, token } = parseUrl(document);
  expect((await world.api.call('GET', `${path}?token=${token}`)).status).toBe(200);
  const { library, caller } = world;
  await library.database.transaction((trx) => world.analyses.onVideoDeleted(trx, { videoId } as never));
  expect(await world.call(videoId, analysisId)).toMatchObject({ status: 404, json: { error: 'analysis_gone' } });
  expect((await world.call(videoId, analysisId, '/status')).json).toMatchObject({
    status: 'COMPLETED',
    events: [],
    answer: '',
  });
  expect(await world.api.call('GET', `${path}?token=${token}`)).toMatchObject({
    status: 404,
    json: { error: 'evidence_not_found' },
  });
  await library.database.transaction((trx) => world.analyses.onVideoRestored(trx, { videoId } as never));
  expect((await world.call(videoId, analysisId)).json).toMatchObject({ analysis: { status: 'COMPLETED' } });
  expect((await world.api.call('GET', `${path}?token=${token}`)).status).toBe(200);
  expect(caller.folderId).toBeUndefined();
});

test('the deletion of a video ends its running analysis and deletes documents and images for good', async () => {
  const done = await analyze();
  const { path, token } = parseUrl(done.document);
  expect((await world.api.call('GET', `${path}?token=${token}`)).status).toBe(200);
  const waiting = await world.addVideo({}, false);
  const running = await world.start(waiting);
  const { api, key, library } = world;
  for (const id of [done.videoId, waiting]) {
    expect((await api.call('DELETE', `/api/video/${id}`, { key })).status).toBeLessThan(300);
  }
  const failed = await world.call(waiting, running);
  expect(failed.json).toMatchObject({ analysis: { status: 'FAILED', error: 'video_deleted' } });
  expect(await world.call(done.videoId, done.analysisId)).toMatchObject({
    status: 404,
    json: { error: 'analysis_gone' },
  });
  const listImages = async () => {
    const keys: string[] = [];
    for await (const object of library.storage.list(`analyses/${done.analysisId}/`)) keys.push(object.key);
    return keys;
  };
  await expect.poll(listImages).toEqual([]);
});

test('unknown ids are 404, also with the id of another video', async () => {
  const { videoId, analysisId } = await analyze();
  const other = await world.addVideo();
  for (const route of ['', '/status', '/generate-thumbnails'] as const) {
    for (const [video, analysis] of [
      [videoId, newId()],
      [other, analysisId],
      [newId(), analysisId],
    ] as const) {
      const missing = await world.call(video, analysis, route);
      expect([route, missing.status, missing.json.error]).toEqual([route, 404, 'analysis_not_found']);
    }
  }
});

test('access: owner, shared videos, colleagues, admins and other organizations', async () => {
  const { library } = world;
  const [own, shared] = [await analyze(), await analyze({ scope: 'org' })];
  const colleague = await library.keyOf(await library.addUser(library.owner.orgId), ['read']);
  const admin = await library.keyOf(await library.addUser(library.owner.orgId), ['admin']);
  const stranger = await library.keyOf(await library.addUser(), ['read', 'write']);
  const cases = [
    [world.key, own, 200],
    [world.key, shared, 200],
    [colleague.key, own, 403],
    [colleague.key, shared, 200],
    [admin.key, own, 200],
    [stranger.key, own, 403],
    [stranger.key, shared, 403],
  ] as const;
  for (const [i, [key, { videoId, analysisId }, status]] of cases.entries()) {
    for (const route of ['', '/status', '/generate-thumbnails'] as const) {
      const response = await world.call(videoId, analysisId, route, key);
      expect([i, route, response.status, response.json.error]).toEqual([
        i,
        route,
        status,
        status === 403 ? 'analysis_forbidden' : undefined,
      ]);
    }
    const latest = await world.api.call('GET', `/api/video/${videoId}/analysis`, { key });
    expect([i, latest.status]).toEqual([i, status]);
  }
  const url = `/api/videos/${own.videoId}/analyses/${own.analysisId}`;
  expect((await world.api.call('GET', url)).status).toBe(403);
});

test('a folder key reads analyses of videos in its folder only', async () => {
  const { library, api, key, caller } = world;
  const folder = await api.call('POST', '/api/folders', { key, json: { name: `Analyses ${newId()}` } });
  const folderId = String(folder.json.id);
  const [inside, outside] = [await analyze({ folderId }), await analyze()];
  const limited = await library.keys.create({ ...caller, name: 'folder', scopes: ['read'], folderId });
  for (const route of ['', '/status'] as const) {
    expect((await world.call(inside.videoId, inside.analysisId, route, limited.key)).status).toBe(200);
    expect(await world.call(outside.videoId, outside.analysisId, route, limited.key)).toMatchObject({
      status: 403,
      json: { error: 'key_limited' },
    });
  }
  const latest = (videoId: string) => api.call('GET', `/api/video/${videoId}/analysis`, { key: limited.key });
  expect((await latest(inside.videoId)).status).toBe(200);
  expect(await latest(outside.videoId)).toMatchObject({ status: 403, json: { error: 'key_limited' } });
});
