// Failures of the service and of single channels.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { setQuota } from '#features/videos/index';
import { grayImage, grayLevel, jsonFormat, recordingBytes, recordingTimeNs } from '#test/mcap/recordings';
import { camera, camerasRecording, type McapService, startMcapService } from './mcap.fixture.ts';

let service: McapService;
beforeAll(async () => {
  service = await startMcapService();
});
afterAll(() => service.close());

test('a range that exceeds the quota fails alone', async () => {
  const bytes = await camerasRecording(['/camera/front'], 30);
  const whole = await service.ingest(bytes, { chunk_size: 10 });
  expect(whole.derived_videos.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  const { json: usage } = await service.call('GET', '/api/usage');
  const { db, owner } = service;
  const id = await service.upload(await camerasRecording(['/camera/front'], 30), { chunk_size: 10 });
  const { size_bytes } = (await service.call('GET', `/api/mcap/${id}`)).json;
  const { bytes: each } = await db
    .selectFrom('videos')
    .select(({ fn }) => fn.max('sizeBytes').as('bytes'))
    .where('id', 'in', whole.video_ids)
    .executeTakeFirstOrThrow();
  const maxBytes = Math.round(Number(usage.bytes) + Number(size_bytes) + 1.5 * Number(each));
  await setQuota(db, owner.orgId, { maxBytes });
  onTestFinished(async () => {
    await setQuota(db, owner.orgId, { maxBytes: null });
  });
  await service.call('POST', `/api/mcap/${id}/process`, {});
  const ingest = await service.waitUntilEnded(id);
  expect(ingest.status).toBe('partial');
  expect(ingest.derived_videos.map(({ part, status }) => [part, status])).toEqual([
    [0, 'completed'],
    [1, 'failed'],
    [2, 'failed'],
  ]);
  expect(ingest.video_ids).toHaveLength(1);
});

test('a recording that cannot be processed leaves no video in progress', async () => {
  const { config } = service.app.sightline;
  const bytes = await camerasRecording(['/camera/front']);
  const id = await service.upload(bytes);
  const before = (await service.call('GET', '/api/usage')).json.bytes;
  // Writes to the folder of the video files fail.
  const folder = join(config.dataDir, 'files', 'contents');
  await rename(folder, `${folder}-aside`);
  await writeFile(folder, '');
  const skipDelays = setInterval(
    () => void sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(service.db),
    100,
  );
  onTestFinished(() => clearInterval(skipDelays));
  const countEnded = async () => {
    const { rows } = await sql`select from pgboss.job where name = 'mcap.process' and data->>'ingestId' = ${id}
      and state in ('failed', 'completed')`.execute(service.db);
    return rows.length;
  };
  await service.call('POST', `/api/mcap/${id}/process`, {});
  await expect.poll(countEnded).toBe(1);
  await rm(folder);
  await rename(`${folder}-aside`, folder);
  const ingest = await service.waitUntilEnded(id);
  expect(ingest).toMatchObject({ status: 'failed', derived_videos: [{ status: 'failed' }] });
  const video = await service.call('GET', `/api/video/${ingest.derived_videos[0]!.video_id}/status`);
  expect(video.json).toMatchObject({ status: 'uploading_failed' });
  expect((await service.call('GET', '/api/usage')).json.bytes).toBe(Number(before) - bytes.length);
});

describe('a recording with a minute of measurements', () => {
  const speed = jsonFormat('test.Number');
  const minute = (images: number): Promise<Buffer> =>
    recordingBytes({
      channels: [
        { topic: '/camera/front', ...camera },
        { topic: '/vehicle/speed_kmh', ...speed },
      ],
      messages: [
        ...Array.from({ length: images }, (_, i) => ({
          channel: 0,
          logNs: recordingTimeNs(i),
          data: camera.encode({ format: 'jpeg', data: grayImage(grayLevel(i)) }),
        })),
        ...Array.from({ length: 601 }, (_, i) => ({
          channel: 1,
          logNs: recordingTimeNs(i / 10),
          data: speed.encode({ data: i > 300 && i < 400 ? 90 : 30 }),
        })),
      ],
    });
  async function runQuery(videoId: string, query: string) {
    const { json } = await service.call('POST', '/api/router/v2/query/start', {
      query,
      video_ids: [videoId],
      mode: 'fast',
    });
    const batch = String(json.batch_id);
    await expect
      .poll(async () => (await service.call('GET', `/api/batch/${batch}/status`)).json.status, { timeout: 60_000 })
      .toBe('completed');
    const { analyses } = (await service.call('POST', `/api/batch/${batch}/analyses/bulk`, { video_ids: [videoId] }))
      .json;
    return (analyses as { events: Record<string, unknown>[]; analysis: Record<string, unknown> }[])[0]!;
  }

  test.each([
    ['with one image of a camera', 1, 'partial', [['/camera/front', 'failed', /has one image/]]],
    ['without images', 0, 'completed', []],
  ] as const)('%s becomes a video whose measurements can be searched', async (_, images, status, failed) => {
    const ingest = await service.ingest(await minute(images));
    expect(ingest, String(ingest.error)).toMatchObject({ status });
    for (const [channel, outcome, reason] of failed) {
      const video = ingest.derived_videos.find((each) => each.channel === channel);
      expect(video).toMatchObject({ status: outcome, video_id: null, error: expect.stringMatching(reason) });
      expect(ingest.error).toMatch(reason);
    }
    const completed = ingest.derived_videos.filter((each) => each.status === 'completed');
    expect(completed).toMatchObject([
      { channel: '(telemetry)', duration_s: 60, notes: [expect.stringMatching(/empty/)] },
    ]);
    expect(ingest).toMatchObject({ video_ids: [completed[0]!.video_id], video_id: completed[0]!.video_id });

    const fast = await runQuery(completed[0]!.video_id!, 'speed above 80 km/h');
    expect(fast.events, JSON.stringify(fast)).toHaveLength(1);
    const cars = await runQuery(completed[0]!.video_id!, 'a red car');
    expect(cars.events).toEqual([]);
    expect(JSON.stringify(cars.analysis)).toMatch(/has no readable camera channel/);
  });
});
