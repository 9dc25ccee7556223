import { readFile } from 'node:fs/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openLibrary, type TestLibrary } from '#test/library';
import { sceneClip } from '#test/media/clips';
import { type S3Server, startS3Server } from '#test/servers/s3-server';

/** HTTP behavior of each kind of signed URL, which players and browsers rely on. */
const { s3Server } = inject('programs');
const PLACES = [
  ['film', ''],
  ['poster', '/poster.jpg'],
  ['frame', '/frame.jpg'],
  ['storyboard', '/storyboard.vtt'],
  ['storyboard', '/storyboard.jpg'],
  ['clip', '/clip.mp4'],
  ['hls', '/hls/index.m3u8'],
  ['hls', '/hls/init.mp4'],
  ['hls', '/hls/0.m4s'],
] as const;

describe.each(['file', ...(s3Server ? ['s3'] : [])])('on %s storage', (kind) => {
  let library: TestLibrary;
  let s3: S3Server | undefined;
  let base: string;
  let id: string;
  let sign: (kind: string) => Promise<string>;

  async function openBucket() {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    s3 = await startS3Server(s3Server!);
    const client = new S3Client({ endpoint: s3.endpoint, region: 'us-east-1', forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'films' }));
    client.destroy();
    return { SIGHTLINE_STORAGE: 's3://films', SIGHTLINE_S3_ENDPOINT: s3.endpoint };
  }

  beforeAll(async () => {
    library = await openLibrary(kind === 's3' ? await openBucket() : {});
    const { api, media } = library;
    base = api.base;
    const me = await library.keyOf(library.owner, ['read', 'write']);
    const clip = await sceneClip();
    id = await library.addStored(me.caller, await readFile(clip), { probe: await media.probe(clip) });
    sign = async (kind) => {
      const json = { kind, start: 1, end: 2 };
      const answer = await api.call('POST', `/api/video/${id}/signed-url`, { key: me.key, json });
      return String(answer.json.url).split('token=')[1]!;
    };
  });
  afterAll(async () => {
    await library?.close();
    await s3?.stop();
    vi.unstubAllEnvs();
  });

  async function ask(place: string, token: string, headers: Record<string, string> = {}, method = 'GET') {
    const query = place === '/clip.mp4' ? `start=1&end=2&token=${token}` : `token=${token}`;
    const origin = { origin: 'https://player.example' };
    const response = await fetch(`${base}/api/media/${id}${place}?${query}`, {
      method,
      headers: { ...origin, ...headers },
    });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  }

  test.each(PLACES)('%s%s: whole, in parts, again, from elsewhere, and not without its token', async (kind, place) => {
    const token = await sign(kind);
    const whole = await ask(place, token);
    expect(whole.status).toBe(200);
    const { length } = whole.body;
    const etag = whole.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w.-]+"$/);
    const head = await ask(place, token, {}, 'HEAD');
    expect([head.status, head.body.length, head.headers.get('etag')]).toEqual([200, 0, etag]);
    for (const { headers } of [whole, head]) {
      expect(headers.get('content-length')).toBe(String(length));
      expect(headers.get('accept-ranges')).toBe('bytes');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      for (const name of ['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Length', 'Retry-After']) {
        expect(headers.get('access-control-expose-headers')).toContain(name);
      }
    }

    const part = await ask(place, token, { range: 'bytes=2-9' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-9/${length}`]);
    expect(part.body.equals(whole.body.subarray(2, 10))).toBe(true);
    const [same, other] = await Promise.all([
      ask(place, token, { range: 'bytes=-4', 'if-range': etag }),
      ask(place, token, { range: 'bytes=-4', 'if-range': '"other"' }),
    ]);
    expect([same.status, same.body.equals(whole.body.subarray(-4))]).toEqual([206, true]);
    expect([other.status, other.body.equals(whole.body)]).toEqual([200, true]);
    const outside = await ask(place, token, { range: `bytes=${length}-` });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${length}`]);
    const again = await ask(place, token, { 'if-none-match': etag });
    expect([again.status, again.body.length]).toEqual([304, 0]);

    const subject = kind === 'clip' ? `${id} 1 2` : id;
    const expired = library.secrets.sign(`playback-${kind}-GET`, subject, new Date(Date.now() - 2_000));
    for (const [bad, code] of [
      [expired, 'playback_url_expired'],
      [`${token}x`, 'playback_url_invalid'],
    ] as const) {
      const refused = await ask(place, bad);
      expect([refused.status, JSON.parse(refused.body.toString()).error]).toEqual([403, code]);
      expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    }

    const preflight = await ask(
      place,
      token,
      { 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' },
      'OPTIONS',
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toMatch(/GET.*HEAD/);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('range');
  });
});
