import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '#platform/ids';
import { PROBE } from '#test/library';
import { sceneClip } from '#test/media/clips';
import {
  add,
  addClip,
  api,
  library,
  me,
  original,
  pathOf,
  play,
  secrets,
  sign,
  usePlayback,
  videoId,
} from './playback.fixture.ts';

usePlayback();

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
    const expired = secrets.sign('playback-film-GET', videoId, new Date(Date.now() - 1_000));
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
    expect(await refused(path.replace(token, expired))).toEqual([403, 'playback_url_expired']);
    expect((await play(path)).status).toBe(200);
  });

  test('for HEAD does not fetch', async () => {
    const answer = await sign(videoId, { method: 'HEAD' });
    expect(answer.json.method).toBe('HEAD');
    expect((await play(pathOf(answer), {}, 'HEAD')).headers.get('content-length')).toBe(String(original.length));
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

describe('many signed URLs at once', () => {
  const signMany = (requests: unknown) =>
    api.call('POST', '/api/video/signed-urls', { key: me.key, json: { requests } });

  test('come under the name of their request, each with an outcome of its own', async () => {
    const coming = await library.add(me.caller);
    const stranger = await library.addUser();
    const theirs = await library.add({ ...me.caller, userId: stranger.userId, orgId: stranger.orgId });
    const { status, json } = await signMany([
      { request_id: 'film', video_id: videoId, expires_in: 60 },
      { request_id: 'poster', video_id: videoId, kind: 'poster', method: 'HEAD', share_token: null },
      { request_id: 'unknown', video_id: newId() },
      { request_id: 'coming', video_id: coming },
      { request_id: '__proto__', video_id: theirs },
    ]);
    expect(status).toBe(200);
    const results = json.results as Record<string, Record<string, unknown>>;
    expect(Object.entries(results)).toEqual([
      ['film', { ok: true, url: expect.stringContaining(videoId), expires_at: expect.any(String), method: 'GET' }],
      [
        'poster',
        { ok: true, url: expect.stringContaining('poster.jpg'), expires_at: expect.any(String), method: 'HEAD' },
      ],
      ['unknown', { ok: false, error: 'video_not_found', message: expect.any(String), status: 404 }],
      ['coming', { ok: false, error: 'video_not_ready', message: expect.any(String), status: 409 }],
      ['__proto__', { ok: false, error: 'video_forbidden', message: expect.any(String), status: 403 }],
    ]);
    expect((await play(pathOf({ json: results.film! }))).body.equals(original)).toBe(true);
  });

  test('are fifty at most, each under a name of its own', async () => {
    const requests = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ request_id: `${i}`, video_id: videoId }));
    const answer = await signMany(requests(50));
    expect([answer.status, Object.keys(answer.json.results as object).length]).toEqual([200, 50]);
    expect((await signMany(requests(51))).status).toBe(400);
    expect((await signMany([])).status).toBe(400);
    expect(await signMany([...requests(2), ...requests(1)])).toMatchObject({
      status: 400,
      json: { error: 'request_repeated' },
    });
  });
});

describe('a token of one kind', () => {
  test('opens nothing of another kind', async () => {
    const id = await addClip(await sceneClip());
    const places = {
      film: [''],
      poster: ['/poster.jpg'],
      frame: ['/frame.jpg'],
      storyboard: ['/storyboard.vtt', '/storyboard.jpg'],
      clip: ['/clip.mp4'],
      hls: ['/hls/index.m3u8', '/hls/init.mp4', '/hls/0.m4s'],
    };
    for (const [kind, own] of Object.entries(places)) {
      const path = pathOf(await sign(id, { kind, start: 1, end: 2 }));
      expect(path).toContain(`/api/media/${id}${own[0]}?`);
      const token = path.split('token=')[1];
      for (const place of Object.values(places).flat()) {
        const answer = await play(`/api/media/${id}${place}?start=1&end=2&token=${token}`);
        const expected = own.includes(place) ? 200 : 403;
        expect([kind, place, answer.status]).toEqual([kind, place, expected]);
        if (expected === 403) expect(JSON.parse(answer.body.toString()).error).toBe('playback_url_invalid');
      }
    }
  });
});

describe('the video file', () => {
  let path: string;
  beforeAll(async () => {
    path = pathOf(await sign(videoId));
  });

  test('comes whole, named and typed, and is only ever looked at', async () => {
    const { status, headers, body } = await play(path);
    expect(status).toBe(200);
    expect(body.equals(original)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '1000000',
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(original).digest('hex')}"`,
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
    expect(body.equals(original.subarray(start, end + 1))).toBe(true);
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
    expect([status, body.length]).toEqual([200, original.length]);
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
      const id = await add(Buffer.from('x'), { name: 'page.html', probe: { ...PROBE, container } });
      const { headers } = await play(pathOf(await sign(id)), {}, 'HEAD');
      expect(headers.get('content-type')).toBe(type);
    }
  });

  test('of a real clip plays as video/mp4', async () => {
    const clip = await sceneClip();
    const id = await addClip(clip);
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
    await vi.waitFor(() => expect(stream.destroyed).toBe(true), { timeout: 30_000 });
    open.mockRestore();
  });

  test('that is missing in storage is 404', async () => {
    const id = await add(Buffer.from('lost'));
    const path = pathOf(await sign(id));
    await library.storage.remove(`contents/${id}/source`);
    expect((await play(path)).status).toBe(404);
    expect((await play(path, {}, 'HEAD')).status).toBe(404);
  });
});
