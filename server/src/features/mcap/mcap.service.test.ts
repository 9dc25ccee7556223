// Recordings over HTTP: they become videos with views and telemetry that can be queried.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '#test/http';
import { type RecordingPlan, recordingBytes, recordingTimeNs, ros2Format, ros2Stamp } from '#test/mcap/recordings';
import {
  camera,
  cameraFrame,
  cameraRecording,
  type IngestJson,
  type McapService,
  startMcapService,
} from './mcap.fixture.ts';

let service: McapService;
let reader: string;
beforeAll(async () => {
  service = await startMcapService();
  const { keys } = service.app.sightline;
  reader = (await keys.create({ ...service.owner, name: 'reader', scopes: ['read'] })).key;
});
afterAll(() => service.close());

const imu = ros2Format('sensor_msgs/msg/Imu');

/**
 * A recording of two cameras with different frame rates (the second starts a quarter of a second later and has a gap
 * from 4 to 7 s), an IMU that measures braking from 5 to 7 s, and a camera with invalid data.
 */
function drive(): RecordingPlan {
  const messages: { channel: number; logNs: bigint; data: Uint8Array }[] = [];
  const add = (channel: number, timeS: number, data: Uint8Array) =>
    messages.push({ channel, logNs: recordingTimeNs(timeS + 0.01), data });
  for (let i = 0; i < 100; i++) add(0, i / 10, cameraFrame(i, i / 10));
  for (let i = 0; i < 50; i++) {
    const timeS = 0.25 + i / 5;
    if (timeS < 4 || timeS > 7) add(1, timeS, cameraFrame(i, timeS));
  }
  for (let i = 0; i < 1000; i++) {
    const timeS = i / 100;
    const zero = { x: 0, y: 0, z: 0 };
    const felt = { x: timeS >= 5 && timeS < 7 ? -6 : 0, y: 0, z: 9.8 };
    const header = { stamp: ros2Stamp(recordingTimeNs(timeS)), frame_id: 'imu' };
    add(2, timeS, imu.encode({ header, angular_velocity: zero, linear_acceleration: felt }));
  }
  for (let i = 0; i < 5; i++) add(3, i, camera.encode({ format: 'jpeg', data: Buffer.from('rubbish') }));
  messages.sort((a, b) => Number(a.logNs - b.logNs));
  return {
    channels: [
      { topic: '/camera/front/image', ...camera },
      { topic: '/camera/rear/image', ...camera },
      { topic: '/imu', ...imu },
      { topic: '/camera/left/image', ...camera },
    ],
    messages,
  };
}

describe('a recording', () => {
  let bytes: Buffer;
  let ingest: IngestJson;
  beforeAll(async () => {
    bytes = await recordingBytes(drive());
    ingest = await service.ingest(bytes, { sha256: createHash('sha256').update(bytes).digest('hex') });
  });

  const derived = (channel: string) => ingest.derived_videos.find((each) => each.channel === channel)!;

  test('becomes a video per camera with its capture times; a channel that fails is named', () => {
    expect(ingest).toMatchObject({
      status: 'partial',
      error: expect.stringMatching(/\/camera\/left\/image: None of its frames could be read/),
      recording: {
        indexed: true,
        telemetry: { accelerationMps2: '/imu' },
        lost: [],
        start_time: '2025-06-15T15:06:40.010Z',
      },
    });
    expect(derived('/camera/front/image')).toMatchObject({
      status: 'completed',
      role: 'front',
      offset_s: 0,
      frame_count: 100,
      gaps: [],
      duration_s: 9.9,
      drift_ppm: null,
    });
    expect(derived('/camera/rear/image')).toMatchObject({
      status: 'completed',
      role: 'rear',
      offset_s: 0.25,
      duration_s: 9.8,
      gaps: [{ start_s: 3.6, end_s: 6.8 }],
    });
    expect(derived('/camera/left/image')).toMatchObject({ status: 'failed', video_id: null });
    const [front, rear] = [derived('/camera/front/image').video_id, derived('/camera/rear/image').video_id];
    expect(ingest).toMatchObject({
      views: { front, rear },
      primary_view_id: front,
      primary_video_id: front,
      video_id: front,
      video_ids: [front, rear],
      videos_by_channel: { '/camera/front/image': front },
      videos_by_role: { rear },
    });
  });

  test('adds its videos to the library', async () => {
    const { json: status } = await service.call('GET', `/api/video/${ingest.primary_view_id}/status`);
    expect(status).toMatchObject({ status: 'uploaded', video_name: 'drive.mcap /camera/front/image' });
    const { json } = await service.call('GET', `/api/videos?source=mcap`);
    expect((json.videos as object[]).length).toBeGreaterThanOrEqual(2);
  });

  test('can be queried by its measurements; an event that several views show is reported once', async () => {
    const query = await service.call('POST', `/api/multi-view/${ingest.primary_view_id}/query`, {
      query: 'braking harder than 4 m/s²',
    });
    expect(query.json).toMatchObject({ total: 2, status: 'processing' });
    for (;;) {
      const { json } = await service.call('GET', `/api/batch/${query.json.batch_id}/status`);
      if (json.status !== 'processing') break;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const { json } = await service.call('POST', '/api/fuse_multiview_results', {
      batch_ids: [query.json.batch_id],
      view_keys: ['front', 'rear'],
    });
    expect(json).toMatchObject({ view_types: ['front', 'rear'], unmatched_results: [] });
    const [{ events }] = json.results as [{ events: { start_s: number; end_s: number; views: { role: string }[] }[] }];
    const bulk = await service.call('POST', `/api/batch/${query.json.batch_id}/analyses/bulk`, {
      video_ids: [ingest.primary_view_id],
    });
    const [document] = bulk.json.analyses as { events: object[]; analysis: { events: object[] } }[];
    expect(document!.events[0]).toMatchObject({ overlay: { frame_acceleration_mps2: { start: expect.any(Number) } } });
    expect(document!.analysis.events[0]).toMatchObject({ data: { frame_acceleration_mps2_end: expect.any(Number) } });
    expect(events).toHaveLength(1);
    expect(events[0]!.start_s).toBeCloseTo(5, 0);
    expect(events[0]!.end_s).toBeCloseTo(7, 0);
    expect(events[0]!.views.map(({ role }) => role)).toContain('front');
  });

  test('has a signed URL for each view', async () => {
    const { json } = await service.call('POST', `/api/multi-view/${ingest.views.rear}/signed-urls`, undefined, reader);
    const views = json.views as { role: string; offset_s: number; url: string }[];
    expect(views.map(({ role, offset_s }) => [role, offset_s])).toEqual([
      ['front', 0],
      ['rear', 0.25],
    ]);
    const url = new URL(views[1]!.url);
    expect((await createApiClient(service.app.api.base).call('HEAD', url.pathname + url.search)).status).toBe(200);
  });

  test('can be stitched again with other roles', async () => {
    const stitch = (body: object) => service.call('POST', `/api/mcap/${ingest.mcap_ingest_id}/stitch`, body);
    const again = await stitch({
      front_channel: 'camera/rear/image',
      channel_roles: { '/camera/front/image': 'roof' },
      channel_labels: { '/camera/front/image': 'On the roof' },
    });
    const { front, rear } = ingest.views;
    expect(again.json).toMatchObject({ views: { front: rear, roof: front }, primary_view_id: rear, status: 'partial' });
    expect((await service.call('GET', `/api/multi-view/${front}`)).json).toMatchObject({
      primary_view_id: rear,
      details: [
        { role: 'front', offset_s: 0 },
        { role: 'roof', offset_s: -0.25, label: 'On the roof' },
      ],
    });
    for (const [body, error] of [
      [{ front_channel: '/camera/top' }, 'mcap_channel_unknown'],
      [{ front_channel: '/imu' }, 'mcap_channel_unknown'],
      [{ channel_roles: { '/camera/front/image': 'a', '/camera/rear/image': 'A' } }, 'mcap_role_repeated'],
      [
        { front_channel: '/camera/front/image', channel_roles: { '/camera/rear/image': 'front' } },
        'mcap_role_repeated',
      ],
      [{ channel_roles: { '/camera/front/image': 'über' } }, 'mcap_role_invalid'],
    ] as const) {
      expect((await stitch(body)).json).toMatchObject({ error });
    }
    await stitch({});
    expect((await service.call('GET', `/api/multi-view/${front}`)).json).toMatchObject({
      primary_view_id: front,
      details: [{ label: 'On the roof' }, { label: null }],
    });
    await stitch({ channel_labels: { 'camera/front/image': '' } });
    expect((await service.call('GET', `/api/multi-view/${front}`)).json.details).toMatchObject([
      { label: null },
      { label: null },
    ]);
  });

  test('is split into ranges by chunk_size, each a set of views', async () => {
    const split = await service.ingest(bytes, { chunk_size: 10 });
    expect(split.chunk_size).toBe(10);
    const long = await cameraRecording({ count: 50, intervalS: 0.5 });
    const { derived_videos, video_ids } = await service.ingest(long, { chunk_size: 10 });
    expect(derived_videos.map(({ part, frame_count, duration_s }) => [part, frame_count, duration_s])).toEqual([
      [0, 20, 9.5],
      [1, 20, 9.5],
      [2, 10, 4.5],
    ]);
    expect(video_ids).toHaveLength(3);
  });
});

test('the time of satellites is that of the videos, and the clock of the log contradicts it', async () => {
  const time = ros2Format('sensor_msgs/msg/TimeReference');
  const messages = [0, 1, 2, 3].flatMap((i) => {
    const stamp = ros2Stamp(recordingTimeNs(i));
    const data = time.encode({
      header: { stamp, frame_id: 'gps' },
      time_ref: ros2Stamp(recordingTimeNs(i + 3_600)),
      source: 'gps',
    });
    return [
      { channel: 0, logNs: recordingTimeNs(i), data: cameraFrame(i + 40, i) },
      { channel: 1, logNs: recordingTimeNs(i), data },
    ];
  });
  const bytes = await recordingBytes({
    channels: [
      { topic: '/cam', ...camera },
      { topic: '/gps/time', ...time },
    ],
    messages,
  });
  const { derived_videos } = await service.ingest(bytes);
  const { json } = await service.call('GET', `/api/video/${derived_videos[0]!.video_id}/status`);
  const at = (seconds: number) => new Date(Number(recordingTimeNs(seconds) / 1_000_000n)).toISOString();
  expect(json).toMatchObject({
    recorded_at: at(3_600),
    clock: { source: 'gps', zone_known: true, conflicts: [{ source: 'log', recorded_at: at(0) }] },
  });
});
