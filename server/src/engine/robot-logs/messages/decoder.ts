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
import type { RecordingChannel } from '../mcap/index.ts';
import { recordingProblem } from '../problems.ts';
import { BoundedBuffer, checkListElements, type MessageDefinition } from './limits.ts';

/**
 * A message as plain values: fields by name, 64-bit numbers as the decoder returns them, bytes as `Uint8Array` (base64
 * text in JSON).
 */
export type MessageFields = Record<string, unknown>;
export type DecodeMessage = (data: Uint8Array) => MessageFields;

/** Maximum size of a schema. Typical ones have a few kilobytes; larger ones could take minutes to parse. */
const MAX_SCHEMA_BYTES = 4 * 2 ** 20;

type Schema = NonNullable<RecordingChannel['schema']>;

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const json: DecodeMessage = (data) => JSON.parse(text(data)) as MessageFields;

/** Factories of decoders by message encoding and schema encoding. */
const MAKERS: Record<string, (schema: Schema) => DecodeMessage> = {
  'ros1 ros1msg': ({ data }) => readWith(new Ros1Reader(bounded(parseRosmsg(text(data), { ros2: false })))),
  'cdr ros2msg': ({ data }) => readWith(new Ros2Reader(bounded(parseRosmsg(text(data), { ros2: true })))),
  'cdr ros2idl': ({ data }) => readWith(new Ros2Reader(bounded(parseRos2idl(text(data))))),
  'cdr omgidl': ({ name, data }) => readWith(new OmgReader(name, parseIDL(text(data)))),
  'protobuf protobuf': protobufDecoder,
  'flatbuffer flatbuffer': flatbufferDecoder,
};

/** Creates the decoder of a channel. Throws `channel_unreadable` (400) for unknown encodings and invalid schemas. */
export function createDecoder({
  messageEncoding,
  schema,
}: Pick<RecordingChannel, 'messageEncoding' | 'schema'>): DecodeMessage {
  if (messageEncoding === 'json') return json;
  const make = MAKERS[`${messageEncoding} ${schema?.encoding}`];
  if (!schema || !make) {
    const by = schema?.encoding ? `"${schema.encoding}"` : 'no schema';
    throw recordingProblem.channel_unreadable(
      `Its messages are encoded as "${messageEncoding}" with ${by}, which is not understood.`,
    );
  }
  if (schema.data.length > MAX_SCHEMA_BYTES) throw recordingProblem.channel_unreadable('Its schema is too large.');
  try {
    return make(schema);
  } catch (cause) {
    throw recordingProblem.channel_unreadable(`Its schema does not parse: ${(cause as Error).message}`, { cause });
  }
}

function bounded(definitions: MessageDefinition[]): MessageDefinition[] {
  checkListElements(definitions);
  return definitions;
}

const readWith =
  (reader: { readMessage(data: Uint8Array): unknown }): DecodeMessage =>
  (data) =>
    reader.readMessage(data) as MessageFields;

function protobufDecoder({ name, data }: Schema): DecodeMessage {
  const root = protobuf.Root.fromDescriptor(data, { keepCase: true });
  const type = root.lookupType(name);
  return (bytes) => type.toObject(type.decode(bytes), { defaults: true, longs: Number }) as MessageFields;
}

function flatbufferDecoder({ name, data }: Schema): DecodeMessage {
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
