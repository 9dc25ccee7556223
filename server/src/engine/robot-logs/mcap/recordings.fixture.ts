import { zstdCompressSync } from 'node:zlib';
import { jsonFormat, type RecordingPlan, recordingTimeNs } from '#test/mcap/recordings';
import { openRecording } from './reader.ts';
import type { RecordingSource } from './source.ts';

/** A recording in memory. */
export const sourceOf = (bytes: Buffer): RecordingSource => ({
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

/** Reads a whole recording. */
export async function readAll(bytes: Buffer) {
  const recording = await openRecording(sourceOf(bytes));
  const messages = [];
  for await (const message of recording.messages(new Set(recording.channels.map(({ id }) => id))))
    messages.push(message);
  return { ...recording, messages, losses: recording.losses };
}

export const number = jsonFormat('test.Number');
/** Numbers on two channels, a tenth of a second apart, in chunks of a few. */
export const numbers = (options: RecordingPlan['options'] = {}, count = 50): RecordingPlan => ({
  channels: [
    { topic: '/a', ...number },
    { topic: '/b', ...number },
  ],
  messages: Array.from({ length: count }, (_, i) => ({
    channel: i % 2,
    logNs: recordingTimeNs(i / 10),
    data: number.encode({ value: i }),
  })),
  options: { chunkSize: 100, ...options },
});
/** Options for chunks with zstd compression. */
export const zstd = {
  compressChunk: (data: Uint8Array) => ({ compression: 'zstd', compressedData: zstdCompressSync(data) as Uint8Array }),
};
export const valuesOf = (messages: readonly { data: Uint8Array }[]) =>
  messages.map(({ data }) => (JSON.parse(Buffer.from(data).toString()) as { value: number }).value);
/** The numbers of `numbers()`. */
export const FIFTY = Array.from({ length: 50 }, (_, i) => i);
