import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Storage } from '#platform/storage/index';
import { sceneClip } from '#test/media/clips';
import { type Fault, startFaultyProxy } from '#test/servers/faulty-proxy';
import { type S3Server, startS3Server } from '#test/servers/s3-server';
import { createTusClient, openUploads, type UploadsFixture } from '../uploads.fixture.ts';

const { s3Server } = inject('programs');
type PartUrl = { part_number: number; size_bytes: number; url: string };
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let clip: Buffer;
beforeAll(async () => {
  clip = await readFile(await sceneClip());
});

test('without S3 storage a direct upload is refused with the alternatives', async () => {
  const desk = await openUploads({}, { worker: false });
  const answer = await desk.api.call('POST', '/api/direct-uploads', { key: desk.me.key, json: { size_bytes: 9 } });
  expect(answer).toMatchObject({ status: 409, json: { error: 'direct_upload_unavailable' } });
  expect(answer.json.detail).toMatch(/upload-video.*tus/);
  await desk.close();
});

test('storage that does not respond delays only its own request', async () => {
  const { promise: answered, reject } = Promise.withResolvers<never>();
  const wrapStorage = (whole: Storage): Storage => ({
    ...whole,
    direct: { partBytes: () => 100, create: () => answered, presignPart: async () => '', listParts: async () => [] },
    write: (key, ...rest) => (key.endsWith('/sidecar') ? answered : whole.write(key, ...rest)),
  });
  const desk = await openUploads({}, { worker: false, overrides: { wrapStorage } });
  const direct = desk.api.call('POST', '/api/direct-uploads', { key: desk.me.key, json: { size_bytes: 9 } });
  const fetched = desk.upload([
    ['source', 'video_url'],
    ['video_url', 'http://127.0.0.1:9/a.mp4'],
    ['metadata_file', '[]', 'm.json'],
  ]);
  await sleep(500);
  await createTusClient(desk.api, desk.me.key).begin(5);
  reject(new Error('the storage is gone'));
  for (const answer of [await direct, await fetched]) expect(answer.status).toBe(500);
  expect(await desk.remains()).toEqual({ rows: 1, files: 0, partial: 0 });
  await desk.close();
});

describe.skipIf(!s3Server)('a direct upload', () => {
  let s3: S3Server;
  let client: S3Client;
  let desk: UploadsFixture;

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    s3 = await startS3Server(s3Server!);
    client = new S3Client({ region: 'us-east-1', endpoint: s3.endpoint, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'films' }));
    const bucket = { SIGHTLINE_STORAGE: 's3://films/here', SIGHTLINE_S3_ENDPOINT: s3.endpoint };
    desk = await openUploads({ ...bucket, SIGHTLINE_MAX_STORED_BYTES: String(2 ** 30) });
  });
  afterAll(async () => {
    await desk?.close();
    client?.destroy();
    await s3?.stop();
    vi.unstubAllEnvs();
  });

  const call = (method: string, path: string, json?: object) =>
    desk.api.call(method, `/api/direct-uploads${path}`, { key: desk.me.key, json });
  async function begin(bytes: Buffer, more: object = {}) {
    const { status, json, text } = await call('POST', '', { size_bytes: bytes.length, filename: 'ride.mp4', ...more });
    expect(status, text).toBe(200);
    return { id: String(json.upload_id), json, urls: json.part_urls as PartUrl[] };
  }
  async function put(bytes: Buffer, { part_number, size_bytes, url }: PartUrl, partBytes: number): Promise<number> {
    const at = (part_number - 1) * partBytes;
    const body = bytes.subarray(at, at + size_bytes) as Uint8Array<ArrayBuffer>;
    return (await fetch(url, { method: 'PUT', body })).status;
  }
  const underWay = async () =>
    ((await client.send(new ListMultipartUploadsCommand({ Bucket: 'films' }))).Uploads ?? []).length;
  const bytesTaken = async () => (await desk.library.videos.getQuota(desk.me.caller.orgId)).bytes;

  test('accepts its parts in any order and becomes an ordinary video', async () => {
    // Padding in a box that players skip makes it two parts.
    const padding = Buffer.alloc(17 * 2 ** 20);
    padding.writeUInt32BE(padding.length, 0);
    padding.write('free', 4);
    const bytes = Buffer.concat([clip, padding]);
    const { id, json, urls } = await begin(bytes, { sha256: sha256(bytes) });
    // Nobody can send more than was held free for them.
    expect(urls[0]!.url).toMatch(/SignedHeaders=[^&]*content-length/);
    expect(json).toMatchObject({ video_id: id, part_count: 2, part_bytes: 16 * 2 ** 20, arrived: [] });
    expect(await bytesTaken()).toBe(bytes.length);
    const partBytes = Number(json.part_bytes);
    expect(await put(bytes, urls[1]!, partBytes)).toBe(200);
    const early = await call('POST', `/${id}/complete`);
    expect(early).toMatchObject({ status: 409, json: { error: 'upload_parts_missing' } });
    expect(early.json.detail).toMatch(/Part 1 /);
    expect((await call('GET', `/${id}`)).json.arrived).toEqual([
      { part_number: 2, size_bytes: bytes.length - partBytes },
    ]);
    const again = await call('POST', `/${id}/parts`, { part_numbers: [1] });
    expect(await put(bytes, (again.json.part_urls as PartUrl[])[0]!, partBytes)).toBe(200);
    const ends = await Promise.all([1, 2].map(() => call('POST', `/${id}/complete`)));
    for (const end of ends)
      expect(end.json).toMatchObject({ video_id: id, status: 'uploaded', video_name: 'ride.mp4' });
    expect(ends[0]!.json.metadata).toMatchObject({ sha256: sha256(bytes), size_bytes: bytes.length });
    const video = await desk.library.videos.find(id);
    expect(sha256(await desk.library.storage.readAll(video!.storageKey))).toBe(sha256(bytes));
    expect((await call('DELETE', `/${id}`)).json.status).toBe('ended');
    expect((await desk.library.videos.find(id))?.status).toBe('UPLOADED');
  });

  test('with another digest is refused and leaves nothing', async () => {
    const before = await bytesTaken();
    const { id, urls } = await begin(clip, { sha256: sha256(Buffer.from('another')) });
    await put(clip, urls[0]!, clip.length);
    const refused = await call('POST', `/${id}/complete`);
    expect([refused.status, refused.json.error]).toEqual([400, 'upload_digest_mismatch']);
    expect(await desk.library.videos.find(id)).toBeNull();
    expect(await bytesTaken()).toBe(before);
    const noise = Buffer.alloc(1_000, 7);
    const other = await begin(noise);
    await put(noise, other.urls[0]!, noise.length);
    expect((await call('POST', `/${other.id}/complete`)).json.error).toMatch(/^media_/);
    const keys: string[] = [];
    for await (const { key } of desk.library.storage.list(`contents/${id}/`)) keys.push(key);
    expect(keys).toEqual([]);
  });

  test('checks its parts, its owner and its protocol', async () => {
    const { id } = await begin(clip);
    expect((await call('POST', `/${id}/parts`, { part_numbers: [2] })).json.error).toBe('upload_part_unknown');
    const other = await desk.library.keyOf(await desk.library.addUser(desk.me.caller.orgId), ['write']);
    const theirs = await desk.api.call('GET', `/api/direct-uploads/${id}`, { key: other.key });
    expect([theirs.status, theirs.json.error]).toEqual([403, 'upload_forbidden']);
    const headers = { 'tus-resumable': '1.0.0' };
    expect((await desk.api.call('HEAD', `/api/uploads/${id}`, { key: desk.me.key, headers })).status).toBe(404);
    expect((await call('POST', '', { size_bytes: 2 ** 30 + 1 })).json.error).toBe('quota_exceeded');
    expect((await call('POST', '', { size_bytes: 2 ** 31 + 1 })).status).toBe(413);
    expect((await call('DELETE', `/${id}`)).json.status).toBe('ended');
    expect(await desk.library.videos.find(id)).toBeNull();
    expect((await call('GET', `/${id}`)).status).toBe(404);
  });

  test('whose parts the bucket removed is not found', async () => {
    const { id } = await begin(clip);
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'films' }));
    for (const { Key, UploadId } of Uploads)
      await client.send(new AbortMultipartUploadCommand({ Bucket: 'films', Key, UploadId }));
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['POST', `/${id}/complete`],
    ] as const)
      expect(await call(method, path)).toMatchObject({ status: 404, json: { error: 'upload_not_found' } });
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
  });

  test('that is completed while its parts are listed is that video', async () => {
    const { id, urls, json } = await begin(clip);
    for (const url of urls) await put(clip, url, Number(json.part_bytes));
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', `/${id}/complete`)));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, answers[0]!.text]));
    expect(await desk.library.videos.find(id)).toMatchObject({ status: 'UPLOADED' });
  });

  test.each<[string, Fault]>([
    ['does not work', { hits: () => true, kind: 'answer', status: 500 }],
    ['asks to slow down', { hits: () => true, kind: 'answer', status: 503 }],
    ['ends connections', { hits: () => true, kind: 'reset', after: 0 }],
  ])('is refused with the time to wait while the storage %s', async (_, fault) => {
    const proxy = await startFaultyProxy(s3.endpoint);
    const bucket = { SIGHTLINE_STORAGE: 's3://films/here', SIGHTLINE_S3_ENDPOINT: proxy.endpoint };
    const away = await openUploads(bucket, { worker: false });
    onTestFinished(async () => {
      proxy.heal();
      await away.close();
      await proxy.stop();
    });
    proxy.inject(fault);
    const answer = await away.api.call('POST', '/api/direct-uploads', { key: away.me.key, json: { size_bytes: 9 } });
    expect(answer, answer.text).toMatchObject({ status: 503, json: { error: 'storage_unreachable' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  test('that is never completed expires, with its parts and its reservation', async () => {
    const [before, open] = [await bytesTaken(), await underWay()];
    const { id, urls } = await begin(clip);
    await put(clip, urls[0]!, clip.length);
    expect(await underWay()).toBe(open + 1);
    const past = { expiresAt: sql<Date>`now() - interval '1 second'` };
    await desk.library.database.db.updateTable('resumableUploads').set(past).where('videoId', '=', id).execute();
    await desk.uploads.resumable.expire();
    expect(await desk.library.videos.find(id)).toMatchObject({
      status: 'UPLOADING_FAILED',
      problem: { code: 'upload_expired' },
    });
    expect([await underWay(), await bytesTaken()]).toEqual([open, before]);
    expect((await call('POST', `/${id}/complete`)).status).toBe(404);
  });
});
