import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import { createSecrets, type Secrets } from '#platform/secrets/index';
import { createTestMedia, sceneClip } from '#test/clips';
import type { Client } from '#test/http';
import { type Library, openLibrary, PROBE } from '#test/library';
import { createPlayback, playbackRoutes } from './index.ts';

let library: Library;
let api: Client;
let secrets: Secrets;
let me: { key: string; caller: Caller };
let film: Buffer;
let videoId: string;

beforeAll(async () => {
  library = await openLibrary();
  secrets = createSecrets('s'.repeat(32));
  const { storage, videos } = library;
  const playback = createPlayback({ storage, videos, secrets, publicUrl: 'http://public.example' });
  playbackRoutes(library.app, playback);
  api = await library.serve();
  me = await library.keyOf(library.owner, ['read', 'write']);
  film = randomBytes(1_000_000);
  videoId = await add(film, { name: 'Junction – "day" 雪.mp4' });
});
afterAll(async () => {
  library?.app.server.closeAllConnections();
  await library?.close();
});

/** A video that is stored, as the uploads room leaves it. */
async function add(bytes: Buffer, more: Parameters<Library['add']>[1] = {}, probe = PROBE): Promise<string> {
  const id = await library.add(me.caller, more);
  const video = await library.videos.find(id);
  const { size, sha256 } = await library.storage.write(video!.storageKey, bytes);
  await library.database.transaction((trx) => library.videos.markReady(trx, id, { probe, sizeBytes: size, sha256 }));
  return id;
}

const sign = (id: string, body?: unknown, key = me.key) =>
  api.call('POST', `/api/video/${id}/signed-url`, { key, ...(body === undefined ? {} : { json: body }) });
/** Where a signed URL leads on this test's port. */
const pathOf = (answer: { json: Record<string, unknown> }) =>
  (answer.json.url as string).replace('http://public.example', '');
async function play(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(api.base + path, { method, headers });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

describe('a signed URL', () => {
  test('is given for fifteen minutes unless asked otherwise, with whatever existing clients send', async () => {
    const times: number[] = [];
    for (const body of [
      undefined,
      { expires_in: 900 },
      { method: 'GET' },
      { path: null, share_token: null, allow_sample: false, batch_id: null, expires_in: null, method: null },
      { expires_in: 60 },
      { expires_in: 3600 },
    ]) {
      const answer = await sign(videoId, body);
      expect(answer).toMatchObject({
        status: 200,
        json: { method: 'GET', url: expect.stringMatching(/^http:\/\/public\.example\//) },
      });
      times.push(Math.round((Date.parse(answer.json.expires_at as string) - Date.now()) / 100) / 10);
      expect((await play(pathOf(answer), {}, 'HEAD')).status).toBe(200);
    }
    for (const [i, seconds] of [900, 900, 900, 900, 60, 3600].entries()) {
      expect(times[i]! - seconds, `${i}`).toBeGreaterThan(-1);
      expect(times[i]! - seconds, `${i}`).toBeLessThan(2);
    }
  });

  test.each([{ expires_in: 59 }, { expires_in: 3601 }, { expires_in: '900' }, { method: 'PUT' }, []])(
    'is not given for %j',
    async (body) => expect((await sign(videoId, body)).status).toBe(400),
  );

  test('is for those who may see the video, once it is there', async () => {
    const stranger = await library.keyOf(await library.addUser(), ['read']);
    expect(await sign(videoId, undefined, stranger.key)).toMatchObject({
      status: 403,
      json: { error: 'video_forbidden' },
    });
    expect(await sign(newId())).toMatchObject({ status: 404, json: { error: 'video_not_found' } });
    const coming = await library.add(me.caller);
    expect(await sign(coming)).toMatchObject({ status: 409, json: { error: 'video_not_ready' } });
  });

  test('that was altered, is for another video or use, or has expired, plays nothing', async () => {
    const other = await add(Buffer.from('other'));
    const path = pathOf(await sign(videoId));
    const token = path.split('token=')[1]!;
    const soon = secrets.sign('playback-GET', videoId, new Date(Date.now() + 500));
    const refused = async (path: string) => {
      const { status, body, headers } = await play(path);
      expect(headers.get('content-type')).toMatch(/json/);
      return [status, JSON.parse(body.toString()).error];
    };
    expect(await refused(path.replace(videoId, other))).toEqual([403, 'playback_url_invalid']);
    for (const bad of [
      `${token}x`,
      token.slice(0, -1),
      `z${token}`,
      'x',
      '..',
      secrets.sign('evidence', videoId, new Date(Date.now() + 9e5)),
    ]) {
      expect(await refused(path.replace(token, encodeURIComponent(bad))), bad).toEqual([403, 'playback_url_invalid']);
    }
    expect((await refused(path.replace(`?token=${token}`, '')))[0]).toBe(400);
    expect((await play(path.replace(token, soon))).status).toBe(200);
    await sleep(1_600);
    expect(await refused(path.replace(token, soon))).toEqual([403, 'playback_url_expired']);
    expect((await play(path)).status).toBe(200);
  });

  test('for HEAD does not fetch', async () => {
    const answer = await sign(videoId, { method: 'HEAD' });
    expect(answer.json.method).toBe('HEAD');
    expect((await play(pathOf(answer), {}, 'HEAD')).headers.get('content-length')).toBe(String(film.length));
    expect((await play(pathOf(answer))).status).toBe(403);
  });

  test('dies with its video', async () => {
    const id = await add(Buffer.from('short'));
    const path = pathOf(await sign(id));
    expect((await play(path)).body.toString()).toBe('short');
    await library.videos.remove(me.caller, id);
    expect(await play(path)).toMatchObject({ status: 404 });
  });
});

describe('the film', () => {
  let path: string;
  beforeAll(async () => {
    path = pathOf(await sign(videoId));
  });

  test('comes whole, named and typed, and is only ever looked at', async () => {
    const { status, headers, body } = await play(path);
    expect(status).toBe(200);
    expect(body.equals(film)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '1000000',
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(film).digest('hex')}"`,
      'last-modified': expect.stringMatching(/GMT$/),
      'content-disposition': `inline; filename="Junction ? \\"day\\" ?.mp4"; filename*=UTF-8''Junction%20%E2%80%93%20%22day%22%20%E9%9B%AA.mp4`,
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
    expect(headers.get('access-control-expose-headers')).toMatch(/Content-Range/);
  });

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=999990-', 999_990, 999_999],
    ['bytes=-10', 999_990, 999_999],
    ['bytes=0-', 0, 999_999],
    ['bytes=500-2000000', 500, 999_999],
    ['bytes=-2000000', 0, 999_999],
    ['bytes=0-0', 0, 0],
  ])('in the range %s', async (range, start, end) => {
    const { status, headers, body } = await play(path, { range });
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/1000000`]);
    expect(headers.get('content-length')).toBe(String(end - start + 1));
    expect(body.equals(film.subarray(start, end + 1))).toBe(true);
    const head = await play(path, { range }, 'HEAD');
    expect([head.status, head.headers.get('content-range'), head.body.length]).toEqual([
      206,
      `bytes ${start}-${end}/1000000`,
      0,
    ]);
  });

  test.each(['bytes=1000000-', 'bytes=2000000-3000000', 'bytes=-0'])('not in the range %s', async (range) => {
    const { status, headers, body } = await play(path, { range });
    expect([status, headers.get('content-range')]).toEqual([416, 'bytes */1000000']);
    expect(JSON.parse(body.toString()).error).toBe('range_outside');
  });

  test.each(['lines=0-1', 'bytes', 'bytes=', 'bytes=a-b', 'bytes=0-1,5-6', ''])('whole for %j', async (range) => {
    const { status, body } = await play(path, { range });
    expect([status, body.length]).toEqual([200, film.length]);
  });

  test('again only when it changed', async () => {
    const { headers } = await play(path, {}, 'HEAD');
    const etag = headers.get('etag')!;
    const modified = headers.get('last-modified')!;
    const range = 'bytes=0-9';
    const before = new Date(Date.parse(modified) - 1000).toUTCString();
    const statuses = async (...cases: Record<string, string>[]) =>
      Promise.all(cases.map(async (headers) => (await play(path, headers)).status));
    expect(
      await statuses(
        { 'if-none-match': etag },
        { 'if-none-match': `"x", W/${etag}` },
        { 'if-none-match': '*' },
        { 'if-none-match': '"x"', 'if-modified-since': modified },
        { 'if-modified-since': modified },
        { 'if-modified-since': before },
        { 'if-modified-since': 'never' },
      ),
    ).toEqual([304, 304, 304, 200, 304, 200, 200]);
    expect(
      await statuses(
        { range, 'if-range': etag },
        { range, 'if-range': '"x"' },
        { range, 'if-range': modified },
        { range, 'if-range': before },
        { range: 'bytes=9999999-', 'if-range': '"x"' },
      ),
    ).toEqual([206, 200, 206, 200, 200]);
  });

  test('under the type that its bytes say, whatever its name', async () => {
    const types: [string, string][] = [
      ['matroska,webm', 'video/x-matroska'],
      ['mov,mp4,m4a,3gp,3g2,mj2', 'video/mp4'],
      ['mpegts', 'video/mp2t'],
      ['avi', 'video/x-msvideo'],
      ['something', 'application/octet-stream'],
    ];
    for (const [container, type] of types) {
      const id = await add(Buffer.from('x'), { name: 'page.html' }, { ...PROBE, container });
      const { headers } = await play(pathOf(await sign(id)), {}, 'HEAD');
      expect(headers.get('content-type')).toBe(type);
    }
  });

  test('of a real clip plays as video/mp4', async () => {
    const media = await createTestMedia();
    const clip = await sceneClip();
    const id = await add(await readFile(clip), {}, await media.probe(clip));
    await media.close();
    const { headers, body } = await play(pathOf(await sign(id)));
    expect(headers.get('content-type')).toBe('video/mp4');
    expect(body.equals(await readFile(clip))).toBe(true);
  });

  test('is let go of when the client leaves', async () => {
    const id = await add(Buffer.alloc(30_000_000));
    const open = vi.spyOn(library.storage, 'read');
    const controller = new AbortController();
    const response = await fetch(api.base + pathOf(await sign(id)), { signal: controller.signal });
    await response.body!.getReader().read();
    const stream = await open.mock.results.at(-1)!.value;
    expect(stream.destroyed).toBe(false);
    controller.abort();
    await vi.waitFor(() => expect(stream.destroyed).toBe(true), { timeout: 5_000 });
    open.mockRestore();
  });

  test('that is gone from storage is 404', async () => {
    const id = await add(Buffer.from('lost'));
    const path = pathOf(await sign(id));
    await library.storage.remove(`videos/${id}/source`);
    expect((await play(path)).status).toBe(404);
    expect((await play(path, {}, 'HEAD')).status).toBe(404);
  });
});
