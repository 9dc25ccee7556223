import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { footage, hasFootage } from '#test/footage';
import {
  grayImage,
  grayLevel,
  jsonFormat,
  type MessageFormat,
  protobufFormat,
  protobufStamp,
  type RecordingPlan,
  recordingBytes,
  recordingTimeNs,
  ros1Format,
  ros1Stamp,
  ros2Format,
  ros2Stamp,
} from '#test/mcap/recordings';
import { createTestMedia } from '#test/media/clips';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import { temporaryFolder } from '#test/temporary-folder';
import { describeSidecar } from '../observe/telemetry/sidecar.ts';
import { hugeImage, rawImage } from './images.fixture.ts';
import { createRecordings, type Recordings, toSidecar } from './index.ts';
import { numbers } from './mcap/recordings.fixture.ts';

const TASKS = new URL('../../../test/media/media-tasks.ts', import.meta.url);

describe('channels', () => {
  let media: Media;
  let recordings: Recordings;
  let folder: string;
  beforeAll(async () => {
    media = await createTestMedia();
    recordings = createRecordings({ media });
    folder = await temporaryFolder();
  });
  afterAll(() => media.close());

  async function saved(plan: RecordingPlan): Promise<{ path: string }> {
    const path = join(folder, `${newId()}.mcap`);
    await writeFile(path, await recordingBytes(plan));
    return { path };
  }
  const see = (path: string) =>
    media.run<DecodedClip>({
      module: TASKS,
      name: 'decodeClip',
      args: { path, picture: { width: 16, height: 12, format: 'gray' } } satisfies DecodeClipArgs,
    });
  async function convert(plan: RecordingPlan, channel = 0) {
    const place = await saved(plan);
    const { channels } = await recordings.survey(place);
    const converted = await recordings.convertChannel({
      place,
      channelId: channels[channel]!.id,
      folder: await temporaryFolder(),
      chunkSizeS: null,
    });
    const [part] = converted.parts;
    return { converted: { ...converted, ...part! }, probe: await media.probe(part!.path), ...(await see(part!.path)) };
  }
  /** Twelve frames at irregular times, with a gap before the eighth. */
  const TIMES = Array.from({ length: 12 }, (_, i) => i * 0.1 + (i % 3) * 0.02 + (i > 7 ? 3 : 0));
  const frames = (kind: MessageFormat, message: (i: number, stamp: bigint) => object): RecordingPlan => ({
    channels: [{ topic: '/camera', ...kind }],
    // Logged after capture with varying delays: the time of the frame counts.
    messages: TIMES.map((timeS, i) => ({
      channel: 0,
      logNs: recordingTimeNs(timeS + 0.05 + (i % 4) * 0.01),
      data: kind.encode(message(i, recordingTimeNs(timeS))),
    })),
  });
  const jpeg = (i: number) => grayImage(grayLevel(i));

  test.each<[string, () => RecordingPlan]>([
    [
      'ROS 2 CompressedImage',
      () =>
        frames(ros2Format('sensor_msgs/msg/CompressedImage'), (i, stamp) => ({
          header: { stamp: ros2Stamp(stamp), frame_id: 'c' },
          format: 'jpeg',
          data: jpeg(i),
        })),
    ],
    [
      'ROS 1 CompressedImage',
      () =>
        frames(ros1Format('sensor_msgs/CompressedImage'), (i, stamp) => ({
          header: { seq: i, stamp: ros1Stamp(stamp), frame_id: 'c' },
          format: 'rgb8; png compressed bgr8',
          data: grayImage(grayLevel(i), { type: 'png' }),
        })),
    ],
    [
      'protobuf CompressedImage',
      () =>
        frames(protobufFormat('foxglove.CompressedImage'), (i, stamp) => ({
          timestamp: protobufStamp(stamp),
          format: 'jpeg',
          data: jpeg(i),
        })),
    ],
    [
      'JSON CompressedImage',
      () =>
        frames(jsonFormat('foxglove.CompressedImage'), (i, stamp) => ({
          timestamp: ros1Stamp(stamp),
          format: 'jpeg',
          data: jpeg(i),
        })),
    ],
    ...(
      ['mono8', 'rgb8', 'bgr8', 'rgba8', 'bgra8', 'mono16', 'bayer_rggb8', 'yuv422', 'yuv422_yuy2', '16UC1'] as const
    ).map((encoding): [string, () => RecordingPlan] => [
      `ROS 2 Image as ${encoding}`,
      () =>
        frames(ros2Format('sensor_msgs/msg/Image'), (i, stamp) => ({
          header: { stamp: ros2Stamp(stamp), frame_id: 'c' },
          ...rawImage(encoding, grayLevel(i)),
        })),
    ]),
  ])('%s: each frame at its own time', async (_, plan) => {
    const { converted, frames: seen } = await convert(plan());
    expect(converted).toMatchObject({
      frames: 12,
      video: 'encoded',
      startNs: recordingTimeNs(0),
      notes: [],
      losses: [],
    });
    expect(converted.gaps).toEqual([{ startNs: recordingTimeNs(TIMES[7]!), endNs: recordingTimeNs(TIMES[8]!) }]);
    expect(seen.map(({ timeS }) => timeS.toFixed(3))).toEqual(TIMES.map((timeS) => timeS.toFixed(3)));
    for (const [i, { data }] of seen.entries()) {
      const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
      expect(Math.abs(mean - grayLevel(i))).toBeLessThan(12);
    }
  });

  test.each<[string, MessageFormat, (i: number, stamp: bigint) => object]>([
    [
      'ROS 2',
      ros2Format('sensor_msgs/msg/CompressedImage'),
      (i, stamp) => ({ header: { stamp: ros2Stamp(stamp), frame_id: 'c' }, format: 'jpeg', data: jpeg(i) }),
    ],
    [
      'ROS 1',
      ros1Format('sensor_msgs/CompressedImage'),
      (i, stamp) => ({ header: { seq: i, stamp: ros1Stamp(stamp), frame_id: 'c' }, format: 'jpeg', data: jpeg(i) }),
    ],
    [
      'protobuf',
      protobufFormat('foxglove.CompressedImage'),
      (i, stamp) => ({ timestamp: protobufStamp(stamp), format: 'jpeg', data: jpeg(i) }),
    ],
    [
      'JSON',
      jsonFormat('foxglove.CompressedImage'),
      (i, stamp) => ({ timestamp: ros1Stamp(stamp), format: 'jpeg', data: jpeg(i) }),
    ],
  ])('messages that do not match their schema in %s are left out and reported', async (_, kind, message) => {
    const { messages, ...plan } = frames(kind, message);
    const spoilt = [...messages].map((one, i) => {
      // Empty; truncated; lengths of four gigabytes.
      const data = { 0: new Uint8Array(), 4: one.data.subarray(0, 20), 7: new Uint8Array(one.data.length).fill(0xff) }[
        i
      ];
      return data ? { ...one, data } : one;
    });
    const { converted } = await convert({ ...plan, messages: spoilt });
    expect(converted.frames).toBe(9);
    expect(converted.notes.join()).toMatch(/3 frames could not be read/);
  });

  test('frames that cannot be read are left out and reported', async () => {
    const kind = jsonFormat('foxglove.CompressedImage');
    const plan = frames(kind, (i, stamp) => ({
      timestamp: ros1Stamp(stamp),
      data: i === 4 ? Buffer.from('no picture') : jpeg(i),
    }));
    const { converted } = await convert(plan);
    expect(converted.frames).toBe(11);
    expect(converted.notes.join()).toMatch(/1 frames could not be read: .*neither JPEG, PNG nor WebP/);
  });

  test.each(['png', 'jpeg'])('a %s that claims huge dimensions is not decoded', async (type) => {
    const kind = jsonFormat('foxglove.CompressedImage');
    const place = await saved(frames(kind, () => ({ format: type, data: hugeImage(type) })));
    const { channels } = await recordings.survey(place);
    const failed = recordings.convertChannel({ place, channelId: channels[0]!.id, folder, chunkSizeS: null });
    await expect(failed).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/none of (its|the) /i),
    });
  });

  test.each([
    ['foxglove.RawImage', { width: 100_000, height: 100_000, encoding: 'mono8', data: '' }, /100000 × 100000 pixels/],
    ['foxglove.RawImage', { width: 64, height: 48, encoding: 'mono8', data: 'AAAA' }, /too few/],
    ['foxglove.RawImage', { width: 64, height: 48, encoding: 'sepia', data: 'AAAA' }, /"sepia" is not understood/],
    ['foxglove.CompressedVideo', { format: 'theora', data: 'AAAA' }, /"theora"/],
    ['foxglove.CompressedImage', { format: 'jpeg' }, /no bytes/],
  ])('%s %j fails with its reason', async (name, message, reason) => {
    const kind = jsonFormat(name);
    const place = await saved(frames(kind, () => message));
    const { channels } = await recordings.survey(place);
    const failed = recordings.convertChannel({ place, channelId: channels[0]!.id, folder, chunkSizeS: null });
    await expect(failed).rejects.toMatchObject({ status: 400, message: expect.stringMatching(reason) });
  });

  test('a schema that does not parse, and one that is not known', async () => {
    const kind = ros2Format('sensor_msgs/msg/CompressedImage');
    const broken = { ...kind, schema: { ...kind.schema, data: Buffer.from('not a definition at all !') } };
    const strange = { ...kind, messageEncoding: 'msgpack' };
    for (const [made, reason] of [
      [broken, /schema does not parse/],
      [strange, /"msgpack"/],
    ] as const) {
      const place = await saved({ channels: [{ topic: '/c', ...made }], messages: [] });
      const { channels } = await recordings.survey(place);
      const failed = recordings.convertChannel({ place, channelId: channels[0]!.id, folder, chunkSizeS: null });
      await expect(failed).rejects.toMatchObject({
        code: 'channel_unreadable',
        message: expect.stringMatching(reason),
      });
    }
  });

  test('a camera clock that is set, runs fast or jumps back', async () => {
    const kind = jsonFormat('foxglove.CompressedImage');
    const plan = (stampOf: (i: number) => number): RecordingPlan => ({
      channels: [{ topic: '/camera', ...kind }],
      messages: Array.from({ length: 40 }, (_, i) => ({
        channel: 0,
        logNs: recordingTimeNs(i / 2),
        data: kind.encode({ timestamp: ros1Stamp(recordingTimeNs(stampOf(i))), data: jpeg(i) }),
      })),
    });
    const fast = await convert(plan((i) => (i / 2) * 1.0001));
    expect(fast.converted.driftPpm).toBeCloseTo(100, 0);
    expect(fast.frames.at(-1)!.timeS).toBeCloseTo(19.5 * 1.0001, 4);
    const set = await convert(plan((i) => (i < 20 ? i / 2 : i / 2 - 3_000)));
    expect(set.converted.notes.join()).toMatch(/clock was set 1 times/);
    expect(set.frames.map(({ timeS }) => timeS)).toEqual(Array.from({ length: 40 }, (_, i) => i / 2));
    const ahead = await convert(plan((i) => 80 * 365 * 86_400 + i / 2));
    expect(ahead.converted.startNs - set.converted.startNs).toBe(0n);
    expect(ahead.frames.at(-1)!.timeS).toBe(19.5);
    const back = await convert(plan((i) => (i === 9 ? 4 : i / 2)));
    expect(back.converted).toMatchObject({ frames: 39 });
    expect(back.converted.notes.join()).toMatch(/1 frames were left out because they are not later/);
  });

  test('telemetry from an IMU, and a speed', async () => {
    const imu = ros2Format('sensor_msgs/msg/Imu');
    const speed = ros2Format('std_msgs/msg/Float64');
    const braking = (t: number) => (t >= 5 && t < 7 ? -6 : 0);
    const axes = (x: number, y: number, z: number) => ({ x, y, z });
    const place = await saved({
      channels: [
        { topic: '/imu', ...imu },
        { topic: '/vehicle/speed_kmh', ...speed },
      ],
      messages: Array.from({ length: 1000 }, (_, i) => {
        const t = i / 100;
        const stamp = ros2Stamp(recordingTimeNs(t));
        return [
          {
            channel: 0,
            logNs: recordingTimeNs(t),
            data: imu.encode({
              header: { stamp, frame_id: 'imu' },
              angular_velocity: axes(0, 0, 0.1),
              linear_acceleration: axes(braking(t), 0, 9.8),
            }),
          },
          ...(i % 10 === 0 ? [{ channel: 1, logNs: recordingTimeNs(t), data: speed.encode({ data: 36 }) }] : []),
        ];
      }).flat(),
    });
    const read = (await recordings.readTelemetry(place))!;
    expect(read.sources).toEqual({ speedMps: '/vehicle/speed_kmh', yawRateDps: '/imu' });
    expect(read.columns.speedMps![50]).toBeCloseTo(10);
    expect(read.columns.yawRateDps![50]).toBeCloseTo(5.73, 2);
    const sidecar = describeSidecar(Buffer.from(toSidecar(read, recordingTimeNs(2))));
    expect(sidecar).toMatchObject({ samples: 200, start_s: expect.closeTo(-1.98, 1) });

    // Every hundredth message, including the first, does not match its schema.
    const alone = await saved({
      channels: [{ topic: '/imu', ...imu }],
      messages: Array.from({ length: 1000 }, (_, i) => ({
        channel: 0,
        logNs: recordingTimeNs(i / 100),
        data:
          i % 100 === 0
            ? Buffer.alloc(7, 0xff)
            : imu.encode({
                header: { stamp: ros2Stamp(recordingTimeNs(i / 100)), frame_id: 'imu' },
                angular_velocity: axes(0, 0, 0),
                linear_acceleration: axes(braking(i / 100), 0, 9.8),
              }),
      })),
    });
    const felt = (await recordings.readTelemetry(alone))!;
    expect(felt.sources).toEqual({ accelerationMps2: '/imu' });
    expect(felt.columns.accelerationMps2![115]).toBeCloseTo(-6);
    expect(felt.notes.join()).toMatch(/x axis of \/imu/);
  });

  test.runIf(hasFootage)('real recordings', async () => {
    const gopro = { path: footage('mcap/derived_gopro_hero7_walk_ros2_h264.mcap') };
    const converted = await recordings.convertChannel({ place: gopro, channelId: 0, folder, chunkSizeS: null });
    expect(converted).toMatchObject({ notes: [], parts: [{ frames: 352, video: 'copied', gaps: [] }] });
    expect((await see(converted.parts[0]!.path)).summary).toMatchObject({ frames: 352, errors: 0, state: 'whole' });
    const cut = await recordings.convertChannel({
      place: gopro,
      channelId: 0,
      folder: await temporaryFolder(),
      chunkSizeS: 4,
    });
    expect(cut.parts.map(({ part, video }) => [part, video])).toEqual([0, 1, 2].map((part) => [part, 'copied']));
    expect(cut.parts.reduce((sum, { frames }) => sum + frames, 0)).toBe(352);
    for (const { path, frames } of cut.parts) expect((await see(path)).summary).toMatchObject({ frames, errors: 0 });
    const kitti = { path: footage('mcap/derived_kitti_seq1_ros2_jpeg.mcap') };
    const pictures = await recordings.convertChannel({ place: kitti, channelId: 0, folder, chunkSizeS: 2 });
    expect(pictures.parts.map(({ frames }) => frames)).toEqual([20, 20, 11]);
    const car = (await recordings.readTelemetry({
      path: footage('mcap/derived_comma2k19_seg40_telemetry_ros2.mcap'),
    }))!;
    expect(car.sources).toMatchObject({ speedMps: '/vehicle/can/speed', latitude: '/gps/fix' });
    expect([car.columns.speedMps!.at(0), car.columns.speedMps!.at(190)].map((v) => Math.round(v!))).toEqual([8, 20]);
  });
});

describe('over HTTP', () => {
  test('requests ranges, and no more of the file than needed', async () => {
    const bytes = await recordingBytes(numbers());
    let sent = 0;
    const server = createServer((request, response) => {
      const [, from, to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range!)!;
      const end = Math.min(bytes.length - 1, to ? Number(to) : bytes.length - 1);
      const part = bytes.subarray(Number(from), end + 1);
      sent += part.length;
      response.writeHead(206, { 'content-range': `bytes ${from}-${end}/${bytes.length}` }).end(part);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const media = await createTestMedia();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/r.mcap`;
    expect(await createRecordings({ media }).survey({ url })).toMatchObject({ indexed: true, channels: [{}, {}] });
    expect(sent).toBeLessThan(bytes.length);
    await media.close();
    server.close();
  });
});
