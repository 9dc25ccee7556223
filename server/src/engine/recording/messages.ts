import { parseIDL } from '@foxglove/omgidl-parser';
import { MessageReader as OmgReader } from '@foxglove/omgidl-serialization';
import { parseRos2idl } from '@foxglove/ros2idl-parser';
import { parse as parseRosmsg } from '@foxglove/rosmsg';
import { MessageReader as Ros1Reader } from '@foxglove/rosmsg-serialization';
import { MessageReader as Ros2Reader } from '@foxglove/rosmsg2-serialization';
import { ByteBuffer } from 'flatbuffers';
import { Schema as FlatSchema, Parser, Table } from 'flatbuffers_reflection';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor.js';
import { BoundedBuffer, checkLists, type MessageDefinition } from './message-bounds.ts';
import { recordingProblem } from './problems.ts';
import type { Channel } from './reader.ts';

/** A message as plain values: fields by their names, 64-bit numbers as the decoders give them, bytes as `Uint8Array` (of JSON: base64 text). */
export type Fields = Record<string, unknown>;
export type Decode = (data: Uint8Array) => Fields;

/** Schemas are a few kilobytes; parsing one must not become the work of minutes. */
const MOST_SCHEMA_BYTES = 4 * 2 ** 20;

type Schema = NonNullable<Channel['schema']>;

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const json: Decode = (data) => JSON.parse(text(data)) as Fields;

/** Makers of decoders, by message encoding and schema encoding. */
const MAKERS: Record<string, (schema: Schema) => Decode> = {
  'ros1 ros1msg': ({ data }) => readWith(new Ros1Reader(bounded(parseRosmsg(text(data), { ros2: false })))),
  'cdr ros2msg': ({ data }) => readWith(new Ros2Reader(bounded(parseRosmsg(text(data), { ros2: true })))),
  'cdr ros2idl': ({ data }) => readWith(new Ros2Reader(bounded(parseRos2idl(text(data))))),
  'cdr omgidl': ({ name, data }) => readWith(new OmgReader(name, parseIDL(text(data)))),
  'protobuf protobuf': protobufDecoder,
  'flatbuffer flatbuffer': flatbufferDecoder,
};

/** How to read a channel's messages. Throws `channel_unreadable` (400) when its encoding is not known or its schema does not parse. */
export function createDecoder({ messageEncoding, schema }: Pick<Channel, 'messageEncoding' | 'schema'>): Decode {
  if (messageEncoding === 'json') return json;
  const make = MAKERS[`${messageEncoding} ${schema?.encoding}`];
  if (!schema || !make) {
    const by = schema?.encoding ? `"${schema.encoding}"` : 'no schema';
    throw recordingProblem.channel_unreadable(
      `Its messages are encoded as "${messageEncoding}" with ${by}, which is not understood.`,
    );
  }
  if (schema.data.length > MOST_SCHEMA_BYTES) throw recordingProblem.channel_unreadable('Its schema is too large.');
  try {
    return make(schema);
  } catch (cause) {
    throw recordingProblem.channel_unreadable(`Its schema does not parse: ${(cause as Error).message}`, { cause });
  }
}

function bounded(definitions: MessageDefinition[]): MessageDefinition[] {
  checkLists(definitions);
  return definitions;
}

const readWith =
  (reader: { readMessage(data: Uint8Array): unknown }): Decode =>
  (data) =>
    reader.readMessage(data) as Fields;

function protobufDecoder({ name, data }: Schema): Decode {
  const root = protobuf.Root.fromDescriptor(data, { keepCase: true });
  const type = root.lookupType(name);
  return (bytes) => type.toObject(type.decode(bytes), { defaults: true, longs: Number }) as Fields;
}

function flatbufferDecoder({ name, data }: Schema): Decode {
  const schema = FlatSchema.getRootAsSchema(new ByteBuffer(data));
  const parser = new Parser(schema);
  const typeIndex = Array.from({ length: schema.objectsLength() }, (_, i) => schema.objects(i)?.name()).indexOf(name);
  if (typeIndex < 0) throw new Error(`it has no table ${name}`);
  const read = parser.toObjectLambda(typeIndex, true);
  return (bytes) => {
    const buffer = new BoundedBuffer(bytes);
    return read(new Table(buffer, typeIndex, buffer.readInt32(0), false));
  };
}
