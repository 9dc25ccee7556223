import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { openRecording } from '../../server/src/engine/robot-logs/mcap/reader.ts';
import { openSource } from '../../server/src/engine/robot-logs/mcap/source.ts';
import {
  grayImage,
  grayLevel,
  McapIndexedReader,
  McapWriter,
  protobufFormat,
  protobufStamp,
  recordingTimeNs,
} from '../../server/test/mcap/recordings.ts';

const SHARED = fileURLToPath(new URL('../../../shared/data/mcap/', import.meta.url));
const RATE = 30;

/** Real frames if available, otherwise rendered ones: JPEGs of a street, access units of a walk. */
export async function realFrames(kind: 'jpeg' | 'h264'): Promise<Buffer[]> {
  const file = { jpeg: 'derived_kitti_seq1_ros2_jpeg.mcap', h264: 'derived_gopro_hero7_walk_ros2_h264.mcap' }[kind];
  if (!existsSync(SHARED + file)) {
    if (kind === 'h264') throw new Error(`the bench of H.264 needs ${file}`);
    return Array.from({ length: 50 }, (_, i) => grayImage(grayLevel(i), { width: 1280, height: 720 }));
  }
  await using source = await openSource({ path: SHARED + file });
  const recording = await openRecording(source);
  const { createDecoder } = await import('../../server/src/engine/robot-logs/messages/decoder.ts');
  const decode = createDecoder(recording.channels[0]!);
  const frames: Buffer[] = [];
  for await (const { data } of recording.messages(new Set([0])))
    frames.push(Buffer.from(decode(data).data as Uint8Array));
  return frames;
}

/** Writes a recording that repeats these frames up to this many bytes or frames. */
export async function writeRecording(
  path: string,
  frames: readonly Buffer[],
  kind: 'jpeg' | 'h264',
  until: { bytes?: number; frames?: number },
): Promise<void> {
  const file = await open(path, 'w');
  let position = 0n;
  const writable = {
    position: () => position,
    async write(part: Uint8Array) {
      await file.write(part);
      position += BigInt(part.length);
    },
  };
  const type = protobufFormat(kind === 'jpeg' ? 'foxglove.CompressedImage' : 'foxglove.CompressedVideo');
  const writer = new McapWriter({ writable });
  await writer.start({ profile: '', library: 'bench' });
  const schemaId = await writer.registerSchema(type.schema);
  const channelId = await writer.registerChannel({
    topic: '/camera',
    messageEncoding: 'protobuf',
    schemaId,
    metadata: new Map(),
  });
  for (
    let i = 0;
    position < (until.bytes ?? Number.POSITIVE_INFINITY) && i < (until.frames ?? Number.POSITIVE_INFINITY);
    i++
  ) {
    const logTime = recordingTimeNs(i / RATE);
    const message = { timestamp: protobufStamp(logTime), format: kind, data: frames[i % frames.length] };
    await writer.addMessage({ channelId, sequence: i, logTime, publishTime: logTime, data: type.encode(message) });
  }
  await writer.end();
  await file.close();
}

/** Reads all messages with the format's own library and discards them. */
export async function plainReading(path: string): Promise<void> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  const readable = {
    size: async () => BigInt(size),
    async read(at: bigint, length: bigint) {
      const bytes = new Uint8Array(Number(length));
      await file.read(bytes, 0, bytes.length, Number(at));
      return bytes;
    },
  };
  const reader = await McapIndexedReader.Initialize({ readable });
  for await (const message of reader.readMessages()) void message.data.length;
  await file.close();
}

/** Number of bytes that a server sends before the first message of a recording is available. */
export async function bytesToFirstFrame(path: string): Promise<{ bytes: number; size: number }> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  let bytes = 0;
  const server = createServer(async (request, response) => {
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '')!;
    const end = Math.min(size - 1, to ? Number(to) : size - 1);
    const part = Buffer.alloc(end - Number(from) + 1);
    await file.read(part, 0, part.length, Number(from));
    bytes += part.length;
    response.writeHead(206, { 'content-range': `bytes ${from}-${end}/${size}` }).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const source = await openSource({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  const recording = await openRecording(source);
  await recording.messages(new Set([recording.channels[0]!.id])).next();
  server.closeAllConnections();
  server.close();
  await file.close();
  return { bytes, size };
}
