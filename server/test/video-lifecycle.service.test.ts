import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { sceneClip } from './media/clips.ts';

/** Lifecycle of a video across rooms, on the complete app: sidecar, query, deletion, restore. */
let app: TestApp;
let key: string;
let clip: Buffer;
beforeAll(async () => {
  app = await startTestApp();
  const owner = (await app.sightline.accounts.owner())!;
  key = (await app.sightline.keys.create({ ...owner, name: 'life' })).key;
  clip = await readFile(await sceneClip());
});
afterAll(() => app?.close());

const call = (method: string, path: string, json?: object) => app.api.call(method, path, { key, json });
const putSidecar = (id: string, body: string, type = 'application/octet-stream', query = '') =>
  app.api.call('PUT', `/api/video/${id}/metadata-file${query}`, { key, body, headers: { 'content-type': type } });

const TUS = { 'tus-resumable': '1.0.0' };
/** Begins an upload in pieces; `finish` sends the one piece. */
async function beginUpload() {
  const headers = { ...TUS, 'upload-length': String(clip.length) };
  const created = await app.api.call('POST', '/api/uploads', { key, headers });
  const path = created.headers.get('location')!;
  const piece = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const body = clip as Uint8Array<ArrayBuffer>;
  return {
    id: path.split('/').at(-1)!,
    finish: async () => expect((await app.api.call('PATCH', path, { key, headers: piece, body })).status).toBe(204),
  };
}

type Document = { analysis: { events: { start_s: number }[]; coverage: { by: string[] }[] } };
/** Asks, waits for the end, and returns the document as text and read. */
async function ask(videoId: string, query: string) {
  const stream = await call('POST', '/api/router/v2/query/stream', { query, video_id: videoId });
  const analysisId = /"analysis_id":"(\w+)"/.exec(stream.text)![1]!;
  const path = `/api/videos/${videoId}/analyses/${analysisId}`;
  const { text } = await call('GET', path);
  return { path, text, document: JSON.parse(text) as Document };
}

/** 80 km/h between these seconds, else 30. */
const speeds = (from: number, to: number) =>
  Array.from({ length: 161 }, (_, i) => ({ time: i / 10, kmh: i / 10 >= from && i / 10 <= to ? 80 : 30 }));
const csv = (from: number, to: number) =>
  ['time_s,speed_kmh', ...speeds(from, to).map(({ time, kmh }) => `${time},${kmh}`)].join('\n');
const FORMS: [name: string, bytes: string][] = [
  ['CSV', csv(4, 8)],
  [
    'JSON',
    JSON.stringify({
      fields: [
        { name: 'timestamp', type: 'number', unit: 's' },
        { name: 'speed', type: 'number', unit: 'km/h' },
      ],
      data: speeds(4, 8).map(({ time, kmh }) => ({ timestamp: time, speed: kmh })),
    }),
  ],
];

describe('what was measured beside a video', () => {
  test.each(FORMS)('as %s, put beside an upload in pieces, answers questions about it', async (_name, bytes) => {
    const upload = await beginUpload();
    const put = await putSidecar(upload.id, bytes, 'text/csv', '?filename=drive.csv');
    expect([put.status, put.json.status]).toEqual([200, 'processing']);
    expect(put.json.metadata).toMatchObject({
      sidecar: { filename: 'drive.csv', telemetry: { samples: 161 } },
    });
    await upload.finish();
    const { document } = await ask(upload.id, 'faster than 50 km/h');
    expect(document.analysis.coverage[0]!.by[0]).toMatch(/^telemetry \(sidecar /);
    expect(document.analysis.events).toHaveLength(1);
    expect(document.analysis.events[0]!.start_s).toBeCloseTo(4, 0);
  });

  test('can be put beside a video that is there, and in place of what was: the next question reads it', async () => {
    const upload = await beginUpload();
    await upload.finish();
    expect((await ask(upload.id, 'faster than 50 km/h')).document.analysis.events).toHaveLength(0);
    expect((await putSidecar(upload.id, csv(4, 8))).status).toBe(200);
    expect((await ask(upload.id, 'faster than 50 km/h')).document.analysis.events[0]!.start_s).toBeCloseTo(4, 0);
    expect((await putSidecar(upload.id, csv(10, 12))).status).toBe(200);
    expect((await ask(upload.id, 'faster than 50 km/h')).document.analysis.events[0]!.start_s).toBeCloseTo(10, 0);
  });

  test('is refused when it is nothing that is understood, too large, or for nobody’s video', async () => {
    const { id } = await beginUpload();
    const nothing = await putSidecar(id, 'a film by nobody');
    expect([nothing.status, nothing.json.error]).toEqual([400, 'sidecar_invalid']);
    expect((await app.api.call('PUT', `/api/video/${id}/metadata-file`, { key })).status).toBe(400);
    expect((await putSidecar(id, ' '.repeat(16 * 2 ** 20 + 1))).status).toBe(413);
    expect((await putSidecar('0'.repeat(32), '[]')).status).toBe(404);
    expect((await call('GET', `/api/video/${id}/status`)).json.metadata).not.toHaveProperty('sidecar');
  });
});

test('what was found in a video is out of reach while it is deleted, and comes back with it', async () => {
  const upload = await beginUpload();
  await upload.finish();
  const { path, document } = await ask(upload.id, 'the picture gets dark');
  const observed = () =>
    app.sightline.database.db
      .selectFrom('observations')
      .select(['kind', 'version', 'createdAt'])
      .where('videoId', '=', upload.id)
      .orderBy('kind')
      .execute();
  const before = await observed();
  expect((await call('DELETE', `/api/video/${upload.id}`)).status).toBe(200);
  expect(await call('GET', path)).toMatchObject({ status: 404, json: { error: 'analysis_gone' } });
  expect((await call('GET', `${path}/status`)).json.events).toEqual([]);
  expect((await call('POST', `/api/video/${upload.id}/restore`)).status).toBe(200);
  const back = await call('GET', path);
  expect(back.json.video_id).toBe(upload.id);
  expect((back.json as unknown as Document).analysis.coverage).toEqual(document.analysis.coverage);
  expect(await observed()).toEqual(before);

  await call('DELETE', `/api/video/${upload.id}?erase=true`);
  await expect.poll(observed).toEqual([]);
  expect(await call('GET', path)).toMatchObject({ status: 404, json: { error: 'analysis_gone' } });
}, 180_000);

test('samples are created on first request, readable by the organization and read-only', async () => {
  const list = async () => (await call('GET', '/api/my-videos?scope=sample')).json.videos as Record<string, string>[];
  const first = await Promise.all([list(), list(), list()]);
  const names = ['Street scene.mp4', 'Room with a visitor.mp4', 'Robot at a bench.mp4'];
  for (const videos of first) {
    expect(videos.map(({ video_name }) => video_name)).toEqual(names);
    expect(videos[0]).toMatchObject({ scope: 'sample', video_id: first[0]![0]!.video_id });
  }
  const isDrawn = async () => (await list()).every(({ status }) => status === 'uploaded');
  await expect.poll(isDrawn, { timeout: 150_000, interval: 1_000 }).toBe(true);
  const [{ video_id: id, folder_id: folder }] = (await list()) as [{ video_id: string; folder_id: string }];

  const refusals = await Promise.all([
    call('PATCH', `/api/video/${id}`, { name: 'mine' }),
    call('DELETE', `/api/video/${id}`),
    putSidecar(id, '[]'),
    call('PATCH', `/api/folders/${folder}`, { name: 'mine' }),
    call('DELETE', `/api/folders/${folder}?videos=delete`),
    call('POST', '/api/videos/move', { video_ids: [id], folder_id: folder }),
    call('POST', '/api/multi-view/stitch', { primary_view_id: id, views: { rear: '0'.repeat(32) } }),
    call('POST', '/api/upload-video', {
      source: 'video_url',
      video_url: 'http://example.com/x.mp4',
      folder_id: folder,
    }),
  ]);
  for (const { status, json } of refusals) {
    expect([status, String(json.detail)]).toEqual([
      403,
      expect.stringMatching(/^Sample (scope is|videos are) read-only/),
    ]);
  }
  const moved = await call('POST', '/api/videos/move', { video_ids: [id], folder_id: null });
  expect(moved.json.results).toMatchObject([{ ok: false, error: 'video_read_only' }]);
  // The specification has two scopes for folders by name.
  expect((await call('GET', '/api/folders/get?name=Samples&scope=sample')).status).toBe(400);
  expect((await call('GET', '/api/folders/get?name=Samples')).status).toBe(404);
  expect((await call('GET', `/api/folders/${folder}`)).json).toMatchObject({ scope: 'sample', video_count: 3 });
  for (const query of ['', '?scope=org', '?scope=user']) {
    expect((await call('GET', `/api/my-videos${query}`)).text).not.toContain(id);
  }
  const { document } = await ask(id, 'the picture gets dark');
  expect(document.analysis.events.length).toBeGreaterThan(0);
  const started = await call('POST', '/api/search-sessions/start', {
    query: 'dark',
    folder_name: 'Samples',
    scope: 'sample',
  });
  await call('POST', '/api/search', { session_id: started.json.session_id });
  const { json: found } = await call('GET', `/api/${started.json.session_doc_path}`);
  expect(found.data).toMatchObject({ status: 'completed', matches: expect.arrayContaining([expect.anything()]) });
}, 240_000);
