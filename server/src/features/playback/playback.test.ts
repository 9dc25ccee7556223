import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Library, openLibrary, PROBE } from '#features/videos/videos.fixture';
import type { Caller } from '#platform/http/index';
import { createSecrets } from '#platform/secrets/index';
import { client } from '#test/http';
import { createPlayback, playbackRoutes } from './index.ts';

const SIZE = 300_000;
const bytes = randomBytes(SIZE);
const secrets = createSecrets('a secret that is long enough for tests');

let library: Library;
let me: { key: string; caller: Caller };
let stranger: typeof me;
let base = '';
let videoId = '';

beforeAll(async () => {
  library = await openLibrary();
  const { storage, videos } = library;
  // The port is known only once the app listens; a signed URL's path is what is tested.
  playbackRoutes(library.app, createPlayback({ storage, videos, secrets, publicUrl: 'http://public.example' }));
  me = await library.keyOf(library.owner, ['read', 'write']);
  stranger = await library.keyOf(await library.addUser(), ['read']);
  base = (await library.serve()).base;
  videoId = await add('Ünï “film”.mp4');
});
afterAll(() => library?.close());

async function add(name: string): Promise<string> {
  const id = await library.add(me.caller, { name });
  const { storageKey } = (await library.videos.find(id))!;
  const { size, sha256 } = await library.storage.write(storageKey, bytes);
  await library.database.transaction((trx) =>
    library.videos.markReady(trx, id, { probe: PROBE, sizeBytes: size, sha256 }),
  );
  return id;
}

const sign = (id: string, json?: unknown, { key } = me) =>
  client(base).call('POST', `/api/video/${id}/signed-url`, { key, json });

async function play(url: string, init: RequestInit = {}) {
  const { pathname, search } = new URL(url);
  const response = await fetch(base + pathname + search, init);
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

const urlOf = async (json?: unknown, id = videoId) => String((await sign(id, json)).json.url);

describe('a signed URL', () => {
  test('is given for an empty body, with existing clients’ fields, and for as long as asked', async () => {
    expect((await sign(videoId)).json).toMatchObject({ method: 'GET' });
    const answer = await sign(videoId, {
      path: null,
      expires_in: 60,
      method: 'HEAD',
      share_token: null,
      batch_id: 'b',
    });
    expect(answer).toMatchObject({ status: 200, json: { method: 'HEAD' } });
    const left = Date.parse(String(answer.json.expires_at)) - Date.now();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThan(62_000);
    expect(String(answer.json.url)).toMatch(/^http:\/\/public\.example\/api\/media\//);
  });

  test('is not given for a wrong lifetime, a wrong method, another tenant, an unknown or an unfinished video', async () => {
    expect((await sign(videoId, { expires_in: 59 })).status).toBe(400);
    expect((await sign(videoId, { expires_in: 3601 })).status).toBe(400);
    expect((await sign(videoId, { method: 'PUT' })).status).toBe(400);
    expect(await sign(videoId, {}, stranger)).toMatchObject({ status: 403, json: { error: 'video_forbidden' } });
    expect(await sign('0'.repeat(32))).toMatchObject({ status: 404, json: { error: 'video_not_found' } });
    const arriving = await library.add(me.caller);
    expect(await sign(arriving)).toMatchObject({ status: 409, json: { error: 'video_not_ready' } });
  });

  test('says so when it was altered, has expired, or is used for what it was not given for', async () => {
    const url = await urlOf();
    const last = url.at(-1) === 'A' ? 'B' : 'A';
    expect((await play(url.slice(0, -1) + last)).status).toBe(403);
    const other = await add('other.mp4');
    expect((await play(url.replace(videoId, other))).status).toBe(403);
    expect((await play(url.replace(/token=.*/, 'token=x'))).status).toBe(403);
    expect((await play(url.replace(/\?.*/, ''))).status).toBe(400);
    const past = secrets.sign('playback-GET', videoId, new Date(Date.now() - 1_000));
    const expired = await play(url.replace(/token=.*/, `token=${past}`));
    expect(JSON.parse(expired.body.toString())).toMatchObject({ error: 'playback_url_expired' });
    const headOnly = await urlOf({ method: 'HEAD' });
    expect((await play(headOnly)).status).toBe(403);
    expect((await play(headOnly, { method: 'HEAD' })).status).toBe(200);
  });

  test('dies with its video', async () => {
    const id = await add('short-lived.mp4');
    const url = await urlOf({}, id);
    expect((await play(url)).status).toBe(200);
    await library.videos.remove(me.caller, id);
    expect((await play(url)).status).toBe(404);
  });
});

describe('the film', () => {
  test('comes whole, with what players and caches need to know', async () => {
    const whole = await play(await urlOf());
    expect(whole.status).toBe(200);
    expect(whole.body.equals(bytes)).toBe(true);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(SIZE),
      'content-type': 'video/mp4',
      'x-content-type-options': 'nosniff',
    });
    expect(whole.headers.get('content-disposition')).toMatch(/^inline; filename=".*"; filename\*=UTF-8''/);
    const head = await play(await urlOf(), { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    expect(head.headers.get('content-length')).toBe(String(SIZE));
  });

  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=100-199', 100, 199],
    ['bytes=299990-', 299_990, SIZE - 1],
    ['bytes=-10', SIZE - 10, SIZE - 1],
    ['bytes=299000-999999', 299_000, SIZE - 1],
  ];
  test.each(ranges)('comes in part for %s', async (range, start, end) => {
    const part = await play(await urlOf(), { headers: { range } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/${SIZE}`);
    expect(part.body.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test('is refused outside of itself, and comes whole for a range that makes no sense', async () => {
    const outside = await play(await urlOf(), { headers: { range: `bytes=${SIZE}-` } });
    expect(outside.status).toBe(416);
    expect(outside.headers.get('content-range')).toBe(`bytes */${SIZE}`);
    for (const range of ['frames=1-2', 'bytes=abc', 'bytes=0-1,5-6']) {
      expect((await play(await urlOf(), { headers: { range } })).status).toBe(200);
    }
  });

  test('is not sent again to who has it, and not in part to who has another', async () => {
    const url = await urlOf();
    const etag = (await play(url, { method: 'HEAD' })).headers.get('etag')!;
    expect((await play(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const range = 'bytes=0-9';
    expect((await play(url, { headers: { range, 'if-range': etag } })).status).toBe(206);
    expect((await play(url, { headers: { range, 'if-range': '"another"' } })).status).toBe(200);
  });

  test('stops being read when the client leaves', async () => {
    const leaving = new AbortController();
    const { pathname, search } = new URL(await urlOf());
    const response = await fetch(base + pathname + search, { signal: leaving.signal });
    await response.body!.getReader().read();
    leaving.abort();
    // The next request is served as ever: nothing is left hanging.
    expect((await play(await urlOf())).status).toBe(200);
  });
});
