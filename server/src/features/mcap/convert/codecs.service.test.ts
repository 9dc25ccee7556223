// Channels of encoded video other than H.264, created by ffmpeg: over HTTP, whole and split.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isKeyframe } from '#engine/robot-logs/video/keyframe';
import type { Media } from '#platform/media/index';
import { startTestApp, type TestApp } from '#test/app';
import { grayLevel, protobufFormat, protobufStamp, recordingBytes, recordingTimeNs } from '#test/mcap/recordings';
import { createTestMedia } from '#test/media/clips';
import { type EncodedCodec, encodeFrames, KEYFRAME_INTERVAL } from '#test/media/encoded-frames';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';

const { ffmpeg } = inject('programs');
const TASKS = new URL('../../../../test/media/media-tasks.ts', import.meta.url);
const FRAMES = 25;
/** A frame a second, with a gap of four before the thirteenth. */
const timeOf = (i: number) => (i < 12 ? i : i + 3);

let app: TestApp;
let media: Media;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  media = await createTestMedia();
  key = app.sightline.firstKey!;
});
afterAll(async () => {
  await app.close();
  await media.close();
});

type Derived = {
  video_id: string;
  part: number;
  frame_count: number;
  duration_s: number;
  gaps: object[];
  error: string;
};

async function ingested(frames: readonly Buffer[], format: string, chunk_size: number | null): Promise<Derived[]> {
  const camera = protobufFormat('foxglove.CompressedVideo');
  const bytes = await recordingBytes({
    channels: [{ topic: '/cam', ...camera }],
    messages: frames.map((data, i) => {
      const timestamp = protobufStamp(recordingTimeNs(timeOf(i)));
      return {
        channel: 0,
        logNs: recordingTimeNs(timeOf(i)),
        data: camera.encode({ timestamp, frame_id: 'c', data, format }),
      };
    }),
  });
  const size = { filename: `${format}.mcap`, size_bytes: bytes.length, chunk_size };
  const { json } = await app.api.call('POST', '/api/mcap/create-ingest', { key, json: size });
  const url = new URL(String(json.upload_url));
  const headers = { 'content-type': 'application/octet-stream' };
  await app.api.call('PUT', url.pathname + url.search, { body: new Uint8Array(bytes), headers });
  await app.api.call('POST', `/api/mcap/${json.mcap_ingest_id}/process`, { key });
  const ingest = async () => (await app.api.call('GET', `/api/mcap/${json.mcap_ingest_id}`, { key })).json;
  const isOver = async () => ['completed', 'partial', 'failed'].includes(String((await ingest()).status));
  await expect.poll(isOver, { timeout: 60_000, interval: 200 }).toBe(true);
  expect(await ingest()).toMatchObject({ status: 'completed', error: null });
  return (await ingest()).derived_videos as Derived[];
}

/** Gray level and presentation time of each frame of a video. */
async function framesOf(videoId: string) {
  const path = join(app.sightline.config.dataDir, 'files', 'contents', videoId, 'source');
  const picture = { width: 16, height: 12, format: 'gray' } as const;
  const args = { path, picture } satisfies DecodeClipArgs;
  const { frames } = await media.run<DecodedClip>({ module: TASKS, name: 'decodeClip', args });
  return frames.map(({ timeS, data }) => ({ timeS, level: data.reduce((sum, each) => sum + each, 0) / data.length }));
}

describe.skipIf(!ffmpeg).each<EncodedCodec>(['h265', 'vp9', 'av1'])('a channel of %s', (codec) => {
  const levels = Array.from({ length: FRAMES }, (_, i) => grayLevel(i));
  let frames: Buffer[];
  beforeAll(() => {
    frames = encodeFrames(ffmpeg!, codec, levels);
  });

  test('becomes a video of the same frames at the same times', async () => {
    const [video, ...others] = await ingested(frames, codec, null);
    expect(others).toEqual([]);
    expect(video).toMatchObject({ frame_count: FRAMES, duration_s: timeOf(24), gaps: [{ start_s: 11, end_s: 15 }] });
    const seen = await framesOf(video!.video_id);
    expect(seen.map(({ timeS }) => Math.round(timeS * 1000) / 1000)).toEqual(levels.map((_, i) => timeOf(i)));
    for (const [i, { level }] of seen.entries()) expect(Math.abs(level - levels[i]!)).toBeLessThan(6);
  });

  test('is split by chunk_size at keyframes', async () => {
    const videos = await ingested(frames, codec, 10);
    expect(videos.map(({ part, frame_count, duration_s }) => [part, frame_count, duration_s])).toEqual([
      [0, 10, 9],
      [1, 10, 12],
      [2, 5, 4],
    ]);
    const [first] = await framesOf(videos[1]!.video_id);
    expect(Math.abs(first!.level - levels[10]!)).toBeLessThan(6);
  });

  test('reports whether decoding can start at a frame', () => {
    expect(frames.map((frame) => isKeyframe(codec, frame))).toEqual(frames.map((_, i) => i % KEYFRAME_INTERVAL === 0));
    for (const bytes of [[], [0], [0x12, 0xff, 0xff, 0xff, 0xff], [0, 0, 1]]) {
      expect(isKeyframe(codec, Uint8Array.from(bytes))).toBe(false);
    }
  });
});
