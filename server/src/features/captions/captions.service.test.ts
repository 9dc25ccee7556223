// Captions on real video, over HTTP: media processes, observers, jobs, views and search.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '#test/app';
import { sceneClip } from '#test/media/clips';

let app: TestApp;
let key: string;
let front: string;
let left: string;
let folder: string;

type Result = {
  status: string;
  analysis_id: string;
  grounded_caption: { t_start: number; t_end: number; caption: string }[];
};

const call = (method: string, path: string, json?: object) => app.api.call(method, path, { key, json });

beforeAll(async () => {
  app = await startTestApp();
  const { keys, accounts } = app.sightline;
  const owner = (await accounts.owner())!;
  const scopes = ['read', 'write'] as const;
  key = (await keys.create({ orgId: owner.orgId, userId: owner.userId, name: 'key', scopes: [...scopes] })).key;
  folder = String((await call('POST', '/api/folders', { name: 'drives' })).json.id);
  const clip = new Blob([await readFile(await sceneClip())]);
  const upload = async () => {
    const body = new FormData();
    body.set('source', 'file');
    body.set('folder_id', folder);
    body.set('file', clip, 'scene.mp4');
    return String((await app.api.call('POST', '/api/upload-video', { key, body })).json.video_id);
  };
  [front, left] = [await upload(), await upload()];
  await call('POST', '/api/multi-view/stitch', { primary_view_id: front, views: { front, left } });
});
afterAll(() => app.close());

/** Polls until the captions of a video are there. */
const waitFor = (videoId: string, runId: unknown) =>
  vi.waitFor(
    async () => {
      const { json } = await call('POST', '/api/videos/index/status', { video_ids: [videoId], run_id: runId });
      const result = (json.results as Record<string, Result>)[videoId];
      expect(result).toBeDefined();
      return result!;
    },
    { timeout: 90_000, interval: 200 },
  );

test('captions cover the video, are stored, searched and exported', async () => {
  expect((await call('GET', `/api/videos/${front}/index`)).json).toMatchObject({ error: 'index_not_found' });
  const started = await call('POST', '/api/videos/index', { video_ids: [front] });
  expect(started.json, started.text).toMatchObject({ results: {}, run_id: expect.any(String) });
  const result = await waitFor(front, started.json.run_id);
  const captions = result.grounded_caption;
  expect(result).toMatchObject({
    status: 'completed',
    batch_id: started.json.batch_id,
    warnings: [expect.any(String)],
  });
  expect(captions[0]!.t_start).toBe(0);
  expect(captions.some(({ caption }) => caption.includes('it is dark'))).toBe(true);

  // Nothing is started for a video that has captions.
  const again = await call('POST', '/api/videos/index', { video_ids: [front] });
  expect(again.json).toEqual({ results: { [front]: result }, run_id: null, batch_id: null });

  const vtt = await call('GET', `/api/videos/${front}/index.vtt`);
  expect(vtt.headers.get('content-type')).toBe('text/vtt; charset=utf-8');
  expect(vtt.text).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /);
  expect(vtt.text.match(/-->/g)).toHaveLength(captions.length);

  const events = await call('GET', `/api/events?video_id=${front}&type=caption`);
  expect(events.json.events).toHaveLength(captions.length);
  const { json: search } = await call('POST', '/api/search-sessions/start', { query: 'dark', folder_name: 'drives' });
  await call('POST', '/api/search', { session_id: search.session_id });
  const { json: found } = await call('GET', `/api/search-sessions/${search.owner_uid}/${search.session_id}`);
  const { analysis_id } = result;
  expect((found.data as { matches: object[] }).matches).toContainEqual(
    expect.objectContaining({ video_id: front, analysis_id, event_id: expect.stringContaining(analysis_id) }),
  );
});

test('a side view has the captions of the primary view', async () => {
  const resolved = await call('POST', '/api/videos/index/resolve', { video_ids: [left, 'x'] });
  expect(resolved.json).toMatchObject({
    view_targets: { [left]: front },
    results: { x: { status: 'failed', error_code: 'video_not_found' } },
  });
  const started = await call('POST', '/api/videos/index', { video_ids: [left, front] });
  expect(await waitFor(left, started.json.run_id)).toMatchObject({ status: 'completed', index_video_id: front });
});

test.each([
  [{ video_ids: [] }, 'request_invalid'],
  [{ video_ids: Array.from({ length: 201 }, (_, i) => `v${i}`) }, 'request_invalid'],
  [{ video_ids: ['x'], mode: 'submarine' }, 'request_invalid'],
])('refuses %o', async (body, error) => {
  expect(await call('POST', '/api/videos/index', body)).toMatchObject({ status: 400, json: { error } });
});

test('modes that need a model fail with a reason', async () => {
  const { json } = await call('POST', '/api/videos/index', { video_ids: [front], mode: 'robotics' });
  expect(json).toMatchObject({
    run_id: null,
    results: { [front]: { status: 'failed', error_code: 'index_mode_not_offered' } },
  });
});
