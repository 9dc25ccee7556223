// Cameras through the API, on RTSP servers that send real video.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createSealer } from '#platform/secrets/index';
import { PUBLIC_URL, SECRET } from '#test/library';
import { testPattern } from '#test/servers/live-sources';
import { startRtspServer } from '#test/servers/rtsp-server';
import { openStudio, type Studio } from '../live/live.fixture.ts';
import { rotateCameraSecrets } from './index.ts';

const { ffmpeg } = inject('programs');
const SOURCE = 'rtsp://viewer:hush@camera.example/ch1?token=hush';

type Json = Record<string, unknown>;
let studio: Studio;
const call = (method: string, path: string, json?: object, key = studio.key) =>
  studio.api.call(method, `/api/cameras${path}`, { key, ...(json && { json }) });
async function succeed(method: string, path: string, json?: object): Promise<Json> {
  const answer = await call(method, path, json);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
const add = (settings: object = {}) => succeed('POST', '', { name: 'Gate', source_url: SOURCE, ...settings });
const read = (id: unknown) => succeed('GET', `/${id}`);
const list = async (query = '', key = studio.key) => (await call('GET', query, undefined, key)).json.cameras as Json[];

describe('a camera', () => {
  beforeAll(async () => {
    studio = await openStudio({}, { worker: false });
  });
  afterAll(async () => studio?.close());

  test('is added, listed, changed and deleted, and its credentials are never returned', async () => {
    const camera = await add();
    expect(camera).toMatchObject({
      name: 'Gate',
      source_url: 'rtsp://camera.example/ch1?token=***',
      has_credentials: true,
      enabled: true,
      state: 'starting',
      scope: 'user',
      session_id: null,
      snapshot_url: null,
      error: null,
    });
    const id = camera.camera_id;
    expect((await list()).map(({ camera_id }) => camera_id)).toContain(id);
    const changed = await succeed('PATCH', `/${id}`, { name: 'Gate 2', source_url: 'rtsp://camera.example/ch2' });
    expect(changed).toMatchObject({ name: 'Gate 2', source_url: 'rtsp://camera.example/ch2', has_credentials: false });
    expect(await succeed('PATCH', `/${id}`, { enabled: false })).toMatchObject({ state: 'off', enabled: false });
    const { db } = studio.library.database;
    const entries = await db.selectFrom('auditEvents').selectAll().where('subjectId', '=', String(id)).execute();
    expect(entries.map(({ action }) => action)).toEqual(['camera.created', 'camera.changed', 'camera.stopped']);
    const rows = await db.selectFrom('cameras').selectAll().execute();
    expect(JSON.stringify([camera, rows, entries])).not.toContain('hush');
    expect(await succeed('DELETE', `/${id}`)).toEqual({ status: 'deleted', camera_id: id });
    expect((await call('GET', `/${id}`)).status).toBe(404);
  });

  test('has the scope of its folder', async () => {
    const folder = await studio.api.call('POST', '/api/folders', {
      key: studio.key,
      json: { name: 'Warehouse', scope: 'org' },
    });
    const folder_id = folder.json.id;
    const camera = await add({ folder_id, enabled: false });
    expect(camera).toMatchObject({ folder_id, folder_name: 'Warehouse', scope: 'org' });
    expect((await call('POST', '', { name: 'x', source_url: SOURCE, folder_id, scope: 'user' })).json.error).toBe(
      'camera_scope_conflict',
    );
    const other = await add({ enabled: false });
    expect((await list(`?folder_id=${folder_id}`)).map(({ camera_id }) => camera_id)).toEqual([camera.camera_id]);
    const moved = await succeed('PATCH', `/${other.camera_id}`, { folder_id });
    expect(moved).toMatchObject({ folder_id, scope: 'org' });
    expect(await succeed('PATCH', `/${other.camera_id}`, { folder_id: '' })).toMatchObject({ folder_id: null });
    const colleague = await studio.library.keyOf(await studio.library.addUser(studio.caller.orgId), ['read', 'write']);
    expect((await list('', colleague.key)).map(({ camera_id }) => camera_id)).toContain(camera.camera_id);
    const first = await call('GET', '?limit=1');
    expect(first.json).toMatchObject({ has_more: true, cameras: [{ camera_id: other.camera_id }] });
    const [second] = await list(`?limit=1&cursor=${first.json.next_cursor}`);
    expect(second).toMatchObject({ camera_id: camera.camera_id });
  });

  test('needs a source that can be recorded', async () => {
    for (const source_url of ['file:///etc/passwd', 'stream1', 'srt://camera', 'udp://1.2.3.4:5']) {
      expect((await call('POST', '', { name: 'x', source_url })).json.error).toBe('live_source_invalid');
      expect((await call('POST', '/test', { source_url })).json.error).toBe('live_source_invalid');
    }
  });

  test('keeps its credentials when the root secret is replaced', async () => {
    await add({ enabled: false });
    const { database } = studio.library;
    const sealer = createSealer('another root secret that is long enough', SECRET);
    expect(await rotateCameraSecrets({ database, sealer })).toEqual({
      rotated: expect.toSatisfy((count) => count > 0),
      lost: 0,
    });
    const back = createSealer(SECRET, 'another root secret that is long enough');
    expect(await rotateCameraSecrets({ database, sealer: back })).toMatchObject({ lost: 0 });
    expect(await rotateCameraSecrets({ database, sealer: createSealer('a third one that is long enough') })).toEqual({
      rotated: 0,
      lost: expect.toSatisfy((count) => count > 0),
    });
  });
});

describe.runIf(ffmpeg)('a camera with a source', { timeout: 180_000 }, () => {
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(async () => studio?.close());

  async function startSource(user = '', password = '') {
    const input = testPattern({ sound: false });
    const server = await startRtspServer(ffmpeg!, { input, user, password });
    onTestFinished(() => server.stop());
    return { server, url: `rtsp://${user ? `${user}:${password}@` : ''}127.0.0.1:${server.port}/ch1` };
  }
  const until = (id: unknown, state: string) =>
    expect
      .poll(async () => (await read(id)).state, { timeout: 90_000, interval: 200 })
      .toBe(state)
      .then(() => read(id));
  const sessionsOf = async (id: unknown) =>
    (await studio.api.call('GET', `/api/live/live-sessions?camera_id=${id}`, { key: studio.key })).json
      .sessions as Json[];

  test('is tested: port, sign-in, first frame and format, with an image', async () => {
    const { url } = await startSource('viewer', 'hush');
    const passed = await succeed('POST', '/test', { source_url: url });
    expect(passed).toMatchObject({
      ok: true,
      error: null,
      source_url: expect.not.stringContaining('hush'),
      format: { video_codec: 'h264', width: 320, height: 180, audio_codec: null },
    });
    const steps = passed.steps as { step: string; ok: boolean; elapsed_ms: number | null }[];
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual([
      ['port', true],
      ['sign_in', true],
      ['first_frame', true],
      ['format', true],
    ]);
    expect(steps[2]!.elapsed_ms).toBeGreaterThanOrEqual(steps[0]!.elapsed_ms!);
    expect(Buffer.from(String(passed.snapshot), 'base64').subarray(0, 2).toString('hex')).toBe('ffd8');

    const denied = await succeed('POST', '/test', { source_url: url.replace('hush', 'wrong') });
    expect(denied).toMatchObject({ ok: false, error: 'media_source_denied', format: null, snapshot: null });
    expect((denied.steps as Json[]).map(({ step, ok }) => [step, ok])).toEqual([
      ['port', true],
      ['sign_in', false],
    ]);
  });

  test('is tested: the first step that fails has the reason', async () => {
    const closed = await succeed('POST', '/test', { source_url: 'rtsp://127.0.0.1:9/ch1' });
    expect(closed).toMatchObject({ ok: false, error: 'fetch_unreachable', steps: [{ step: 'port', ok: false }] });
    const refused = await succeed('POST', '/test', { source_url: 'rtsp://169.254.169.254/ch1' });
    expect(refused).toMatchObject({ error: 'fetch_address_refused', steps: [{ step: 'port', ok: false }] });
    const page = createServer((request, response) => {
      if (request.url === '/secret') return void response.writeHead(401).end();
      response.end('<html>Camera</html>');
    }).listen(0, '127.0.0.1');
    await once(page, 'listening');
    onTestFinished(() => void page.close());
    const at = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const web = await succeed('POST', '/test', { source_url: `${at}/` });
    expect(web).toMatchObject({
      ok: false,
      steps: [
        { step: 'port', ok: true },
        { step: 'first_frame', ok: false },
      ],
      message: expect.stringMatching(/web page/i),
    });
    const secret = await succeed('POST', '/test', { source_url: `${at}/secret` });
    expect(secret).toMatchObject({
      error: 'live_source_denied',
      steps: [{ step: 'port' }, { step: 'sign_in', ok: false }],
    });
  });

  test('is recorded while it is on, and its recordings are found by its id', async () => {
    const { url } = await startSource('viewer', 'hush');
    const { camera_id: id } = await add({ name: 'Dock', source_url: url });
    const live = await until(id, 'live');
    expect(live).toMatchObject({ error: null, session_id: expect.any(String), last_frame_at: expect.any(String) });
    const [session] = await sessionsOf(id);
    expect(session).toMatchObject({ session_id: live.session_id, stream_id: id, camera_id: id, name: 'Dock' });
    const image = await fetch(String(live.snapshot_url).replace(PUBLIC_URL, studio.api.base));
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const altered = String(live.snapshot_url).replace(PUBLIC_URL, studio.api.base).replace('token=', 'token=x');
    expect((await fetch(altered)).status).toBe(403);

    await succeed('PATCH', `/${id}`, { enabled: false });
    await until(id, 'off');
    const videos = await studio.api.call('GET', `/api/videos?camera_id=${id}`, { key: studio.key });
    expect(videos.json.videos).toMatchObject([
      {
        video_id: session!.video_id,
        camera_id: id,
        video_name: expect.stringMatching(/^Dock \d{4}-\d\d-\d\d \d\d:\d\d$/),
      },
    ]);

    await succeed('PATCH', `/${id}`, { enabled: true });
    await until(id, 'live');
    // Its session ends with it; its recordings stay.
    await succeed('DELETE', `/${id}`);
    await expect.poll(async () => (await studio.library.videos.find(String(session!.video_id)))?.cameraId).toBe(null);
  });

  test('that cannot be reached is offline with the reason, and is recorded once it can', async () => {
    const { server, url } = await startSource();
    server.refuse(true);
    const { camera_id: id } = await add({ name: 'Yard', source_url: url });
    const offline = await until(id, 'offline');
    expect(offline).toMatchObject({ message: expect.any(String), offline_since: expect.any(String) });
    server.refuse(false);
    const live = await until(id, 'live');
    expect(live).toMatchObject({ error: null, message: null, offline_since: null });
    await succeed('PATCH', `/${id}`, { enabled: false });
    await until(id, 'off');
  });

  test('reports its bitrate, and the interruptions after which it was recorded again', async () => {
    const { server, url } = await startSource();
    const { camera_id: id } = await add({ name: 'Hall', source_url: url });
    const live = await until(id, 'live');
    expect(live).toMatchObject({ interruption_count: 0, lost_s: 0 });
    expect(live.bitrate).toBeGreaterThan(10_000);
    server.refuse(true);
    expect(await until(id, 'offline')).toMatchObject({ session_id: live.session_id, bitrate: null });
    // Shorter pauses are no gap.
    const silentMs = async () => Date.now() - Date.parse(String((await read(id)).last_frame_at));
    await expect.poll(silentMs, { timeout: 20_000, interval: 200 }).toBeGreaterThan(2_000);
    server.refuse(false);
    const again = await until(id, 'live');
    expect(again).toMatchObject({ session_id: live.session_id, interruption_count: 1 });
    expect(again.lost_s).toBeGreaterThan(0);
    expect(again.lost_s).toBeLessThan((Date.now() - Date.parse(String(live.last_frame_at))) / 1_000);
    await succeed('PATCH', `/${id}`, { enabled: false });
    await until(id, 'off');
  });

  test('that has another source is restarted with it', async () => {
    const { server, url } = await startSource();
    const other = await startSource();
    const { camera_id: id } = await add({ source_url: url });
    const before = await until(id, 'live');
    await succeed('PATCH', `/${id}`, { source_url: other.url });
    await expect
      .poll(async () => (await read(id)).session_id, { timeout: 60_000, interval: 200 })
      .not.toBe(before.session_id);
    await until(id, 'live');
    expect(other.server.connections()).toBeGreaterThan(0);
    const [now, earlier] = await sessionsOf(id);
    expect([now!.source_url, earlier!.source_url]).toEqual([other.url, url]);
    expect(server.connections()).toBe(1);
    await succeed('PATCH', `/${id}`, { enabled: false });
    await until(id, 'off');
  });
});
