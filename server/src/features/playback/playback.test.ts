import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { createSecrets, type Secrets } from '#platform/secrets/index';
import { createTestMedia, flatClip, flatLevel, sceneClip } from '#test/clips';
import { footage, hasFootage } from '#test/footage';
import type { Client } from '#test/http';
import { type Library, openLibrary, PROBE } from '#test/library';
import type { Seen } from '#test/media-tasks';
import { createPlayback, playbackRoutes } from './index.ts';

let library: Library;
let api: Client;
let secrets: Secrets;
let me: { key: string; caller: Caller };
let film: Buffer;
let videoId: string;
let media: Media;

beforeAll(async () => {
  library = await openLibrary();
  secrets = createSecrets('s'.repeat(32));
  media = await createTestMedia();
  const playback = createPlayback({ ...library, media, secrets, publicUrl: 'http://public.example' });
  playbackRoutes(library.app, playback);
  api = await library.serve();
  me = await library.keyOf(library.owner, ['read', 'write']);
  film = randomBytes(1_000_000);
  videoId = await add(film, { name: 'Junction – "day" 雪.mp4' });
});
afterAll(async () => {
  library?.app.server.closeAllConnections();
  await library?.close();
  await media?.close();
});

/** A video that is stored, as the uploads room leaves it. */
async function add(bytes: Buffer, more: Parameters<Library['add']>[1] = {}, probe = PROBE): Promise<string> {
  const id = await library.add(me.caller, more);
  const video = await library.videos.find(id);
  const { size, sha256 } = await library.storage.write(video!.storageKey, bytes);
  await library.database.transaction((trx) => library.videos.markReady(trx, id, { probe, sizeBytes: size, sha256 }));
  return id;
}

/** A clip as it is after its upload. */
const addClip = async (path: string) => add(await readFile(path), {}, await media.probe(path));

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
    expect((await play(pathOf({ json: results.film! }))).body.equals(film)).toBe(true);
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

describe('pictures of a film', () => {
  let clip: string;
  let id: string;
  const urlOf = async (kind: string, video = id) => pathOf(await sign(video, { kind }));
  /** Mean level, 0 to 255, of an area of a JPEG. */
  async function levelOf(jpeg: Buffer, area?: [x: number, y: number, width: number, height: number]): Promise<number> {
    const image = await loadImage(jpeg);
    const context = createCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(...(area ?? [0, 0, image.width, image.height]));
    return data.filter((_, i) => i % 4 === 1).reduce((sum, value) => sum + value, 0) / (data.length / 4);
  }
  const times = Array.from({ length: 30 }, (_, i) => i * 0.4);

  beforeAll(async () => {
    clip = await flatClip({ times, endS: 12 });
    id = await addClip(clip);
  });

  test('a poster is a JPEG that is made once, for as many as ask at the same time', async () => {
    const make = vi.spyOn(media, 'picture');
    const path = await urlOf('poster');
    const answers = await Promise.all(Array.from({ length: 8 }, () => play(path)));
    const [first] = answers;
    expect(first).toMatchObject({ status: 200, body: expect.any(Buffer) });
    expect(Object.fromEntries(first!.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(first!.body.length),
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"/),
    });
    expect(answers.every(({ body }) => body.equals(first!.body))).toBe(true);
    expect((await loadImage(first!.body)).width).toBe(64);
    expect((await play(path, { 'if-none-match': first!.headers.get('etag')! })).status).toBe(304);
    const part = await play(path, { range: 'bytes=2-5' });
    expect([part.status, part.body.equals(first!.body.subarray(2, 6))]).toEqual([206, true]);
    expect((await play(path, { range: 'bytes=900000-' })).status).toBe(416);
    expect((await play(path, {}, 'HEAD')).headers.get('content-length')).toBe(String(first!.body.length));
    expect(make).toHaveBeenCalledTimes(1);
    make.mockRestore();
  });

  test('a frame is the one on screen at the time', async () => {
    const path = await urlOf('frame');
    // In the middle of a frame, at its very beginning, just before its end; the flat pictures differ by more than coding does.
    for (const [t, frame] of [
      [0, 0],
      [0.5, 1],
      [2, 5],
      [2.399, 5],
      [2.4, 6],
      [12, 29],
    ] as const) {
      const { status, headers, body } = await play(`${path}&t=${t}`);
      expect([t, status, headers.get('content-type')]).toEqual([t, 200, 'image/jpeg']);
      expect(Math.abs((await levelOf(body, [20, 20, 40, 20])) - flatLevel(frame)), `at ${t}`).toBeLessThan(4);
    }
    expect((await play(path)).body.equals((await play(`${path}&t=0`)).body)).toBe(true);
    expect((await play(`${path}&t=1`, {}, 'HEAD')).headers.get('content-length')).toMatch(/^\d{3,}$/);
    const outside = await play(`${path}&t=12.5`);
    expect([outside.status, JSON.parse(outside.body.toString()).error]).toEqual([400, 'time_outside']);
    for (const t of ['-1', 'x', '']) expect((await play(`${path}&t=${t}`)).status, t).toBe(400);
  });

  test('a storyboard points into a sheet on which each thumbnail is of its own time', async () => {
    const path = await urlOf('storyboard');
    const { headers, body } = await play(path);
    expect(headers.get('content-type')).toBe('text/vtt; charset=utf-8');
    const cue =
      /^(\d\d:\d\d:\d\d\.\d{3}) --> (\d\d:\d\d:\d\d\.\d{3})\n(storyboard\.jpg\?token=\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm;
    const cues = [...body.toString().matchAll(cue)];
    expect(body.toString().startsWith('WEBVTT\n\n')).toBe(true);
    expect(cues.length).toBe(12);
    expect([cues[0]![1], cues[0]![2], cues[11]![2]]).toEqual(['00:00:00.000', '00:00:01.000', '00:00:12.000']);
    const sheet = await play(new URL(cues[0]![3]!, api.base + path).href.slice(api.base.length));
    expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    for (const [i, [, , , , ...numbers]] of cues.entries()) {
      const [x, y, width, height] = numbers.map(Number) as [number, number, number, number];
      const shown = times.findLastIndex((time) => time <= i + 1e-6);
      const level = await levelOf(sheet.body, [x + 20, y + 16, width - 30, height - 24]);
      expect(Math.abs(level - flatLevel(shown)), `tile ${i}`).toBeLessThan(5);
    }
  });

  test('go with the film', async () => {
    const gone = await addClip(clip);
    const paths = await Promise.all(['poster', 'frame', 'storyboard'].map((kind) => urlOf(kind, gone)));
    for (const path of paths) expect((await play(path)).status).toBe(200);
    const kept = async () => {
      const keys: string[] = [];
      for await (const { key } of library.storage.list(`videos/${gone}/`)) keys.push(key);
      return keys.sort();
    };
    expect(await kept()).toEqual([`videos/${gone}/playback/poster-1.jpg`]);
    await library.videos.remove(me.caller, gone);
    for (const path of paths) expect((await play(path)).status).toBe(404);
  });

  test('made while the film is deleted do not stay', async () => {
    const going = await addClip(clip);
    const path = await urlOf('poster', going);
    const make = vi.spyOn(media, 'picture').mockImplementationOnce(async () => {
      await library.videos.remove(me.caller, going);
      return Buffer.from('a poster');
    });
    expect((await play(path)).status).toBe(404);
    make.mockRestore();
    expect(await library.storage.stat(`videos/${going}/playback/poster-1.jpg`)).toBeNull();
  });

  test('of a damaged film are not found, in words', async () => {
    const id = await add(Buffer.from('not a film'));
    for (const kind of ['poster', 'frame']) {
      const { status, body } = await play(await urlOf(kind, id));
      expect([status, JSON.parse(body.toString())]).toMatchObject([404, { error: 'playback_unmakeable' }]);
    }
  });

  test('are not made on for a client that left, while others wait', async () => {
    const id = await addClip(clip);
    const path = await urlOf('poster', id);
    let signal: AbortSignal | undefined;
    const release = Promise.withResolvers<Buffer>();
    const make = vi.spyOn(media, 'picture').mockImplementation(async (_, options) => {
      signal = options.signal;
      return release.promise;
    });
    const leaving = new AbortController();
    const left = fetch(api.base + path, { signal: leaving.signal }).catch(() => 'left');
    await vi.waitFor(() => expect(signal).toBeDefined());
    const staying = play(path);
    await sleep(100);
    leaving.abort();
    expect(await left).toBe('left');
    await sleep(100);
    expect(signal!.aborted).toBe(false);
    release.resolve(Buffer.from('poster'));
    expect((await staying).body.toString()).toBe('poster');
    expect(make).toHaveBeenCalledTimes(1);
    make.mockRestore();
  });
});

describe('a clip', () => {
  let id: string;
  beforeAll(async () => {
    id = await addClip(await sceneClip());
  });
  const signClip = (start?: unknown, end?: unknown) => sign(id, { kind: 'clip', start, end });

  test('is the stretch it was signed for, made once, and nothing else', async () => {
    const make = vi.spyOn(media, 'cut');
    const path = pathOf(await signClip(2.5, 4));
    const answers = await Promise.all([play(path), play(path), play(path, {}, 'HEAD')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(make).toHaveBeenCalledTimes(1);
    make.mockRestore();
    const { headers, body } = answers[0]!;
    expect(headers.get('content-type')).toBe('video/mp4');
    const file = join(library.folder, 'clip.mp4');
    await writeFile(file, body);
    expect(await media.probe(file)).toMatchObject({ durationS: expect.closeTo(1.5, 1), audio: { codec: 'aac' } });
    expect((await play(path, { range: `bytes=${body.length}-` })).status).toBe(416);
    for (const other of [path.replace('start=2.5', 'start=0'), path.replace('end=4', 'end=16')]) {
      const { status, body } = await play(other);
      expect([status, JSON.parse(body.toString()).error]).toEqual([403, 'playback_url_invalid']);
    }
  });

  test('ends with the film at the latest', async () => {
    expect((await signClip(15, 99)).json.url).toMatch(/start=15&end=16(\.\d+)?&/);
  });

  test.each([
    [undefined, undefined],
    [1, undefined],
    [3, 3],
    [3, 2],
    [16.5, 20],
  ])('from %s to %s is none', async (start, end) => {
    expect(await signClip(start, end)).toMatchObject({ status: 400, json: { error: 'clip_invalid' } });
  });

  test('of more than five minutes is none', async () => {
    const long = await add(Buffer.from('long'), {}, { ...PROBE, durationS: 4_000 });
    expect((await sign(long, { kind: 'clip', start: 100, end: 400 })).status).toBe(200);
    expect(await sign(long, { kind: 'clip', start: 100, end: 400.1 })).toMatchObject({
      status: 400,
      json: { error: 'clip_invalid' },
    });
  });
});

describe('a stream', () => {
  /** Everything a player fetches, put together; the playlist's lengths add up. */
  async function watch(id: string) {
    const path = pathOf(await sign(id, { kind: 'hls' }));
    const { status, headers, body } = await play(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl']);
    const lines = body.toString().trim().split('\n');
    expect([lines[0], lines.at(-1)]).toEqual(['#EXTM3U', '#EXT-X-ENDLIST']);
    const lengths = lines.flatMap((line) => /^#EXTINF:([\d.]+),$/.exec(line)?.[1] ?? []).map(Number);
    const target = Number(/TARGETDURATION:(\d+)/.exec(body.toString())![1]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(target);
    const names = [/MAP:URI="(.+)"/.exec(body.toString())![1]!, ...lines.filter((line) => line[0] !== '#')];
    expect(names.length).toBe(lengths.length + 1);
    const parts: Buffer[] = [];
    for (const name of names) {
      const part = await play(new URL(name, api.base + path).href.slice(api.base.length));
      expect([name, part.status]).toEqual([name, 200]);
      expect(part.headers.get('access-control-allow-origin')).toBe('*');
      parts.push(part.body);
    }
    const file = join(library.folder, `${id}.mp4`);
    await writeFile(file, Buffer.concat(parts));
    return { path, file, lengths };
  }
  const packetsOf = (path: string) =>
    media.run<Seen>({
      module: new URL('../../../test/media-tasks.ts', import.meta.url),
      name: 'see',
      args: { path, picture: { width: 16, height: 16, format: 'gray' } },
    });

  test('of H.264 is the film itself, packet by packet, in pieces', async () => {
    const clip = await sceneClip();
    const { file, lengths } = await watch(await addClip(clip));
    expect(lengths.length).toBeGreaterThan(1);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(16, 1);
    const [film, stream] = [await packetsOf(clip), await packetsOf(file)];
    expect(stream.packets.map(({ bytes }) => bytes)).toEqual(film.packets.map(({ bytes }) => bytes));
    for (const [i, { timeS }] of film.packets.entries()) expect(stream.packets[i]!.timeS).toBeCloseTo(timeS, 3);
    expect(stream.summary.errors).toBe(0);
  });

  test('names its segments in one way, and has no others', async () => {
    const id = await addClip(await sceneClip());
    const path = pathOf(await sign(id, { kind: 'hls' }));
    for (const [name, status] of [
      ['9999.m4s', 404],
      ['00.m4s', 404],
      ['x.m4s', 400],
      ['..%2Fsource', 400],
    ] as const) {
      expect([name, (await play(path.replace('index.m3u8', name))).status]).toEqual([name, status]);
    }
  });

  const odd = hasFootage ? ['tricky/mpf_h265_aac.mp4', 'tricky/torchcodec_h264_10bits.mp4'] : [];
  test.each(odd)('of %s, which not every browser plays, is H.264, frame by frame at the same times', async (name) => {
    const path = footage(name);
    const { file } = await watch(await addClip(path));
    expect((await media.probe(file)).video).toMatchObject({ codec: 'h264', pixelFormat: 'yuv420p' });
    const [film, stream] = [await packetsOf(path), await packetsOf(file)];
    expect(stream.frames.length).toBe(film.frames.length);
    for (const [i, { timeS }] of film.frames.entries()) expect(stream.frames[i]!.timeS).toBeCloseTo(timeS, 3);
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
    await vi.waitFor(() => expect(stream.destroyed).toBe(true), { timeout: 5_000 });
    open.mockRestore();
  });

  test('that is gone from storage is 404', async () => {
    const id = await add(Buffer.from('lost'));
    const path = pathOf(await sign(id));
    await library.storage.remove(`contents/${id}/source`);
    expect((await play(path)).status).toBe(404);
    expect((await play(path, {}, 'HEAD')).status).toBe(404);
  });
});
