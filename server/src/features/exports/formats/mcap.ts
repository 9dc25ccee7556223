import { McapWriter } from '@mcap/core';
import type { EventSource, ExportedBox, ExportedEvent } from '../types.ts';
import { sizeOf, toPixels } from './boxes/frame-size.ts';
import { toJson } from './table.ts';

const TIME = { type: 'object', properties: { sec: { type: 'integer' }, nsec: { type: 'integer' } } };
const POINT = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } };
const COLOR_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(['r', 'g', 'b', 'a'].map((channel) => [channel, { type: 'number' }])),
};
const listOf = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });

/** The parts of Foxglove's message of annotations that are used here. */
const ANNOTATIONS_SCHEMA = {
  title: 'foxglove.ImageAnnotations',
  type: 'object',
  properties: {
    circles: listOf({}),
    points: listOf({
      timestamp: TIME,
      type: { type: 'integer' },
      points: { type: 'array', items: POINT },
      outline_color: COLOR_SCHEMA,
      outline_colors: { type: 'array', items: COLOR_SCHEMA },
      fill_color: COLOR_SCHEMA,
      thickness: { type: 'number' },
    }),
    texts: listOf({
      timestamp: TIME,
      position: POINT,
      text: { type: 'string' },
      font_size: { type: 'number' },
      text_color: COLOR_SCHEMA,
      background_color: COLOR_SCHEMA,
    }),
  },
};
const EVENT_SCHEMA = { title: 'sightline.Event', type: 'object', additionalProperties: true };

const GREEN = { r: 0.2, g: 0.9, b: 0.4, a: 1 };
const CLEAR = { r: 0, g: 0, b: 0, a: 0 };
const LINE_LOOP = 2;

/** Size of a chunk. The writer copies each one several times, and memory of the copies is released late. */
const CHUNK_BYTES = 128 * 1024;

const toBytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const toNs = (timeS: number) => BigInt(Math.round(timeS * 1e9));

/**
 * Events of one video as messages of an MCAP file: each event on `/events` at its start, and the boxes of its evidence
 * frames on `/annotations`, which Foxglove draws over the video. Times count from the first frame.
 */
export async function* writeMcap(events: EventSource): AsyncGenerator<Uint8Array> {
  let written: Uint8Array[] = [];
  let position = 0n;
  const writer = new McapWriter({
    chunkSize: CHUNK_BYTES,
    writable: {
      position: () => position,
      // The bytes are a copy of the writer's buffer.
      async write(bytes) {
        written.push(bytes);
        position += BigInt(bytes.length);
      },
    },
  });
  const drain = () => {
    const pieces = written;
    written = [];
    return pieces;
  };
  await writer.start({ profile: '', library: 'sightline' });
  const openChannel = async (topic: string, schema: { title: string }) => {
    const schemaId = await writer.registerSchema({ name: schema.title, encoding: 'jsonschema', data: toBytes(schema) });
    return writer.registerChannel({ topic, schemaId, messageEncoding: 'json', metadata: new Map() });
  };
  const eventChannel = await openChannel('/events', EVENT_SCHEMA);
  const boxChannel = await openChannel('/annotations', ANNOTATIONS_SCHEMA);
  let sequence = 0;
  const add = (channelId: number, timeS: number, data: Uint8Array) => {
    const time = toNs(timeS);
    return writer.addMessage({ channelId, sequence: ++sequence, logTime: time, publishTime: time, data });
  };
  for await (const event of events()) {
    await add(eventChannel, event.startS, new TextEncoder().encode(toJson(event)));
    for (const { timeS, boxes } of event.frames) {
      await add(boxChannel, timeS, toBytes(toAnnotations(event, timeS, boxes)));
    }
    yield* drain();
  }
  await writer.end();
  yield* drain();
}

function toAnnotations(event: ExportedEvent, timeS: number, boxes: readonly ExportedBox[]): object {
  const ns = toNs(timeS);
  const timestamp = { sec: Number(ns / 1_000_000_000n), nsec: Number(ns % 1_000_000_000n) };
  const outlines = boxes.map((box) => toPixels(box, sizeOf(event)));
  return {
    circles: [],
    points: outlines.map(([x, y, width, height]) => ({
      timestamp,
      type: LINE_LOOP,
      outline_color: GREEN,
      outline_colors: [],
      fill_color: CLEAR,
      thickness: 2,
      points: [
        { x, y },
        { x: x + width, y },
        { x: x + width, y: y + height },
        { x, y: y + height },
      ],
    })),
    texts: outlines.map(([x, y], index) => ({
      timestamp,
      position: { x, y },
      text: boxes[index]?.label ?? event.label,
      font_size: 14,
      text_color: GREEN,
      background_color: { r: 0, g: 0, b: 0, a: 0.6 },
    })),
  };
}
