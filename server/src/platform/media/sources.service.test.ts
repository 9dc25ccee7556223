import { stat } from 'node:fs/promises';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createTestMedia } from '#test/media/clips';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import { CORNERS, SOURCE_FORMATS, type SourceFormat, sourceClip } from '#test/media/source-formats';
import type { Media } from './index.ts';

/**
 * Videos of many kinds in all code that scales or converts frames: each is either rejected by `probe` or works in all
 * of it.
 */
const TASKS = new URL('../../../test/media/media-tasks.ts', import.meta.url);
const TILE = { width: 64, height: 48 };
const COLORS = { red: [255, 0, 0], lime: [0, 255, 0], blue: [0, 0, 255], white: [255, 255, 255] };

type Pixels = { width: number; height: number; data: Uint8Array; channels: number };

const see = (media: Media, args: DecodeClipArgs) => media.run<DecodedClip>({ module: TASKS, name: 'decodeClip', args });

const { ffmpeg } = inject('programs');
describe.runIf(ffmpeg)('videos of many kinds', () => {
  let media: Media;
  beforeAll(async () => {
    media = await createTestMedia();
  });
  afterAll(() => media.close());

  const accepted = SOURCE_FORMATS.filter(({ refused }) => !refused);
  test.each(accepted.map((source) => [source.name, source] as const))('takes %s', async (_, source) => {
    const path = await sourceClip(ffmpeg!, source);
    const { durationS } = await media.probe(path);
    const frames = source.frames ?? 10;

    const picture = { ...TILE, format: 'rgb' } as const;
    const seen = await see(media, {
      path,
      picture,
      other: { width: 24, height: 16, format: 'gray' },
      sampleRate: 8_000,
    });
    expect(seen.summary).toMatchObject({ frames, errors: 0, state: 'whole' });
    expect(seen.frames[0]!.timeS).toBe(0);
    for (const { data } of [seen.frames[0]!, seen.frames.at(-1)!]) shows(source, { ...TILE, data, channels: 3 });
    expect(spread(seen.others[0]!.data)).toBeGreaterThan(50);
    shows(source, await pixels(await media.frameImage(path, { timeS: durationS / 2 })));
    await using clip = await media.trim(path, { fromS: 0, untilS: durationS, video: 'encode', output: 'mp4' });
    const copy = await see(media, { path: clip.path, picture });
    expect(copy.summary).toMatchObject({ errors: 0, state: 'whole' });
    shows(source, { ...TILE, data: copy.frames[0]!.data, channels: 3 });

    // Larger than the frames of all but one of them, as small clips are to the detector.
    const enlarged = await see(media, { path, picture: { width: 640, height: 480, format: 'gray', minIntervalS: 10 } });
    expect(spread(enlarged.frames[0]!.data)).toBeGreaterThan(50);

    const sheet = await media.contactSheet(path, { times: [0, durationS / 2], columns: 1, tile: TILE });
    expect((await pixels(sheet)).height).toBe(2 * TILE.height);

    const { video, startsS, endS } = await media.planSegments(path);
    await using segment = await media.trim(path, { fromS: 0, untilS: startsS[1] ?? endS, video, output: 'segment' });
    expect((await stat(segment.path)).size).toBeGreaterThan(500);
  });

  const refused = SOURCE_FORMATS.filter((source) => source.refused);
  test.each(refused.map((source) => [source.name, source] as const))('refuses %s', async (_, source) => {
    const path = await sourceClip(ffmpeg!, source);
    const answer = await media.probe(path).catch((error: Error) => error);
    expect(answer).toMatchObject({ code: source.refused, status: 400 });
    expect((answer as Error).message).toMatch(/^The .*\.$/);
  });
});

/** The corners of a picture have the source's colors. */
function shows({ corners = CORNERS }: SourceFormat, picture: Pixels): void {
  if (corners === null) return;
  const { width, height, data, channels } = picture;
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * height) * width + Math.floor(x * width)) * channels;
    return [...data.subarray(start, start + 3)];
  };
  const named = [at(0.1, 0.1), at(0.9, 0.1), at(0.1, 0.9), at(0.9, 0.9)].map(nearest);
  expect(named.join(' ')).toBe(corners);
}

function nearest(color: number[]): string {
  const distance = (other: number[]) => Math.hypot(...color.map((value, i) => value - other[i]!));
  return Object.entries(COLORS).reduce((best, next) => (distance(next[1]) < distance(best[1]) ? next : best))[0];
}

const spread = (data: Uint8Array) =>
  data.reduce((most, value) => Math.max(most, value), 0) - data.reduce((least, value) => Math.min(least, value), 255);

async function pixels(jpeg: Buffer): Promise<Pixels> {
  const image = await loadImage(jpeg);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data: new Uint8Array(data), channels: 4 };
}
