// Recordings in buckets: of a test hub and of a third-party S3 server.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { setQuota } from '#features/videos/index';
import { startTestApp, type TestApp } from '#test/app';
import { grayImage, grayLevel, jsonFormat, recordingBytes, recordingTimeNs } from '#test/mcap/recordings';
import { sceneClip } from '#test/media/clips';
import { startHuggingFaceHub } from '#test/servers/hugging-face-hub';
import { createS3TestClient } from '#test/servers/s3-client';
import { type S3Server, startS3Server } from '#test/servers/s3-server';

const { s3Server } = inject('programs');
const TOKEN = 'hf_example';
let app: TestApp;
let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;
let key: string;
let recording: Buffer;
let server: S3Server | null;
let filler: ReturnType<typeof createS3TestClient>;

beforeAll(async () => {
  server = s3Server ? await startS3Server(s3Server) : null;
  filler = createS3TestClient(server?.endpoint ?? 'http://127.0.0.1:1');
  hub = await startHuggingFaceHub({ token: TOKEN });
  app = await startTestApp({ SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' });
  key = app.sightline.firstKey!;
  const camera = jsonFormat('foxglove.CompressedImage');
  recording = await recordingBytes({
    channels: [{ topic: '/cam', ...camera }],
    messages: Array.from({ length: 6 }, (_, i) => ({
      channel: 0,
      logNs: recordingTimeNs(i),
      data: camera.encode({ format: 'jpeg', data: grayImage(grayLevel(i)) }),
    })),
  });
});
afterAll(async () => {
  await app.close();
  await hub.stop();
  filler.close();
  await server?.stop();
});

const post = (path: string, body: object) => app.api.call('POST', path, { key, json: body });

type Job = {
  status: string;
  error: string;
  video_ids: string[];
  ingests: { status: string; error: string; key: string }[];
};

async function ended(id: unknown): Promise<Job> {
  for (;;) {
    const { json } = await app.api.call('GET', `/api/mcap/import-jobs/${id}`, { key });
    if (['completed', 'partial', 'failed'].includes(String(json.status))) return json as unknown as Job;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('each file becomes an ingest; errors name the file', async () => {
  hub.put('ns/drives', 'a/one.mcap', recording);
  hub.put('ns/drives', 'a/broken.mcap', Buffer.from('no recording'));
  const saved = await post('/api/cloud-integrations/hf-bucket', {
    name: 'Drives',
    type: 'hf_bucket',
    token: TOKEN,
    bucket: 'ns/drives',
    prefix: null,
    endpoint_url: hub.endpoint,
  });
  expect(saved.status, saved.text).toBe(200);
  const files = ['a/one.mcap', 'a/broken.mcap', 'a/none.mcap'].map((name) => ({ key: name, filename: null }));
  const started = await post('/api/mcap/cloud-ingest/s3', { integration_id: saved.json.id, files, chunk_size: null });
  expect(started.json).toMatchObject({ status: 'transferring', error: null, total: 3 });
  const job = await ended(started.json.mcap_import_job_id);
  expect(job).toMatchObject({
    status: 'partial',
    error: expect.stringMatching(/^(broken|none)\.mcap: .* \(and 1 more files\)$/),
    ingests: [
      { key: 'a/one.mcap', status: 'completed', error: null },
      { key: 'a/broken.mcap', status: 'failed', error: 'The file is not an MCAP recording.' },
      { key: 'a/none.mcap', status: 'failed' },
    ],
  });
  expect(job.video_ids).toHaveLength(1);

  const twice = await post('/api/mcap/cloud-ingest/s3', { integration_id: saved.json.id, files: [files[0], files[0]] });
  expect(twice.json).toMatchObject({ error: 'mcap_files_repeated' });
  const unknown = await post('/api/mcap/cloud-ingest/s3', { integration_id: 'none', files: [files[0]] });
  expect(unknown.json).toMatchObject({ error: 'integration_not_found' });
  const missing = await app.api.call('GET', '/api/mcap/import-jobs/none', { key });
  expect([missing.status, missing.json.error]).toEqual([404, 'mcap_import_not_found']);
});

test('a file that was already imported is skipped unless it changed or `force` is true', async () => {
  hub.put('ns/again', 'one.mcap', recording);
  const bucket = { type: 'hf_bucket', token: TOKEN, bucket: 'ns/again', endpoint_url: hub.endpoint };
  const saved = await post('/api/cloud-integrations/hf-bucket', { name: 'Again', ...bucket });
  const body = { integration_id: saved.json.id, files: [{ key: 'one.mcap' }] };
  const first = await post('/api/mcap/cloud-ingest/s3', body);
  const [ingest] = first.json.ingests as { mcap_ingest_id: string }[];
  const { video_ids } = await ended(first.json.mcap_import_job_id);
  const again = await post('/api/mcap/cloud-ingest/s3', body);
  expect(again.json).toMatchObject({
    status: 'completed',
    total: 1,
    skipped: 1,
    video_ids,
    ingests: [{ mcap_ingest_id: ingest!.mcap_ingest_id, key: 'one.mcap', skipped: 'already imported' }],
  });
  // Imports of objects of all kinds know it as well.
  const rows = await post('/api/hf-buckets/upload', { integration_id: saved.json.id, prefix: 'one' });
  const job = `/api/import-jobs/${rows.json.import_job_id}`;
  const skipped = async () => (await app.api.call('GET', job, { key })).json.skipped;
  await expect.poll(skipped).toBe(1);
  const { videos } = (await app.api.call('GET', `${job}/videos`, { key })).json;
  expect(videos).toMatchObject([{ video_id: ingest!.mcap_ingest_id, skipped: 'already imported', status: 'UPLOADED' }]);

  const twice = await Promise.all([1, 2].map(() => post('/api/mcap/cloud-ingest/s3', body)));
  expect(twice.map(({ json }) => json.skipped)).toEqual([1, 1]);
  const forced = (await post('/api/mcap/cloud-ingest/s3', { ...body, force: true })).json;
  expect(forced).toMatchObject({ skipped: 0 });
  await ended(forced.mcap_import_job_id);
  hub.put('ns/again', 'one.mcap', Buffer.concat([recording, Buffer.from('changed')]));
  const changed = (await post('/api/mcap/cloud-ingest/s3', body)).json;
  expect(changed).toMatchObject({ skipped: 0 });
  await ended(changed.mcap_import_job_id);
});

test('an integration cannot be deleted while it transfers recordings', async () => {
  hub.put('ns/held', 'one.mcap', recording);
  const bucket = { type: 'hf_bucket', token: TOKEN, bucket: 'ns/held', endpoint_url: hub.endpoint };
  const { json } = await post('/api/cloud-integrations/hf-bucket', { name: 'Held', ...bucket });
  const started = await post('/api/mcap/cloud-ingest/s3', { integration_id: json.id, files: [{ key: 'one.mcap' }] });
  const importId = String(started.json.mcap_import_job_id);
  await ended(importId);
  const setStatus = (status: string) =>
    app.sightline.database.db.updateTable('mcapIngests').set({ status }).where('importId', '=', importId).execute();
  const remove = () => app.api.call('DELETE', `/api/cloud-integrations/${json.id}`, { key });
  await setStatus('transferring');
  expect(await remove()).toMatchObject({ status: 409, json: { error: 'integration_in_use' } });
  await setStatus('completed');
  expect((await remove()).status).toBe(200);
});

test('a recording that exceeds the quota is not transferred', async () => {
  hub.put('ns/large', 'one.mcap', recording);
  const bucket = { type: 'hf_bucket', token: TOKEN, bucket: 'ns/large', endpoint_url: hub.endpoint };
  const saved = await post('/api/cloud-integrations/hf-bucket', { name: 'Large', ...bucket });
  const { db } = app.sightline.database;
  const { orgId } = (await app.sightline.accounts.owner())!;
  const used = async () => (await app.api.call('GET', '/api/usage', { key })).json.bytes;
  const before = Number(await used());
  await setQuota(db, orgId, { maxBytes: before + recording.length - 1 });
  onTestFinished(async () => {
    await setQuota(db, orgId, { maxBytes: null });
  });
  const files = [{ key: 'one.mcap' }];
  const started = await post('/api/mcap/cloud-ingest/s3', { integration_id: saved.json.id, files });
  expect(await ended(started.json.mcap_import_job_id)).toMatchObject({
    ingests: [{ status: 'failed', error: expect.stringMatching(/may store/) }],
  });
  expect(await used()).toBe(before);
});

describe.skipIf(!s3Server)('S3', () => {
  const open = async (bucket: string) => {
    const { json, text } = await post('/api/cloud-integrations/s3', {
      name: 'Logs',
      type: 's3',
      access_key_id: 'test',
      secret_access_key: 'test',
      session_token: null,
      region: 'us-east-1',
      endpoint_url: server!.endpoint,
      bucket,
      prefix: null,
    });
    expect(json.bucket, text).toBe(bucket);
    return String(json.id);
  };
  type Row = { video_id: string; kind: string; status: string; error: string | null };

  /** Waits until an import of objects of any kind has ended, and returns its rows. */
  async function importedRows(id: unknown): Promise<Row[]> {
    const path = `/api/import-jobs/${id}`;
    const running = async () => (await app.api.call('GET', path, { key })).json.status;
    await expect.poll(running, { interval: 200 }).not.toBe('importing');
    return (await app.api.call('GET', `${path}/videos`, { key })).json.videos as Row[];
  }

  async function processed(id: string) {
    const ingest = async () => (await app.api.call('GET', `/api/mcap/${id}`, { key })).json;
    const isOver = async () => ['completed', 'partial', 'failed'].includes(String((await ingest()).status));
    await expect.poll(isOver, { interval: 200 }).toBe(true);
    return ingest();
  }

  test('each file becomes an ingest', async () => {
    await filler.makeBucket('logs');
    await filler.put('logs', 'x/drive.mcap', recording);
    const started = await post('/api/mcap/cloud-ingest/s3', {
      integration_id: await open('logs'),
      files: [{ key: 'x/drive.mcap', filename: 'drive.mcap' }],
      folder_id: null,
      scope: 'org',
    });
    const job = await ended(started.json.mcap_import_job_id);
    expect(job, JSON.stringify(job)).toMatchObject({ status: 'completed', error: null });
    expect(job.ingests).toMatchObject([{ status: 'completed' }]);
  });

  test('an import of a prefix includes videos and recordings, which become videos', async () => {
    await filler.makeBucket('mixed');
    await filler.put('mixed', 'drives/a.mp4', await readFile(await sceneClip()));
    await filler.put('mixed', 'drives/b.MCAP', recording);
    await filler.put('mixed', 'drives/notes.txt', 'neither');
    const integration = await open('mixed');
    const folder = await post('/api/folders', { name: 'Mixed', scope: 'org' });
    const body = { integration_id: integration, prefix: 'drives/', folder_id: folder.json.id };
    const rows = await importedRows((await post('/api/s3/upload', body)).json.import_job_id);
    expect(rows).toMatchObject([
      { kind: 'video', status: 'UPLOADED', import_source_uri: 's3://mixed/drives/a.mp4' },
      { kind: 'recording', status: 'UPLOADED', import_source_uri: 's3://mixed/drives/b.MCAP' },
    ]);
    const ingest = await processed(rows[1]!.video_id);
    expect(ingest).toMatchObject({
      status: 'completed',
      filename: 'b.MCAP',
      source_uri: 's3://mixed/drives/b.MCAP',
      scope: 'org',
      folder_id: folder.json.id,
      size_bytes: recording.length,
      chunk_size: null,
    });
    const [video] = ingest.video_ids as string[];
    const { json } = await app.api.call('GET', `/api/video/${video}/status`, { key });
    expect(json).toMatchObject({ status: 'uploaded', folder_id: folder.json.id });
    const preview = await post('/api/import-jobs/preview', { integration_id: integration, prefix: 'drives/' });
    expect(preview.json).toMatchObject({
      objects: [{ key: 'drives/a.mp4' }, { key: 'drives/b.MCAP' }],
      passed_over: 1,
    });
    const views = { front: 'drives/a.mp4', rear: 'drives/b.MCAP' };
    const set = await post('/api/s3/upload', { integration_id: integration, sets: [{ views }] });
    expect(set.json).toMatchObject({ error: 'import_invalid', message: expect.stringMatching(/b\.MCAP/) });
  });

  test('a missing recording fails, and is imported under the same id by a retry', async () => {
    await filler.makeBucket('late');
    await filler.put('late', 'a.mcap', recording);
    const body = { integration_id: await open('late'), keys: ['a.mcap', 'b.mcap'] };
    const started = (await post('/api/s3/upload', body)).json;
    const job = started.import_job_id;
    const [first, missing] = await importedRows(job);
    expect([first, missing]).toMatchObject([{ status: 'UPLOADED' }, { error: 'object_not_found' }]);
    expect(await processed(missing!.video_id)).toMatchObject({ status: 'failed', error_code: 'object_not_found' });
    await filler.put('late', 'b.mcap', recording);
    expect((await post(`/api/import-jobs/${job}/retry`, {})).status).toBe(200);
    const [, imported] = await importedRows(job);
    expect(imported).toMatchObject({ video_id: missing!.video_id, status: 'UPLOADED', error: null });
    expect(await processed(imported!.video_id)).toMatchObject({ status: 'completed' });
  });

  test('stores recordings and their videos as the file system does', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    onTestFinished(() => void vi.unstubAllEnvs());
    await filler.makeBucket('store');
    const onS3 = await startTestApp({ SIGHTLINE_STORAGE: 's3://store/files', SIGHTLINE_S3_ENDPOINT: server!.endpoint });
    onTestFinished(() => onS3.close());
    const ask = (method: string, path: string, json?: object) =>
      onS3.api.call(method, path, { key: onS3.sightline.firstKey!, json });
    const size = { filename: 'drive.mcap', size_bytes: recording.length, chunk_size: 10 };
    const { json: made } = await ask('POST', '/api/mcap/create-ingest', size);
    const url = new URL(String(made.upload_url));
    const put = { body: new Uint8Array(recording), headers: { 'content-type': 'application/octet-stream' } };
    expect((await onS3.api.call('PUT', url.pathname + url.search, put)).status).toBe(200);
    await ask('POST', `/api/mcap/${made.mcap_ingest_id}/process`);
    const ingest = async () => (await ask('GET', `/api/mcap/${made.mcap_ingest_id}`)).json;
    await expect.poll(async () => (await ingest()).status, { interval: 200 }).toBe('completed');
    const [video] = (await ingest()).video_ids as string[];
    const { json: signed } = await ask('POST', `/api/video/${video}/signed-url`, {});
    const videoUrl = new URL(String(signed.url));
    const played = await onS3.api.call('GET', videoUrl.pathname + videoUrl.search, { headers: { range: 'bytes=4-7' } });
    expect([played.status, played.text]).toEqual([206, 'ftyp']);
    // The recording itself is deleted.
    const left = async () => (await filler.list('store')).filter((name) => name.includes('mcap/'));
    await expect.poll(left).toEqual([]);
  });
});
