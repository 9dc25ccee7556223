import { createCanvas } from '@napi-rs/canvas';
import { afterEach, expect, it } from 'vitest';
import { createTestMedia } from '#test/media/clips';
import { createClipWatcher } from '#test/servers/clip-watcher';
import type { Media } from './index.ts';

let media: Media;
afterEach(() => media?.close());

/** A picture with a white column. */
function draw(column: number): Promise<Buffer> {
  const canvas = createCanvas(322, 181);
  const context = canvas.getContext('2d');
  context.fillStyle = '#203040';
  context.fillRect(0, 0, 322, 181);
  context.fillStyle = '#fff';
  context.fillRect(20 * column, 0, 20, 181);
  return canvas.encode('jpeg', 90);
}

it('makes a clip of exactly these pictures, in their order', async () => {
  media = await createTestMedia();
  const pictures = await Promise.all([3, 1, 4, 1, 1, 5, 9, 2, 6].map(draw));
  const watcher = createClipWatcher(media);
  for (const picture of pictures) watcher.learn(picture);
  const mp4 = await media.pictureClip(pictures, { stepS: 0.5 });
  const shown = await watcher.watch(mp4);
  expect(shown.map((frame) => pictures.findIndex((each) => each.equals(frame)))).toEqual([0, 1, 2, 1, 1, 5, 6, 7, 8]);
  expect(mp4.length).toBeLessThan(100_000);
});

it('throws if a picture cannot be decoded', async () => {
  media = await createTestMedia();
  const pictures = [await draw(1), Buffer.from('no picture'), await draw(2)];
  await expect(media.pictureClip(pictures, { stepS: 0.5 })).rejects.toMatchObject({ code: 'media_damaged' });
});
