import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { contentKey } from '#features/videos/index';
import { type Fault, startFaultyProxy } from '#test/servers/faulty-proxy';
import { type GcsServer, startGcsServer } from '#test/servers/gcs-server';
import { startGoogleTokens } from '#test/servers/google-tokens';
import { startHuggingFaceHub } from '#test/servers/hugging-face-hub';
import { createS3TestClient } from '#test/servers/s3-client';
import { type S3Server, startS3Server } from '#test/servers/s3-server';
import { createVideo, type ImportService, openImportService, s3Keys } from './test-service.fixture.ts';

const { s3Server, gcsServer } = inject('programs');
const HF_TOKEN = 'hf_example';
const BYTES = 600_000;

/** Faults of the connection and how imports handle them, for each provider. */
describe.skipIf(!s3Server || !gcsServer)('a transfer', () => {
  let service: ImportService;
  let s3: S3Server;
  let gcs: GcsServer;
  let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;
  let tokens: Awaited<ReturnType<typeof startGoogleTokens>>;
  let filler: ReturnType<typeof createS3TestClient>;
  const proxies: Record<string, Awaited<ReturnType<typeof startFaultyProxy>>> = {};
  const integrations: Record<string, string> = {};

  beforeAll(async () => {
    [s3, gcs, hub, tokens] = await Promise.all([
      startS3Server(s3Server!),
      startGcsServer(gcsServer!),
      startHuggingFaceHub({ token: HF_TOKEN }),
      startGoogleTokens(),
    ]);
    service = await openImportService({ HF_ENDPOINT: hub.endpoint });
    proxies.s3 = await startFaultyProxy(s3.endpoint);
    proxies.gcs = await startFaultyProxy(gcs.endpoint);
    proxies.hub = await startFaultyProxy(hub.endpoint);
    // The hub redirects reads to another server.
    proxies.hf_bucket = await startFaultyProxy(hub.files);
    hub.sendTo(proxies.hf_bucket.endpoint);
    filler = createS3TestClient(s3.endpoint);
    await filler.makeBucket('fleet');
    await gcs.makeBucket('fleet');
    await put('clip.mp4', await createVideo('clip', BYTES));
    integrations.s3 = await service.save('s3', s3Keys(proxies.s3.endpoint, 'fleet'));
    const gcsBody = {
      type: 'gcs',
      service_account: tokens.account,
      bucket: 'fleet',
      endpoint_url: proxies.gcs.endpoint,
    };
    integrations.gcs = await service.save('gcs', gcsBody);
    const hfBody = { type: 'hf_bucket', token: HF_TOKEN, bucket: 'ns/fleet', endpoint_url: proxies.hub.endpoint };
    integrations.hf_bucket = await service.save('hf-bucket', hfBody);
  });
  afterEach(() => {
    for (const proxy of Object.values(proxies)) {
      proxy.heal();
      proxy.log.splice(0);
    }
  });
  afterAll(async () => {
    await service.close();
    filler.close();
    for (const proxy of Object.values(proxies)) await proxy.stop();
    for (const server of [s3, gcs, hub, tokens]) await server.stop();
  });

  async function put(key: string, bytes: Buffer): Promise<void> {
    await filler.put('fleet', key, bytes);
    await gcs.put('fleet', key, bytes);
    hub.put('ns/fleet', key, bytes);
  }

  const PATHS = { s3: '/api/s3/upload', gcs: '/api/gcs/upload', hf_bucket: '/api/hf-buckets/upload' };
  const begin = (provider: keyof typeof PATHS, key = 'clip.mp4') =>
    service.call('POST', PATHS[provider], {
      integration_id: integrations[provider],
      files: [key],
      keys: [key],
      force: true,
    });
  /** Row of a finished import of one object, and the digest of the stored video. */
  async function outcome(provider: keyof typeof PATHS, key?: string) {
    const { json, text } = await begin(provider, key);
    if (!json.import_job_id) throw new Error(text);
    await service.ended(String(json.import_job_id));
    const [row] = await service.rows(String(json.import_job_id));
    const video = await service.library.videos.find(String(row!.video_id));
    return { row: row!, sha256: video?.sha256 ?? null };
  }
  const sha256Of = async (bytes: Buffer) =>
    Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
  /** Requests for the bytes of the object, not for its metadata. */
  const isRead: Fault['hits'] = ({ method, url, headers }) =>
    method === 'GET' &&
    headers.range !== 'bytes=0-0' &&
    /clip|replaced/.test(url ?? '') &&
    !/[?&](fields|list-type)=/.test(url ?? '');

  const passing: [string, () => Fault][] = [
    [
      '429 with Retry-After',
      () => ({ hits: isRead, times: 1, kind: 'answer', status: 429, headers: { 'retry-after': '1' } }),
    ],
    ['500', () => ({ hits: isRead, times: 2, kind: 'answer', status: 500, body: 'no' })],
    ['a connection reset at half', () => ({ hits: isRead, times: 1, kind: 'reset', after: 0.5 })],
    ['a body that ends early', () => ({ hits: isRead, times: 1, kind: 'truncate', after: 0.5 })],
    ['a corrupted byte', () => ({ hits: isRead, times: 1, kind: 'corrupt' })],
  ];
  describe.each(['s3', 'gcs', 'hf_bucket'] as const)('%s', (provider) => {
    // Hugging Face only hashes chunks: a corrupted byte is not detected.
    test.each(passing.filter(([, fault]) => provider !== 'hf_bucket' || fault().kind !== 'corrupt'))(
      'recovers from %s',
      async (_, fault) => {
        proxies[provider]!.inject(fault());
        const { row, sha256 } = await outcome(provider);
        expect(row).toMatchObject({ status: 'UPLOADED', error: null });
        expect(sha256).toBe(await sha256Of(await createVideo('clip', BYTES)));
      },
    );

    test('resumes at the byte where it was interrupted', async () => {
      proxies[provider]!.inject({ hits: isRead, times: 1, kind: 'reset', after: 0.5 });
      await outcome(provider);
      const ranges = proxies[provider]!.log.filter((line) => /bytes=\d{3,}-$/.test(line));
      expect(ranges).toHaveLength(1);
      const from = Number(/bytes=(\d+)-/.exec(ranges[0]!)![1]);
      expect(from).toBeGreaterThan(BYTES * 0.1);
    });

    test.each([
      [403, 'bucket_access_denied', /does not allow/],
      [404, 'object_not_found', /no object "clip\.mp4"/],
    ])('%i fails without a retry', async (status, error, message) => {
      proxies[provider]!.inject({ hits: isRead, kind: 'answer', status });
      const { row } = await outcome(provider);
      expect(row).toMatchObject({ status: 'UPLOADING_FAILED', error, message: expect.stringMatching(message) });
    });

    test('an object replaced during the transfer is imported in its new version', async () => {
      await put('replaced.mp4', await createVideo('before', BYTES));
      const after = await createVideo('after it was replaced', BYTES);
      proxies[provider]!.inject({
        hits: isRead,
        times: 1,
        kind: 'meanwhile',
        after: 0.5,
        happens: () => put('replaced.mp4', after),
      });
      const { row, sha256 } = await outcome(provider, 'replaced.mp4');
      expect(row).toMatchObject({ status: 'UPLOADED' });
      expect(sha256).toBe(await sha256Of(after));
    });
  });

  test('an object replaced between listing and transfer is imported once', async () => {
    await filler.put('fleet', 'replaced/a.mp4', await createVideo('listed', BYTES));
    const after = await createVideo('brought', BYTES + 1);
    proxies.s3!.inject({
      hits: isRead,
      times: 1,
      kind: 'meanwhile',
      after: 0.1,
      happens: async () => void (await filler.put('fleet', 'replaced/a.mp4', after)),
    });
    const body = { integration_id: integrations.s3, prefix: 'replaced/', every_minutes: 1_000 };
    const path = `/api/import-syncs/${(await service.call('POST', '/api/import-syncs', body)).json.id}`;
    /** Runs the scheduled import; returns the last job that imported something. */
    const lastRun = async () => {
      await service.call('POST', `${path}/run`);
      let id = '';
      await expect
        .poll(async () => {
          const { json } = await service.call('GET', path);
          id = String(json.last_import_job_id);
          const job = await service.call('GET', `/api/import-jobs/${id}`);
          return Date.parse(String(json.next_run_at)) > Date.now() && Boolean(job.json.completed_at);
        })
        .toBe(true);
      return id;
    };
    const first = await lastRun();
    expect(await service.rows(first)).toMatchObject([{ status: 'UPLOADED', size_bytes: BYTES + 1 }]);
    const { sha256 } = (await service.library.videos.find(String((await service.rows(first))[0]!.video_id)))!;
    expect(sha256).toBe(await sha256Of(after));
    expect(await lastRun()).toBe(first);
  });

  test('an object that never matches its checksum is not stored', async () => {
    proxies.s3!.inject({ hits: isRead, kind: 'corrupt' });
    const { row } = await outcome('s3');
    expect(row, JSON.stringify(row)).toMatchObject({ status: 'UPLOADING_FAILED', error: 'object_damaged' });
    expect(await service.library.storage.stat(contentKey(String(row.video_id)))).toBeNull();
  });

  test('objects of a folder that is deleted meanwhile are imported without a folder', async () => {
    const count = 12;
    for (let i = 0; i < count; i++) await filler.put('fleet', `moving/${i}.mp4`, await createVideo(`moving ${i}`));
    proxies.s3!.inject({ hits: ({ url }) => url!.includes('/moving/'), kind: 'slow', bytesPerS: 60_000 });
    const folder = await service.call('POST', '/api/folders', { name: 'Passing', scope: 'org' });
    const { json } = await service.call('POST', '/api/s3/upload', {
      integration_id: integrations.s3,
      prefix: 'moving/',
      folder_id: folder.json.id,
    });
    const inFolder = async () => (await service.call('GET', `/api/folders/${folder.json.id}`)).json.video_count;
    await expect.poll(inFolder, { interval: 20 }).toBeGreaterThan(0);
    await service.call('DELETE', `/api/folders/${folder.json.id}?videos=move_to_root`);
    expect(await service.ended(String(json.import_job_id))).toMatchObject({
      uploaded: count,
      failed: 0,
      folder_name: null,
    });
  });

  test('expired session keys are reported as such', async () => {
    const body = '<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>';
    proxies.s3!.inject({
      hits: isRead,
      kind: 'answer',
      status: 400,
      headers: { 'content-type': 'application/xml' },
      body,
    });
    const { row } = await outcome('s3');
    expect(row).toMatchObject({ error: 'credentials_refused', message: expect.stringMatching(/token has expired/) });
  });

  test('a Google token that expired early is renewed', async () => {
    proxies.gcs!.inject({ hits: isRead, times: 1, kind: 'answer', status: 401, body: '{"error":{"code":401}}' });
    const before = tokens.assertions.length;
    expect((await outcome('gcs')).row).toMatchObject({ status: 'UPLOADED' });
    // One for the check of the request, one for the worker, and the renewed one.
    expect(tokens.assertions.length).toBe(before + 3);
  });

  test('Hugging Face is read through its redirect, and retried when it is busy', async () => {
    const busy = { times: 1, kind: 'answer', status: 429, headers: { 'retry-after': '1' } } as const;
    proxies.hub!.inject({ hits: ({ url }) => url!.includes('/resolve/'), ...busy });
    expect((await outcome('hf_bucket')).row).toMatchObject({ status: 'UPLOADED' });
    const preview = await service.call('POST', '/api/import-jobs/preview', { integration_id: integrations.hf_bucket });
    expect(preview.json.objects).toContainEqual(
      expect.objectContaining({ import_source_uri: 'hf://buckets/ns/fleet/clip.mp4', size_bytes: BYTES }),
    );
  });

  test('a public Hugging Face bucket needs no integration', async () => {
    hub.put('ns/open', 'clip.mp4', await createVideo('open'), { open: true });
    const { json } = await service.call('POST', '/api/hf-buckets/upload', { bucket: 'ns/open', files: ['clip.mp4'] });
    expect(await service.ended(String(json.import_job_id))).toMatchObject({
      status: 'completed',
      integration_id: null,
    });
    const closed = await service.call('POST', '/api/hf-buckets/upload', { bucket: 'ns/none', files: ['clip.mp4'] });
    expect(closed.status).toBe(400);
  });
});
