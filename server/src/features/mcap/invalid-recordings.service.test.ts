// Damaged, hostile and unusual recordings.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  grayImage,
  grayLevel,
  jsonFormat,
  type MessageFormat,
  recordingBytes,
  recordingTimeNs,
  ros2Format,
} from '#test/mcap/recordings';
import { HOSTILE_RECORDINGS } from '../../engine/robot-logs/hostile-recordings.fixture.ts';
import {
  camera,
  cameraFrame,
  cameraRecording,
  camerasRecording,
  type McapService,
  startMcapService,
} from './mcap.fixture.ts';

let service: McapService;
beforeAll(async () => {
  service = await startMcapService();
});
afterAll(() => service.close());

test('bad channels among ten thousand fail by name and do not affect others', async () => {
  const ros = ros2Format('sensor_msgs/msg/CompressedImage');
  const wrong = { ...ros, schema: { ...ros.schema, data: Buffer.from('no definition at all !') } };
  const stray = Buffer.alloc(40, 0xff);
  const bad: [topic: string, kind: MessageFormat, data: Uint8Array, reason: RegExp][] = [
    ['/bad/schema', wrong, stray, /schema does not parse/],
    ['/bad/messages', ros, stray, /None of its frames/],
  ];
  const good = ['/cam', '/cam', '/back'].map((topic) => ({ topic, ...camera }));
  const others = Array.from({ length: 10_000 }, (_, i) => ({ topic: `/t${i}`, ...jsonFormat('test.Number') }));
  const bytes = await recordingBytes({
    channels: [...good, ...bad.map(([topic, kind]) => ({ topic, ...kind })), ...others],
    messages: Array.from({ length: 10 }, (_, i) => [
      // The third camera's time goes backwards once.
      ...[i, i, i === 5 ? 4 : i].map((at, channel) => ({
        channel,
        logNs: recordingTimeNs(i),
        data: cameraFrame(channel * 40 + i, at),
      })),
      ...bad.map(([, , data], n) => ({ channel: good.length + n, logNs: recordingTimeNs(i), data })),
      { channel: good.length + bad.length + i * 1_000, logNs: recordingTimeNs(i), data: stray },
    ]).flat(),
  });
  const ingest = await service.ingest(bytes);
  expect(ingest.status).toBe('partial');
  const derived = (channel: string) => ingest.derived_videos.find((each) => each.channel === channel);
  for (const [topic, , , reason] of bad) {
    expect(derived(topic)).toMatchObject({ status: 'failed', video_id: null, error: expect.stringMatching(reason) });
  }
  expect(['/cam#0', '/cam#1'].map((name) => derived(name)?.frame_count)).toEqual([10, 10]);
  expect(derived('/back')).toMatchObject({ status: 'completed', frame_count: 9 });
  expect(ingest.derived_videos).toHaveLength(good.length + bad.length);
  expect(ingest.recording!.channels).toHaveLength(10_005);
});

test.each<[string, () => Promise<Buffer>, string, RegExp]>([
  [
    'a file that is not a recording',
    async () => Buffer.from('this is no recording'),
    'failed',
    /not an MCAP recording/,
  ],
  [
    'a recording without images',
    () => recordingBytes({ channels: [{ topic: '/imu', ...ros2Format('sensor_msgs/msg/Imu') }], messages: [] }),
    'failed',
    /no image channel|no readable images/,
  ],
  [
    'a recording with an unknown compression',
    () =>
      cameraRecording({
        options: { compressChunk: (data) => ({ compression: 'snappy', compressedData: data }) },
      }),
    'failed',
    /unsupported compression snappy/i,
  ],
  [
    'a recording without chunks that has a wrong checksum',
    async () => {
      const bytes = await cameraRecording({ options: { useChunks: false } });
      bytes[bytes.indexOf('"nsec":0') + 7] = '1'.charCodeAt(0);
      return bytes;
    },
    'partial',
    /checksum/,
  ],
  [
    'a truncated recording',
    async () => (await cameraRecording()).subarray(0, -400),
    'partial',
    /middle of the recording|index/,
  ],
])('%s ends with a reason', async (_, make, status, error) => {
  const ingest = await service.ingest(await make());
  expect(ingest).toMatchObject({ status, error: expect.stringMatching(error) });
});

test('names of channels can be of any length and contain any character', async () => {
  const topics = ['/camera/\0front', `/${'x'.repeat(6_000)}`, '/same', '/same', '/same#2'];
  const ingest = await service.ingest(await camerasRecording(topics));
  expect(ingest, String(ingest.error)).toMatchObject({ status: 'completed' });
  expect(new Set(ingest.derived_videos.map(({ channel }) => channel)).size).toBe(topics.length);
});

test.each([
  'a chunk of zeros, zstd',
  '7 million empty messages in small chunks of foxglove.CompressedImage, without an index',
  'empty messages in one chunk',
])('%s: the ingest fails with the reason', async (name) => {
  const { bytes, reason } = HOSTILE_RECORDINGS[name]!;
  const { status, error } = await service.ingest(bytes());
  expect([status, error]).toEqual(['failed', expect.stringMatching(reason)]);
});

test('any times are accepted', async () => {
  const at = (sec: number) => ({ timestamp: { sec, nsec: 0 }, format: 'jpeg', data: grayImage(grayLevel(1)) });
  const startOf = async (logNs: (i: number) => bigint) => {
    const bytes = await recordingBytes({
      channels: [{ topic: '/camera/front', ...camera }],
      messages: [0, 1, 2].map((i) => ({ channel: 0, logNs: logNs(i), data: camera.encode(at(10 ** 14 + i)) })),
    });
    const ingest = await service.ingest(bytes);
    expect(ingest).toMatchObject({
      status: 'completed',
      derived_videos: [{ frame_count: 3, duration_s: expect.closeTo(2, 1) }],
    });
    return ingest.derived_videos[0]!.start_time;
  };
  expect(await startOf(recordingTimeNs)).toBe(new Date(Number(recordingTimeNs(0) / 1_000_000n)).toISOString());
  // Times since the recorder started.
  expect(await startOf((i) => BigInt(i) * 1_000_000_000n)).toBeNull();
});
