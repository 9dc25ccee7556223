import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { flatClip } from '#test/media/clips';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import { temporaryFolder } from '#test/temporary-folder';
import { addClip, api, library, me, media, pathOf, play, sign, usePlayback, videoId } from './playback.fixture.ts';

usePlayback();

const TASKS = new URL('../../../test/media/media-tasks.ts', import.meta.url);
const statusOf = async (id: string) => (await api.call('GET', `/api/video/${id}/status`, { key: me.key })).json;

async function decode(body: Buffer): Promise<DecodedClip> {
  const path = join(await temporaryFolder(), 'played.mp4');
  await writeFile(path, body);
  const args: DecodeClipArgs = { path, picture: { width: 32, height: 24, format: 'gray' } };
  return media.run<DecodedClip>({ module: TASKS, name: 'decodeClip', args, reads: [path] });
}
const download = async (id: string) => decode((await play(pathOf(await sign(id)))).body);

describe('chunks of a video', () => {
  test('have its frames to the pixel, each once, if it has keyframes at their boundaries', async () => {
    // The encoder sets keyframes at changes of gray: frames 61 and 122 are two of them.
    const times = Array.from({ length: 132 }, (_, i) => (i * 30) / 61);
    const id = await addClip(await flatClip({ times, endS: 65 }));
    const { metadata } = (await statusOf(id)) as { metadata: Record<string, unknown> };
    const ids = metadata.chunk_ids as string[];
    expect(metadata).toMatchObject({ chunks_total: 3, chunks_uploaded: 3, duration_s: expect.closeTo(65, 3) });
    const statuses = await Promise.all(ids.map(statusOf));
    expect(statuses).toMatchObject(
      [0, 30, 60, 65].slice(1).map((end, i) => ({
        video_id: ids[i],
        status: 'uploaded',
        duration_s: expect.closeTo(end - i * 30, 3),
        metadata: {
          parent_video_id: id,
          duration_s: expect.closeTo(end - i * 30, 3),
          start_time_s: expect.closeTo(i * 30, 3),
          end_time_s: expect.closeTo(end, 3),
        },
      })),
    );
    const whole = await download(id);
    const chunks = await Promise.all(ids.map(download));
    expect(chunks.map(({ frames }) => frames.length)).toEqual([61, 61, 10]);
    for (const [i, { data }] of chunks.flatMap(({ frames }) => frames).entries()) {
      expect(Buffer.compare(data, whole.frames[i]!.data), `${i}`).toBe(0);
    }
    expect(chunks.map(({ summary }) => Math.round(summary.endS * 1000))).toEqual([30_000, 30_000, 5_000]);
  });

  test('are encoded to the frame where there are no keyframes', async () => {
    // No frame starts at 30 seconds: the one of 29.4 is shown until 30.1.
    const times = Array.from({ length: 50 }, (_, i) => i * 0.7);
    const id = await addClip(await flatClip({ times, endS: 35 }));
    const { metadata } = (await statusOf(id)) as { metadata: { chunk_ids: string[] } };
    const [first, second] = await Promise.all(metadata.chunk_ids.map(download));
    expect([first!.frames.length, second!.frames.length]).toEqual([43, 7]);
    const whole = await download(id);
    for (const [i, { data }] of [...first!.frames, ...second!.frames].entries()) {
      expect(Math.abs(data[12 * 32 + 20]! - whole.frames[i]!.data[12 * 32 + 20]!), `${i}`).toBeLessThan(5);
    }
  });

  test('do not exist past the end, before the video is stored, and for other kinds of files', async () => {
    const { metadata } = (await statusOf(videoId)) as { metadata: { chunk_ids: string[] } };
    expect(metadata.chunk_ids).toEqual([`${videoId}-c0`]);
    for (const id of [`${videoId}-c1`, `${videoId}-c00`, `${videoId}-c`]) {
      expect(await statusOf(id), id).toMatchObject({ error: 'video_not_found' });
      expect(await sign(id), id).toMatchObject({ status: 404 });
    }
    expect(await sign(`${videoId}-c0`, { kind: 'poster' })).toMatchObject({ json: { error: 'chunk_file_only' } });
    const pending = await library.add(me.caller);
    expect(await statusOf(pending)).toMatchObject({ metadata: { chunk_ids: [], chunks_total: 1, chunks_uploaded: 0 } });
    expect(await statusOf(`${pending}-c0`)).toMatchObject({ error: 'video_not_found' });
    const stranger = await library.keyOf(await library.addUser(), ['read']);
    expect(await sign(`${videoId}-c0`, undefined, stranger.key)).toMatchObject({ json: { error: 'video_forbidden' } });
  });
});
