import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Media } from '#platform/media/index';
import { createTestMedia, flatClip, flatLevel } from '#test/media/clips';
import type { DecodedClip } from '#test/media/media-tasks';
import { temporaryFolder } from '#test/temporary-folder';
import type { PixelStatistics } from '../types.ts';

const TASK = new URL('./episode-task.ts', import.meta.url);
const DECODE = new URL('../../../../test/media/media-tasks.ts', import.meta.url);
const SIZE = { width: 64, height: 48 };
/** Frames of irregular distances; the last one is shown for half a second. */
const TIMES = [0, 0.1, 0.2, 0.5, 0.6, 1, 1.02, 1.5];
const END_S = 2;

let media: Media;
let path: string;
beforeAll(async () => {
  media = await createTestMedia();
  path = await flatClip({ times: TIMES, endS: END_S });
});
afterAll(() => media?.close());

async function render(request: { fromS: number; count: number; fps: number }) {
  const folder = await temporaryFolder();
  const target = join(folder, 'episode.mp4');
  const args = { path, target, ...SIZE, ...request };
  const pixels = await media.run<PixelStatistics>({ module: TASK, name: 'renderEpisode', args });
  const decode = { path: target, picture: { ...SIZE, format: 'gray' } };
  const { frames } = await media.run<DecodedClip>({ module: DECODE, name: 'decodeClip', args: decode });
  return { pixels, times: frames.map(({ timeS }) => timeS), levels: frames.map(({ data }) => data[data.length - 1]!) };
}

test.each([
  { fromS: 0, count: 20, fps: 10 },
  { fromS: 0.5, count: 30, fps: 30 },
  { fromS: 0.1, count: 3, fps: 5 },
  // Between two frames, and after the last one.
  { fromS: 0.3, count: 5, fps: 10 },
  { fromS: 1.7, count: 2, fps: 10 },
  // No duration.
  { fromS: 1, count: 1, fps: 25 },
  // Beyond the end: the last frame stays.
  { fromS: 1.5, count: 10, fps: 10 },
])('%o: each frame is what the video shows at its time', async (request) => {
  const { fromS, count, fps } = request;
  const { pixels, times, levels } = await render(request);
  const grid = Array.from({ length: count }, (_, index) => index / fps);
  expect(times).toEqual(grid.map((time) => expect.closeTo(time, 4)));
  for (const [index, level] of levels.entries()) {
    const shown = TIMES.findLastIndex((time) => time <= fromS + grid[index]! + 0.001);
    expect(Math.abs(level - flatLevel(shown)), `frame ${index}`).toBeLessThan(4);
  }
  for (const channel of [0, 1, 2]) {
    expect(pixels.min[channel]).toBeLessThanOrEqual(pixels.mean[channel]!);
    expect(pixels.mean[channel]).toBeLessThanOrEqual(pixels.max[channel]!);
  }
});

test('a range without frames is a problem of the video', async () => {
  await expect(render({ fromS: 5, count: 10, fps: 10 })).rejects.toMatchObject({ status: 400 });
});
