// Channels of coded video other than H.264, made by ffmpeg: over HTTP, whole and cut.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isKeyframe } from '#engine/recording/keyframe';
import type { Media } from '#platform/media/index';
import { startTestApp, type TestApp } from '#test/app';
import { createTestMedia } from '#test/clips';
import { type Coded, codedFrames, KEY_EVERY } from '#test/coded';
import type { SeeArgs, Seen } from '#test/media-tasks';
import { afterNs, levelOf, protobufOf, protobufStamp, recordingBytes } from '#test/recordings';

const { ffmpeg } = inject('programs');
const TASKS = new URL('../../../test/media-tasks.ts', import.meta.url);
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
  const camera = protobufOf('foxglove.CompressedVideo');
  const bytes = await recordingBytes({
    channels: [{ topic: '/cam', ...camera }],
    messages: frames.map((data, i) => {
      const timestamp = protobufStamp(afterNs(timeOf(i)));
      return { channel: 0, logNs: afterNs(timeOf(i)), data: camera.encode({ timestamp, frame_id: 'c', data, format }) };
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

/** The grey level of each frame of a video, and when it is shown. */
async function framesOf(videoId: string) {
  const path = join(app.sightline.config.dataDir, 'files', 'contents', videoId, 'source');
  const picture = { width: 16, height: 12, format: 'gray' } as const;
  const args = { path, picture } satisfies SeeArgs;
  const { frames } = await media.run<Seen>({ module: TASKS, name: 'see', args });
  return frames.map(({ timeS, data }) => ({ timeS, level: data.reduce((sum, each) => sum + each, 0) / data.length }));
}

describe.skipIf(!ffmpeg).each<Coded>(['h265', 'vp9', 'av1'])('a channel of %s', (codec) => {
  const levels = Array.from({ length: FRAMES }, (_, i) => levelOf(i));
  let frames: Buffer[];
  beforeAll(() => {
    frames = codedFrames(ffmpeg!, codec, levels);
  });

  test('becomes a video of the same pictures at the same times', async () => {
    const [film, ...others] = await ingested(frames, codec, null);
    expect(others).toEqual([]);
    expect(film).toMatchObject({ frame_count: FRAMES, duration_s: timeOf(24), gaps: [{ start_s: 11, end_s: 15 }] });
    const seen = await framesOf(film!.video_id);
    expect(seen.map(({ timeS }) => Math.round(timeS * 1000) / 1000)).toEqual(levels.map((_, i) => timeOf(i)));
    for (const [i, { level }] of seen.entries()) expect(Math.abs(level - levels[i]!)).toBeLessThan(6);
  }, 90_000);

  test('is cut by chunk_size where a keyframe is', async () => {
    const films = await ingested(frames, codec, 10);
    expect(films.map(({ part, frame_count, duration_s }) => [part, frame_count, duration_s])).toEqual([
      [0, 10, 9],
      [1, 10, 12],
      [2, 5, 4],
    ]);
    const [first] = await framesOf(films[1]!.video_id);
    expect(Math.abs(first!.level - levels[10]!)).toBeLessThan(6);
  }, 90_000);

  test('says of each frame whether decoding can begin with it', () => {
    expect(frames.map((frame) => isKeyframe(codec, frame))).toEqual(frames.map((_, i) => i % KEY_EVERY === 0));
    for (const bytes of [[], [0], [0x12, 0xff, 0xff, 0xff, 0xff], [0, 0, 1]]) {
      expect(isKeyframe(codec, Uint8Array.from(bytes))).toBe(false);
    }
  });
});
