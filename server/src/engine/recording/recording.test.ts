import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { crc32, zstdCompressSync } from 'node:zlib';
import { McapRecordBuilder } from '@mcap/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { createTestMedia } from '#test/clips';
import { temporaryFolder } from '#test/folder';
import { footage, hasFootage } from '#test/footage';
import type { SeeArgs, Seen } from '#test/media-tasks';
import { testedEngines } from '#test/programs';
import {
  afterNs,
  json,
  type Kind,
  levelOf,
  protobufOf,
  protobufStamp,
  type RecordingPlan,
  recordingBytes,
  ros1,
  ros1Stamp,
  ros2,
  ros2Stamp,
  stillPicture,
} from '#test/recordings';
import { describeSidecar } from '../index.ts';
import { createRecordings, type Recordings, toSidecar } from './index.ts';
import { openRecording } from './reader.ts';
import type { Source } from './source.ts';

/** What every MCAP file begins with. */
const MAGIC = Buffer.from('\x89MCAP0\r\n', 'latin1');

const TASKS = new URL('../../../test/media-tasks.ts', import.meta.url);

/** A recording in memory. */
const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  async read(at, length) {
    if (at + length > bytes.length) throw new Error('past the end');
    return bytes.subarray(at, at + length);
  },
  async *stream(from) {
    for (let at = from; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  },
  [Symbol.asyncDispose]: async () => {},
});

async function all(bytes: Buffer) {
  const recording = await openRecording(sourceOf(bytes));
  const messages = [];
  for await (const message of recording.messages(new Set(recording.channels.map(({ id }) => id))))
    messages.push(message);
  return { ...recording, messages, losses: recording.losses };
}

const number = json('test.Number');
/** Numbers on two channels, a tenth of a second apart, in chunks of a few. */
const numbers = (options: RecordingPlan['options'] = {}, count = 50): RecordingPlan => ({
  channels: [
    { topic: '/a', ...number },
    { topic: '/b', ...number },
  ],
  messages: Array.from({ length: count }, (_, i) => ({
    channel: i % 2,
    logNs: afterNs(i / 10),
    data: number.encode({ value: i }),
  })),
  options: { chunkSize: 100, ...options },
});
const zstd = {
  compressChunk: (data: Uint8Array) => ({ compression: 'zstd', compressedData: zstdCompressSync(data) as Uint8Array }),
};
const valuesOf = (messages: readonly { data: Uint8Array }[]) =>
  messages.map(({ data }) => (JSON.parse(Buffer.from(data).toString()) as { value: number }).value);
const FIFTY = Array.from({ length: 50 }, (_, i) => i);

describe('reading', () => {
  test.each([
    ['chunks and an index', {}, true],
    ['compressed chunks', zstd, true],
    ['no chunks', { useChunks: false }, false],
    ['no index', { useChunkIndex: false, useMessageIndex: false }, false],
    ['no summary of channels', { repeatChannels: false, repeatSchemas: false }, false],
  ] as const)('%s', async (_, options, indexed) => {
    const read = await all(await recordingBytes(numbers(options)));
    expect(read).toMatchObject({ indexed, losses: [], startNs: afterNs(0), endNs: afterNs(4.9) });
    expect(read.channels.map(({ name }) => name)).toEqual(['/a', '/b']);
    expect(valuesOf(read.messages)).toEqual(FIFTY);
  });

  test('only chunks with wanted messages are read', async () => {
    const plan = numbers();
    const messages = [...plan.messages].sort((a, b) => a.channel - b.channel);
    const bytes = await recordingBytes({ ...plan, messages });
    const source = sourceOf(bytes);
    const ranges: number[] = [];
    const recording = await openRecording({
      ...source,
      read(at, length) {
        ranges.push(at);
        return source.read(at, length);
      },
    });
    const opened = ranges.length;
    const came = [];
    for await (const message of recording.messages(new Set([recording.channels[1]!.id]))) came.push(message);
    expect(valuesOf(came)).toEqual(FIFTY.filter((i) => i % 2 === 1));
    expect(ranges.length - opened).toBeLessThan(15);
  });

  test('messages written out of order come in the order of their times', async () => {
    const plan = numbers();
    const shuffled = [...plan.messages].sort((a, b) => Number((a.logNs / 7n) % 11n) - Number((b.logNs / 7n) % 11n));
    expect(valuesOf((await all(await recordingBytes({ ...plan, messages: shuffled }))).messages)).toEqual(FIFTY);
  });

  test('two channels of one topic are told apart', async () => {
    const plan = numbers();
    const channels = plan.channels.map((channel) => ({ ...channel, topic: '/same' }));
    const { channels: read } = await all(await recordingBytes({ ...plan, channels }));
    expect(read.map(({ name }) => name)).toEqual(['/same#0', '/same#1']);
  });

  test('ten thousand channels', async () => {
    const channels = Array.from({ length: 10_000 }, (_, i) => ({ topic: `/t${i}`, ...number }));
    const messages = FIFTY.map((i) => ({ channel: i * 200, logNs: afterNs(i), data: number.encode({ value: i }) }));
    const read = await all(await recordingBytes({ channels, messages }));
    expect([read.channels.length, read.messages.length]).toEqual([10_000, 50]);
  });

  test.runIf(hasFootage)('the conformance files of the format', async () => {
    const folder = footage('mcap/conformance');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mcap'));
    const counted = { read: 0, messages: 0, empty: 0 };
    for (const file of files) {
      const bytes = readFileSync(join(folder, file));
      // A pointer of Git LFS is text that stands for the file.
      expect(bytes.subarray(0, MAGIC.length).equals(MAGIC), `${file} is an MCAP file`).toBe(true);
      const { records } = JSON.parse(readFileSync(join(folder, file.replace(/mcap$/, 'json')), 'utf8')) as {
        records: { type: string; fields: [string, unknown][] }[];
      };
      const listed = records.filter(({ type }) => type === 'Message').map(({ fields }) => Object.fromEntries(fields));
      const expected = listed.map(({ log_time, data }) => [String(log_time), (data as string[]).map(Number)]);
      if (expected.length === 0) {
        await expect(all(bytes), file).rejects.toMatchObject({ code: 'recording_empty' });
        counted.empty++;
        continue;
      }
      const { messages } = await all(bytes);
      const read = messages.map(({ logTimeNs, data }) => [String(logTimeNs), [...data]]);
      expect(read.sort(), file).toEqual(expected.sort());
      counted.read++;
      counted.messages += read.length;
    }
    // Fewer would mean that files are missing; those without a message hold nothing to read.
    expect(counted).toEqual({ read: 215, messages: 989, empty: 19 });
  });
});

describe('damage', () => {
  const TEN = FIFTY.slice(0, 10);
  /** Each is damaged at other bytes, all of them together at all. */
  const DAMAGED = [{}, zstd, { useChunks: false }];
  test('a file cut off anywhere is read up to there, or refused', async () => {
    for (const [i, options] of DAMAGED.entries()) {
      const bytes = await recordingBytes(numbers(options, 10));
      for (let length = i; length < bytes.length; length += DAMAGED.length) {
        const read = await all(bytes.subarray(0, length)).catch((error: unknown) => error as Error);
        if (read instanceof Error) expect(read).toMatchObject({ status: 400 });
        else {
          expect(valuesOf(read.messages)).toEqual(TEN.slice(0, read.messages.length));
          expect(read.losses.length).toBeGreaterThan(0);
        }
      }
    }
  });

  test('a byte that was changed anywhere costs what lies around it, or is refused, and is told of', async () => {
    for (const [i, options] of DAMAGED.entries()) {
      const bytes = await recordingBytes(numbers(options, 10));
      for (let at = i; at < bytes.length; at += DAMAGED.length) {
        const changed = Buffer.from(bytes);
        changed[at]! ^= 1 << (at % 8);
        const read = await all(changed).catch((error: unknown) => error as Error);
        if (read instanceof Error) expect(read).toMatchObject({ status: 400 });
        else if (read.losses.length === 0) expect(valuesOf(read.messages)).toEqual(TEN);
      }
    }
  });

  test.each([
    ['of a chunk', {}, /CRC/, [2, 3, 4]],
    ['of a recording without chunks', { useChunks: false }, /its checksum says/, []],
  ] as const)('a wrong checksum %s', async (_, options, reason, lost) => {
    const bytes = await recordingBytes(numbers(options));
    const at = bytes.indexOf('{"value":4}');
    bytes[at + 9] = '9'.charCodeAt(0);
    const { losses, messages } = await all(bytes);
    expect(losses).toMatchObject([{ reason: expect.stringMatching(reason) }]);
    const rest = FIFTY.filter((i) => !(lost as readonly number[]).includes(i));
    expect(valuesOf(messages)).toEqual(rest.map((i) => (i === 4 ? 9 : i)));
  });

  test('a damaged chunk is lost by its times, and the others are read', async () => {
    for (const options of [zstd, { ...zstd, useChunkIndex: false, useMessageIndex: false }]) {
      const bytes = await recordingBytes(numbers(options));
      const chunk = bytes.indexOf(Buffer.from('zstd'), bytes.length >> 2);
      bytes[chunk + 30]! ^= 0xff;
      const { losses, messages } = await all(bytes);
      expect(losses).toHaveLength(1);
      const [{ fromNs, untilNs }] = losses as unknown as [{ fromNs: bigint; untilNs: bigint }];
      const missing = FIFTY.filter((i) => !valuesOf(messages).includes(i));
      expect([fromNs, untilNs]).toEqual([afterNs(missing[0]! / 10), afterNs(missing.at(-1)! / 10)]);
      expect(missing.length).toBeLessThan(10);
    }
  });

  test('a compression that is not known costs every chunk of it', async () => {
    const compressChunk = (data: Uint8Array) => ({ compression: 'snappy', compressedData: data });
    const { losses, messages } = await all(await recordingBytes(numbers({ compressChunk })));
    expect(messages).toEqual([]);
    expect(losses[0]!.reason).toMatch(/snappy/);
  });

  test('a chunk that claims gigabytes is refused before it is decompressed', async () => {
    const builder = new McapRecordBuilder();
    builder.writeMagic();
    builder.writeHeader({ profile: '', library: '' });
    const channel = { id: 1, schemaId: 0, topic: '/a', messageEncoding: 'json', metadata: new Map() };
    builder.writeChannel(channel);
    const bomb = zstdCompressSync(Buffer.alloc(64 * 2 ** 20));
    builder.writeChunk({
      messageStartTime: 1n,
      messageEndTime: 2n,
      uncompressedSize: 4n * 2n ** 30n,
      uncompressedCrc: 0,
      compression: 'zstd',
      records: bomb,
    });
    const before = process.memoryUsage().rss;
    const { messages, losses } = await all(Buffer.from(builder.buffer));
    expect(messages).toEqual([]);
    expect(losses[0]!.reason).toMatch(/claims 4294967296 bytes/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });

  test.each(['', 'MCAP', 'not a recording', '\x89MCAP1\r\n rest'])('%j is no recording', async (text) => {
    await expect(all(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ code: 'recording_unreadable' });
  });
});

describe.each(testedEngines())('channels, by %s', (engine) => {
  let media: Media;
  let recordings: Recordings;
  let folder: string;
  beforeAll(async () => {
    media = await createTestMedia(engine);
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
    media.run<Seen>({
      module: TASKS,
      name: 'see',
      args: { path, picture: { width: 16, height: 12, format: 'gray' } } satisfies SeeArgs,
    });
  async function filmOf(plan: RecordingPlan, channel = 0) {
    const place = await saved(plan);
    const { channels } = await recordings.survey(place);
    const film = await recordings.film({
      place,
      channelId: channels[channel]!.id,
      folder: await temporaryFolder(),
      partS: null,
    });
    const [part] = film.parts;
    return { film: { ...film, ...part! }, probe: await media.probe(part!.path), ...(await see(part!.path)) };
  }
  /** Twelve frames at odd times, with a gap before the eighth. */
  const TIMES = Array.from({ length: 12 }, (_, i) => i * 0.1 + (i % 3) * 0.02 + (i > 7 ? 3 : 0));
  const frames = (kind: Kind, message: (i: number, stamp: bigint) => object): RecordingPlan => ({
    channels: [{ topic: '/camera', ...kind }],
    // Written later than taken, each by another delay: the frame's own time counts.
    messages: TIMES.map((timeS, i) => ({
      channel: 0,
      logNs: afterNs(timeS + 0.05 + (i % 4) * 0.01),
      data: kind.encode(message(i, afterNs(timeS))),
    })),
  });
  const jpeg = (i: number) => stillPicture(levelOf(i));

  test.each<[string, () => RecordingPlan]>([
    [
      'ROS 2 CompressedImage',
      () =>
        frames(ros2('sensor_msgs/msg/CompressedImage'), (i, stamp) => ({
          header: { stamp: ros2Stamp(stamp), frame_id: 'c' },
          format: 'jpeg',
          data: jpeg(i),
        })),
    ],
    [
      'ROS 1 CompressedImage',
      () =>
        frames(ros1('sensor_msgs/CompressedImage'), (i, stamp) => ({
          header: { seq: i, stamp: ros1Stamp(stamp), frame_id: 'c' },
          format: 'rgb8; png compressed bgr8',
          data: stillPicture(levelOf(i), { type: 'png' }),
        })),
    ],
    [
      'protobuf CompressedImage',
      () =>
        frames(protobufOf('foxglove.CompressedImage'), (i, stamp) => ({
          timestamp: protobufStamp(stamp),
          format: 'jpeg',
          data: jpeg(i),
        })),
    ],
    [
      'JSON CompressedImage',
      () =>
        frames(json('foxglove.CompressedImage'), (i, stamp) => ({
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
        frames(ros2('sensor_msgs/msg/Image'), (i, stamp) => ({
          header: { stamp: ros2Stamp(stamp), frame_id: 'c' },
          ...rawPicture(encoding, levelOf(i)),
        })),
    ]),
  ])('%s: each frame at its own time', async (_, plan) => {
    const { film, frames: seen } = await filmOf(plan());
    expect(film).toMatchObject({ frames: 12, video: 'encoded', startNs: afterNs(0), notes: [], losses: [] });
    expect(film.gaps).toEqual([{ startNs: afterNs(TIMES[7]!), endNs: afterNs(TIMES[8]!) }]);
    expect(seen.map(({ timeS }) => timeS.toFixed(3))).toEqual(TIMES.map((timeS) => timeS.toFixed(3)));
    for (const [i, { data }] of seen.entries()) {
      const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
      expect(Math.abs(mean - levelOf(i))).toBeLessThan(12);
    }
  });

  test.runIf(engine === 'node-av').each<[string, Kind, (i: number, stamp: bigint) => object]>([
    [
      'ROS 2',
      ros2('sensor_msgs/msg/CompressedImage'),
      (i, stamp) => ({ header: { stamp: ros2Stamp(stamp), frame_id: 'c' }, format: 'jpeg', data: jpeg(i) }),
    ],
    [
      'ROS 1',
      ros1('sensor_msgs/CompressedImage'),
      (i, stamp) => ({ header: { seq: i, stamp: ros1Stamp(stamp), frame_id: 'c' }, format: 'jpeg', data: jpeg(i) }),
    ],
    [
      'protobuf',
      protobufOf('foxglove.CompressedImage'),
      (i, stamp) => ({ timestamp: protobufStamp(stamp), format: 'jpeg', data: jpeg(i) }),
    ],
    [
      'JSON',
      json('foxglove.CompressedImage'),
      (i, stamp) => ({ timestamp: ros1Stamp(stamp), format: 'jpeg', data: jpeg(i) }),
    ],
  ])('messages that do not match their schema in %s are left out and told of', async (_, kind, message) => {
    const { messages, ...plan } = frames(kind, message);
    const spoilt = [...messages].map((one, i) => {
      // Nothing; cut off; lengths of four gigabytes.
      const data = { 0: new Uint8Array(), 4: one.data.subarray(0, 20), 7: new Uint8Array(one.data.length).fill(0xff) }[
        i
      ];
      return data ? { ...one, data } : one;
    });
    const { film } = await filmOf({ ...plan, messages: spoilt });
    expect(film.frames).toBe(9);
    expect(film.notes.join()).toMatch(/3 frames could not be read/);
  });

  test('frames that cannot be read are left out and told of', async () => {
    const kind = json('foxglove.CompressedImage');
    const plan = frames(kind, (i, stamp) => ({
      timestamp: ros1Stamp(stamp),
      data: i === 4 ? Buffer.from('no picture') : jpeg(i),
    }));
    const { film } = await filmOf(plan);
    expect(film.frames).toBe(11);
    expect(film.notes.join()).toMatch(/1 frames could not be read: .*neither JPEG, PNG nor WebP/);
  });

  test.each(['png', 'jpeg'])('a %s that claims to be immense is not decoded', async (type) => {
    const kind = json('foxglove.CompressedImage');
    const place = await saved(frames(kind, () => ({ format: type, data: immense(type) })));
    const { channels } = await recordings.survey(place);
    const failed = recordings.film({ place, channelId: channels[0]!.id, folder, partS: null });
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
    const kind = json(name);
    const place = await saved(frames(kind, () => message));
    const { channels } = await recordings.survey(place);
    const failed = recordings.film({ place, channelId: channels[0]!.id, folder, partS: null });
    await expect(failed).rejects.toMatchObject({ status: 400, message: expect.stringMatching(reason) });
  });

  test('a schema that does not parse, and one that is not known', async () => {
    const kind = ros2('sensor_msgs/msg/CompressedImage');
    const broken = { ...kind, schema: { ...kind.schema, data: Buffer.from('not a definition at all !') } };
    const strange = { ...kind, messageEncoding: 'msgpack' };
    for (const [made, reason] of [
      [broken, /schema does not parse/],
      [strange, /"msgpack"/],
    ] as const) {
      const place = await saved({ channels: [{ topic: '/c', ...made }], messages: [] });
      const { channels } = await recordings.survey(place);
      const failed = recordings.film({ place, channelId: channels[0]!.id, folder, partS: null });
      await expect(failed).rejects.toMatchObject({
        code: 'channel_unreadable',
        message: expect.stringMatching(reason),
      });
    }
  });

  test("a camera's clock that is set, runs fast or goes back", async () => {
    const kind = json('foxglove.CompressedImage');
    const plan = (stampOf: (i: number) => number): RecordingPlan => ({
      channels: [{ topic: '/camera', ...kind }],
      messages: Array.from({ length: 40 }, (_, i) => ({
        channel: 0,
        logNs: afterNs(i / 2),
        data: kind.encode({ timestamp: ros1Stamp(afterNs(stampOf(i))), data: jpeg(i) }),
      })),
    });
    const fast = await filmOf(plan((i) => (i / 2) * 1.0001));
    expect(fast.film.driftPpm).toBeCloseTo(100, 0);
    expect(fast.frames.at(-1)!.timeS).toBeCloseTo(19.5 * 1.0001, 4);
    const set = await filmOf(plan((i) => (i < 20 ? i / 2 : i / 2 - 3_000)));
    expect(set.film.notes.join()).toMatch(/clock was set 1 times/);
    expect(set.frames.map(({ timeS }) => timeS)).toEqual(Array.from({ length: 40 }, (_, i) => i / 2));
    const ahead = await filmOf(plan((i) => 80 * 365 * 86_400 + i / 2));
    expect(ahead.film.startNs - set.film.startNs).toBe(0n);
    expect(ahead.frames.at(-1)!.timeS).toBe(19.5);
    const back = await filmOf(plan((i) => (i === 9 ? 4 : i / 2)));
    expect(back.film).toMatchObject({ frames: 39 });
    expect(back.film.notes.join()).toMatch(/1 frames were left out because they are not later/);
  });

  test('telemetry from an IMU, and a speed', async () => {
    const imu = ros2('sensor_msgs/msg/Imu');
    const speed = ros2('std_msgs/msg/Float64');
    const braking = (t: number) => (t >= 5 && t < 7 ? -6 : 0);
    const axes = (x: number, y: number, z: number) => ({ x, y, z });
    const place = await saved({
      channels: [
        { topic: '/imu', ...imu },
        { topic: '/vehicle/speed_kmh', ...speed },
      ],
      messages: Array.from({ length: 1000 }, (_, i) => {
        const t = i / 100;
        const stamp = ros2Stamp(afterNs(t));
        return [
          {
            channel: 0,
            logNs: afterNs(t),
            data: imu.encode({
              header: { stamp, frame_id: 'imu' },
              angular_velocity: axes(0, 0, 0.1),
              linear_acceleration: axes(braking(t), 0, 9.8),
            }),
          },
          ...(i % 10 === 0 ? [{ channel: 1, logNs: afterNs(t), data: speed.encode({ data: 36 }) }] : []),
        ];
      }).flat(),
    });
    const read = (await recordings.telemetry(place))!;
    expect(read.sources).toEqual({ speedMps: '/vehicle/speed_kmh', yawRateDps: '/imu' });
    expect(read.columns.speedMps![50]).toBeCloseTo(10);
    expect(read.columns.yawRateDps![50]).toBeCloseTo(5.73, 2);
    const sidecar = describeSidecar(Buffer.from(toSidecar(read, afterNs(2))));
    expect(sidecar).toMatchObject({ samples: 200, start_s: expect.closeTo(-1.98, 1) });

    // Every hundredth message, the first one too, does not match its schema.
    const alone = await saved({
      channels: [{ topic: '/imu', ...imu }],
      messages: Array.from({ length: 1000 }, (_, i) => ({
        channel: 0,
        logNs: afterNs(i / 100),
        data:
          i % 100 === 0
            ? Buffer.alloc(7, 0xff)
            : imu.encode({
                header: { stamp: ros2Stamp(afterNs(i / 100)), frame_id: 'imu' },
                angular_velocity: axes(0, 0, 0),
                linear_acceleration: axes(braking(i / 100), 0, 9.8),
              }),
      })),
    });
    const felt = (await recordings.telemetry(alone))!;
    expect(felt.sources).toEqual({ accelerationMps2: '/imu' });
    expect(felt.columns.accelerationMps2![115]).toBeCloseTo(-6);
    expect(felt.notes.join()).toMatch(/x axis of \/imu/);
  });

  test.runIf(hasFootage && engine === 'node-av')('real recordings', async () => {
    const gopro = { path: footage('mcap/derived_gopro_hero7_walk_ros2_h264.mcap') };
    const film = await recordings.film({ place: gopro, channelId: 0, folder, partS: null });
    expect(film).toMatchObject({ notes: [], parts: [{ frames: 352, video: 'copied', gaps: [] }] });
    expect((await see(film.parts[0]!.path)).summary).toMatchObject({ frames: 352, errors: 0, state: 'whole' });
    const cut = await recordings.film({ place: gopro, channelId: 0, folder: await temporaryFolder(), partS: 4 });
    expect(cut.parts.map(({ part, video }) => [part, video])).toEqual([0, 1, 2].map((part) => [part, 'copied']));
    expect(cut.parts.reduce((sum, { frames }) => sum + frames, 0)).toBe(352);
    for (const { path, frames } of cut.parts) expect((await see(path)).summary).toMatchObject({ frames, errors: 0 });
    const kitti = { path: footage('mcap/derived_kitti_seq1_ros2_jpeg.mcap') };
    const pictures = await recordings.film({ place: kitti, channelId: 0, folder, partS: 2 });
    expect(pictures.parts.map(({ frames }) => frames)).toEqual([20, 20, 11]);
    const car = (await recordings.telemetry({
      path: footage('mcap/derived_comma2k19_seg40_telemetry_ros2.mcap'),
    }))!;
    expect(car.sources).toMatchObject({ speedMps: '/vehicle/can/speed', latitude: '/gps/fix' });
    expect([car.columns.speedMps!.at(0), car.columns.speedMps!.at(190)].map((v) => Math.round(v!))).toEqual([8, 20]);
  });
});

describe('over HTTP', () => {
  test('ranges are asked for, and no more of the file than is needed', async () => {
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

/** A small picture whose header says that it has 60,000 × 60,000 pixels. */
function immense(type: string): Buffer {
  const picture = stillPicture(128, { type });
  if (type === 'png') {
    picture.writeUInt32BE(60_000, 16);
    picture.writeUInt32BE(60_000, 20);
    picture.writeUInt32BE(crc32(picture.subarray(12, 29)), 29);
  } else {
    const frame = picture.indexOf(Buffer.from([0xff, 0xc0]));
    picture.writeUInt16BE(60_000, frame + 5);
    picture.writeUInt16BE(60_000, frame + 7);
  }
  return picture;
}

/** A picture of one grey level in one of the raw encodings. */
function rawPicture(encoding: string, level: number) {
  const [width, height] = [64, 48];
  const pixel: Record<string, number[]> = {
    mono8: [level],
    rgb8: [level, level, level],
    bgr8: [level, level, level],
    rgba8: [level, level, level, 255],
    bgra8: [level, level, level, 255],
    mono16: [0, level],
    bayer_rggb8: [level],
    // Luma of video range, as cameras send it.
    yuv422: [128, 16 + Math.round((level * 219) / 255)],
    yuv422_yuy2: [16 + Math.round((level * 219) / 255), 128],
    '16UC1': (() => {
      const mm = Math.round((level / 255) * 10_000);
      return [mm & 255, mm >> 8];
    })(),
  };
  const bytes = pixel[encoding]!;
  // Rows are padded, as some drivers do.
  const step = width * bytes.length + 8;
  const data = new Uint8Array(step * height);
  for (let row = 0; row < height; row++) {
    for (let i = 0; i < width * bytes.length; i++) data[row * step + i] = bytes[i % bytes.length]!;
  }
  return { width, height, encoding, is_bigendian: 0, step, data };
}
