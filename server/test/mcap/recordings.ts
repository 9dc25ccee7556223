import { parse } from '@foxglove/rosmsg';
import { MessageWriter as Ros1Writer } from '@foxglove/rosmsg-serialization';
import { MessageWriter as Ros2Writer } from '@foxglove/rosmsg2-serialization';
import { McapWriter, type McapWriterOptions } from '@mcap/core';
import { createCanvas } from '@napi-rs/canvas';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor.js';

/** Recordings made by code, for tests that must know what is in them. */
export { McapIndexedReader, McapWriter } from '@mcap/core';

/** When recordings made here begin: a whole second in 2025. */
const BEGIN_NS = 1_750_000_000n * 1_000_000_000n;
export const recordingTimeNs = (seconds: number) => BEGIN_NS + BigInt(Math.round(seconds * 1e9));

const HEADER = `std_msgs/Header header
MSG_END
MSG: std_msgs/Header
TIME stamp
string frame_id
`;
const JOIN = `${'='.repeat(80)}\n`;
const definition = (body: string, time: string) =>
  `${HEADER.replace('MSG_END', `${body}\n${JOIN.trim()}`).replace('TIME', time)}`;

/** A list of transforms, with the definitions of all types in it. */
function transformList(time: string): string {
  const fields = { Vector3: 'x y z', Quaternion: 'x y z w' };
  const numbers = Object.entries(fields).map(
    ([type, names]) => `MSG: geometry_msgs/${type}\n${names.replaceAll(/\w/g, 'float64 $&\n').replaceAll(' f', 'f')}`,
  );
  const transform =
    'MSG: geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n';
  const stamped = 'std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform';
  const parts = [
    'geometry_msgs/TransformStamped[] transforms\n',
    `MSG: geometry_msgs/TransformStamped\n${stamped}\n`,
    transform,
    ...numbers,
    `MSG: std_msgs/Header\n${time} stamp\nstring frame_id\n`,
  ];
  return parts.join(JOIN);
}

const ROS2: Record<string, string> = {
  'sensor_msgs/msg/Image': definition(
    'uint32 height\nuint32 width\nstring encoding\nuint8 is_bigendian\nuint32 step\nuint8[] data',
    'builtin_interfaces/Time',
  ),
  'sensor_msgs/msg/CompressedImage': definition('string format\nuint8[] data', 'builtin_interfaces/Time'),
  'sensor_msgs/msg/TimeReference': definition(
    'builtin_interfaces/Time time_ref\nstring source',
    'builtin_interfaces/Time',
  ),
  'sensor_msgs/msg/Imu': `${definition(
    'geometry_msgs/Vector3 angular_velocity\ngeometry_msgs/Vector3 linear_acceleration',
    'builtin_interfaces/Time',
  )}${JOIN}MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n`,
  'std_msgs/msg/Float64': 'float64 data\n',
  'tf2_msgs/msg/TFMessage': transformList('builtin_interfaces/Time'),
};
const ROS1: Record<string, string> = {
  'sensor_msgs/CompressedImage': definition('string format\nuint8[] data', 'time'),
  'tf/tfMessage': transformList('time'),
};

type Stamp = bigint;
export const ros2Stamp = (ns: Stamp) => ({ sec: Number(ns / 1_000_000_000n), nanosec: Number(ns % 1_000_000_000n) });
export const ros1Stamp = (ns: Stamp) => ({ sec: Number(ns / 1_000_000_000n), nsec: Number(ns % 1_000_000_000n) });

/** A channel to write, and how its messages are encoded. */
export type MessageFormat = {
  messageEncoding: string;
  schema: { name: string; encoding: string; data: Uint8Array };
  encode(message: object): Uint8Array;
};

const bytes = (text: string) => new TextEncoder().encode(text);

export function ros2Format(name: keyof typeof ROS2): MessageFormat {
  const text = ROS2[name]!;
  const writer = new Ros2Writer(parse(text, { ros2: true }));
  return {
    messageEncoding: 'cdr',
    schema: { name, encoding: 'ros2msg', data: bytes(text) },
    encode: (message) => writer.writeMessage(message),
  };
}

export function ros1Format(name: keyof typeof ROS1): MessageFormat {
  const text = ROS1[name]!;
  const writer = new Ros1Writer(parse(text));
  return {
    messageEncoding: 'ros1',
    schema: { name, encoding: 'ros1msg', data: bytes(text) },
    encode: (message) => writer.writeMessage(message),
  };
}

/** JSON: bytes as base64 text. */
export const jsonFormat = (name: string): MessageFormat => ({
  messageEncoding: 'json',
  schema: { name, encoding: 'jsonschema', data: bytes('{"type":"object"}') },
  encode: (message) =>
    bytes(
      JSON.stringify(message, (_, value) => (value?.type === 'Buffer' ? Buffer.from(value).toString('base64') : value)),
    ),
});

const FOXGLOVE = `syntax = "proto3"; package foxglove;
message Time { int64 seconds = 1; int32 nanos = 2; }
message CompressedImage { Time timestamp = 1; string frame_id = 4; bytes data = 2; string format = 3; }
message CompressedVideo { Time timestamp = 1; string frame_id = 2; bytes data = 3; string format = 4; }`;

export function protobufFormat(name: string): MessageFormat {
  const { root } = protobuf.parse(FOXGLOVE, { keepCase: true });
  const type = root.lookupType(name);
  const descriptor = root.toDescriptor('proto3');
  const data = (descriptor.constructor as unknown as { encode(value: unknown): { finish(): Uint8Array } })
    .encode(descriptor)
    .finish();
  return {
    messageEncoding: 'protobuf',
    schema: { name, encoding: 'protobuf', data },
    encode: (message) => type.encode(type.fromObject(message)).finish(),
  };
}
export const protobufStamp = (ns: Stamp) => ({
  seconds: Number(ns / 1_000_000_000n),
  nanos: Number(ns % 1_000_000_000n),
});

type RecordedMessage = { channel: number; logNs: bigint; data: Uint8Array };
export type RecordingPlan = {
  channels: ({ topic: string } & Pick<MessageFormat, 'messageEncoding' | 'schema'>)[];
  messages: Iterable<RecordedMessage>;
  options?: Partial<McapWriterOptions>;
};

/** A recording as bytes, written by the format's own library. */
export async function recordingBytes({ channels, messages, options }: RecordingPlan): Promise<Buffer> {
  const parts: Buffer[] = [];
  let position = 0n;
  const writable = {
    position: () => position,
    async write(part: Uint8Array) {
      parts.push(Buffer.from(part));
      position += BigInt(part.length);
    },
  };
  const writer = new McapWriter({ writable, ...options });
  await writer.start({ profile: '', library: 'sightline tests' });
  const ids: number[] = [];
  for (const { topic, messageEncoding, schema } of channels) {
    const schemaId = await writer.registerSchema(schema);
    ids.push(await writer.registerChannel({ topic, messageEncoding, schemaId, metadata: new Map() }));
  }
  let sequence = 0;
  for (const { channel, logNs, data } of messages) {
    const channelId = ids[channel]!;
    await writer.addMessage({ channelId, sequence: sequence++, logTime: logNs, publishTime: logNs, data });
  }
  await writer.end();
  return Buffer.concat(parts);
}

/** The gray level of frame `i`, to know it again by. */
export const grayLevel = (i: number) => 40 + ((i * 16) % 176);

/** A picture of one gray level, as JPEG or PNG. */
export function grayImage(level: number, { type = 'jpeg', width = 64, height = 48 } = {}): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = `rgb(${level}, ${level}, ${level})`;
  context.fillRect(0, 0, width, height);
  return type === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer('image/jpeg');
}
