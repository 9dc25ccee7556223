// Recordings that lie in somebody's bucket: behind a hub of our own, and on an S3 server that is not ours.
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { changeQuota } from '#features/videos/index';
import { startTestApp, type TestApp } from '#test/app';
import { startHuggingFaceHub } from '#test/hugging-face-hub';
import { afterNs, json, levelOf, recordingBytes, stillPicture } from '#test/recordings';
import { startS3Server } from '#test/s3-server';

const { s3Server } = inject('programs');
const TOKEN = 'hf_example';
let app: TestApp;
let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;
let key: string;
let recording: Buffer;

beforeAll(async () => {
  hub = await startHuggingFaceHub({ token: TOKEN });
  app = await startTestApp({ SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' });
  key = app.sightline.firstKey!;
  const camera = json('foxglove.CompressedImage');
  recording = await recordingBytes({
    channels: [{ topic: '/cam', ...camera }],
    messages: Array.from({ length: 6 }, (_, i) => ({
      channel: 0,
      logNs: afterNs(i),
      data: camera.encode({ format: 'jpeg', data: stillPicture(levelOf(i)) }),
    })),
  });
}, 60_000);
afterAll(async () => {
  await app.close();
  await hub.stop();
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

test('each file becomes an ingest of its own; what goes wrong is told with the file', async () => {
  hub.put('ns/drives', 'a/one.mcap', recording);
  hub.put('ns/drives', 'a/broken.mcap', Buffer.from('no recording'));
  const saved = await post('/api/cloud-integrations/hf-bucket', {
    ...{
      name: 'Drives',
      type: 'hf_bucket',
      token: TOKEN,
      bucket: 'ns/drives',
      prefix: null,
      endpoint_url: hub.endpoint,
    },
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
  const strange = await app.api.call('GET', '/api/mcap/import-jobs/none', { key });
  expect([strange.status, strange.json.error]).toEqual([404, 'mcap_import_not_found']);
});

test('what does not fit into the space of the organisation is not brought', async () => {
  hub.put('ns/large', 'one.mcap', recording);
  const bucket = { type: 'hf_bucket', token: TOKEN, bucket: 'ns/large', endpoint_url: hub.endpoint };
  const saved = await post('/api/cloud-integrations/hf-bucket', { name: 'Large', ...bucket });
  const { db } = app.sightline.database;
  const { orgId } = (await app.sightline.accounts.owner())!;
  const used = async () => (await app.api.call('GET', '/api/usage', { key })).json.bytes;
  const before = Number(await used());
  await changeQuota(db, orgId, { maxBytes: before + recording.length - 1 });
  const files = [{ key: 'one.mcap' }];
  const started = await post('/api/mcap/cloud-ingest/s3', { integration_id: saved.json.id, files });
  expect(await ended(started.json.mcap_import_job_id)).toMatchObject({
    ingests: [{ status: 'failed', error: expect.stringMatching(/may store/) }],
  });
  expect(await used()).toBe(before);
  await changeQuota(db, orgId, { maxBytes: null });
});

test.runIf(s3Server)('from S3', async () => {
  const server = await startS3Server(s3Server!);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const s3 = new S3Client({ endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  await s3.send(new CreateBucketCommand({ Bucket: 'logs' }));
  await s3.send(new PutObjectCommand({ Bucket: 'logs', Key: 'x/drive.mcap', Body: recording }));
  const saved = await post('/api/cloud-integrations/s3', {
    ...{ name: 'Logs', type: 's3', access_key_id: 'test', secret_access_key: 'test', session_token: null },
    ...{ region: 'us-east-1', endpoint_url: server.endpoint, bucket: 'logs', prefix: null },
  });
  const started = await post('/api/mcap/cloud-ingest/s3', {
    integration_id: saved.json.id,
    files: [{ key: 'x/drive.mcap', filename: 'drive.mcap' }],
    folder_id: null,
    scope: 'org',
  });
  const job = await ended(started.json.mcap_import_job_id);
  expect(job, JSON.stringify(job)).toMatchObject({
    status: 'completed',
    error: null,
    ingests: [{ status: 'completed' }],
  });
  s3.destroy();
  await server.stop();
});
