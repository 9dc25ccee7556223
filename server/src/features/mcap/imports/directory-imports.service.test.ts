// Recordings in directories of a bucket of a third-party S3 server.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/app';
import { grayImage, grayLevel, jsonFormat, recordingBytes, recordingTimeNs } from '#test/mcap/recordings';
import { createS3TestClient } from '#test/servers/s3-client';
import { type S3Server, startS3Server } from '#test/servers/s3-server';

const { s3Server } = inject('programs');

describe.skipIf(!s3Server)('recordings by directory', () => {
  let app: TestApp;
  let key: string;
  let server: S3Server;
  let filler: ReturnType<typeof createS3TestClient>;

  const camera = jsonFormat('foxglove.CompressedImage');
  const recordingFrom = (frame: number) =>
    recordingBytes({
      channels: [{ topic: '/cam', ...camera }],
      messages: Array.from({ length: 3 }, (_, i) => ({
        channel: 0,
        logNs: recordingTimeNs(i),
        data: camera.encode({ format: 'jpeg', data: grayImage(grayLevel(frame + i)) }),
      })),
    });

  beforeAll(async () => {
    server = await startS3Server(s3Server!);
    filler = createS3TestClient(server.endpoint);
    await filler.makeBucket('drives');
    const files = { 'one/drive.mcap': 0, 'two/drive_0.mcap': 3, 'two/late/drive_1.MCAP': 6 };
    for (const [name, frame] of Object.entries(files)) await filler.put('drives', name, await recordingFrom(frame));
    await filler.put('drives', 'one/metadata.yaml', 'rosbag2_bagfile_information:');
    await filler.put('drives', 'broken/drive.mcap', 'no recording');
    await filler.put('drives', 'videos/a.mp4', 'a video');
    app = await startTestApp({ SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' });
    key = app.sightline.firstKey!;
    const saved = await post('/api/cloud-integrations/s3', {
      name: 'Drives',
      type: 's3',
      access_key_id: 'test',
      secret_access_key: 'test',
      region: 'us-east-1',
      endpoint_url: server.endpoint,
      bucket: 'drives',
    });
    expect(saved.status, saved.text).toBe(200);
  });
  afterAll(async () => {
    await app.close();
    filler.close();
    await server.stop();
  });

  const post = (path: string, json: object) => app.api.call('POST', path, { key, json });
  const get = async (path: string) => (await app.api.call('GET', path, { key })).json;
  const start = (inputs: object[], more: object = {}) =>
    post('/api/import-jobs', { source_format: 'mcap', scope: 'user', inputs, ...more });
  const directory = (name: string, more: object = {}) => ({ source_uri: `s3://drives/${name}`, ...more });
  async function ended(id: unknown) {
    const job = () => get(`/api/import-jobs/${id}`);
    await expect.poll(async () => (await job()).terminal, { timeout: 60_000, interval: 200 }).toBe(true);
    return job();
  }

  test('become videos under the given names and in the given folders, and the job ends then', async () => {
    const folder = (await post('/api/folders', { name: 'Monday', scope: 'org' })).json.id;
    const started = await start([directory('one/', { name: 'Morning drive', folder_id: folder }), directory('two')], {
      scope: null,
    });
    expect(started.status, started.text).toBe(202);
    const videos = started.json.videos as { video_id: string; source_uri: string }[];
    expect(started.json).toMatchObject({ status: 'importing', total: 3, skipped: 0, video_id: null });
    expect(videos.map(({ source_uri }) => source_uri)).toEqual([
      's3://drives/one/drive.mcap',
      's3://drives/two/drive_0.mcap',
      's3://drives/two/late/drive_1.MCAP',
    ]);
    const job = await ended(started.json.import_job_id);
    expect(job).toMatchObject({
      status: 'completed',
      source_format: 'mcap',
      summary: { completed: 3, failed: 0 },
      poll_after_seconds: null,
      completed_at: expect.any(String),
    });
    const rows = (await get(`/api/import-jobs/${job.id}/videos`)).videos as Record<string, unknown>[];
    expect(rows.map(({ video_id }) => video_id)).toEqual(videos.map(({ video_id }) => video_id));
    expect(rows).toMatchObject([1, 2, 3].map(() => ({ kind: 'recording', video_ids: [expect.any(String)] })));
    const statuses = await Promise.all(
      rows.map(({ video_ids }) => get(`/api/video/${(video_ids as string[])[0]}/status`)),
    );
    expect(statuses).toMatchObject([
      { video_name: 'Morning drive /cam', folder_id: folder, scope: 'org', status: 'uploaded' },
      { video_name: 'two drive_0.mcap /cam', folder_id: null, scope: 'org' },
      { video_name: 'two late/drive_1.MCAP /cam', folder_id: null, scope: 'org' },
    ]);

    const again = await start([directory('one/')], { scope: 'org' });
    expect(again.json).toMatchObject({ status: 'completed', skipped: 1, video_id: videos[0]!.video_id });
    expect(await ended(again.json.import_job_id)).toMatchObject({ summary: { completed: 1, failed: 0 } });
  });

  test('that cannot be converted fail the job, though their files were transferred', async () => {
    const started = await start([directory('broken/')]);
    const job = await ended(started.json.import_job_id);
    expect(job).toMatchObject({ status: 'failed', summary: { completed: 0, failed: 1 } });
    const both = await start([directory('broken/'), directory('two/')], { scope: 'org' });
    expect(await ended(both.json.import_job_id)).toMatchObject({ status: 'partial', summary: { failed: 1 } });
  });

  test.each([
    ['an unknown format', { source_format: 'zendar_parquet' }, ['one/'], 'recording_format_unknown', /mcap/],
    ['another format', { source_format: 'lerobot' }, ['one/'], 'dataset_unreadable', /no meta\/info.json/],
    ['a name of the language', { source_format: 'constructor' }, ['one/'], 'recording_format_unknown', /mcap/],
    ['a directory without recordings', {}, ['one/', 'videos/'], 'import_nothing_found', /drives\/videos/],
    ['a directory twice', {}, ['one/', 'one'], 'import_invalid', /twice/],
    ['a directory in another', {}, ['two/late/', 'two/'], 'import_invalid', /inside another/],
    ['a whole bucket', {}, [''], 'import_invalid', /not a directory/],
  ] as const)('are refused with a reason for %s, and nothing is imported', async (_, more, names, error, message) => {
    const before = (await get('/api/import-jobs')).import_jobs as object[];
    const refused = await start(
      names.map((name) => directory(name)),
      more,
    );
    expect(refused).toMatchObject({ status: 400, json: { error, message: expect.stringMatching(message) } });
    expect((await get('/api/import-jobs')).import_jobs).toHaveLength(before.length);
  });

  test('are refused for several buckets, and for folders of another scope', async () => {
    const other = { source_uri: 's3://others/one/' };
    expect(await start([directory('one/'), other])).toMatchObject({ json: { error: 'import_invalid' } });
    expect(await start([other])).toMatchObject({ json: { error: 'integration_missing' } });
    const folder = (await post('/api/folders', { name: 'Mine', scope: 'user' })).json.id;
    const mixed = await start([directory('one/', { folder_id: folder })], { scope: 'org' });
    expect(mixed).toMatchObject({ status: 400, json: { error: 'import_invalid' } });
  });
});
