import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Canvas, createCanvas, type Image, ImageData, loadImage } from '@napi-rs/canvas';
import type { Media } from '#platform/media/index';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import { temporaryFolder } from '#test/temporary-folder';

const TASKS = new URL('../media/media-tasks.ts', import.meta.url);

/** Size of the small pictures that are compared. */
const [WIDTH, HEIGHT] = [128, 72];
/** Mean distance of the values of two pictures, up to which they are the same one. */
const SAME = 16;

/** Recognizes JPEG pictures in the frames of MP4 files, which `media` decodes. */
export function createClipWatcher(media?: Media) {
  const known = new Set<Buffer>();
  return {
    /** Bytes that are no JPEG cannot be in a clip. */
    learn(jpeg: Buffer) {
      if (jpeg[0] === 0xff && jpeg[1] === 0xd8) known.add(jpeg);
    },
    async watch(mp4: Buffer): Promise<Buffer[]> {
      if (!media) throw new Error('This watcher has no media to decode clips with.');
      const pictures = await Promise.all([...known].map(async (jpeg) => ({ jpeg, small: await shrink(jpeg) })));
      const frames = await decode(media, mp4);
      return frames.map((frame) => {
        let best: Buffer | null = null;
        let least = SAME;
        for (const { jpeg, small } of pictures) {
          const distance = distanceOf(small, frame, least);
          if (distance < least || (distance === least && !best)) [best, least] = [jpeg, distance];
        }
        return best ?? Buffer.from(frame);
      });
    },
  };
}

/** Infinite if it is more than `most`: nearly all pictures differ by so much in their first rows. */
function distanceOf(a: Uint8Array, b: Uint8Array, most: number): number {
  const limit = most * a.length;
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    sum += difference < 0 ? -difference : difference;
    if (sum > limit) return Number.POSITIVE_INFINITY;
  }
  return sum / a.length;
}

const shrunk = new WeakMap<Buffer, Promise<Uint8Array>>();

/** The small picture as rows of red, green and blue. Frames and pictures are scaled by the same code. */
function shrink(jpeg: Buffer): Promise<Uint8Array> {
  const small = shrunk.get(jpeg) ?? loadImage(jpeg).then(scale);
  shrunk.set(jpeg, small);
  return small;
}

function scale(picture: Image | Canvas): Uint8Array {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, WIDTH, HEIGHT);
  const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
  const rgb = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let i = 0; i < rgb.length; i += 3) rgb.set(data.subarray((4 * i) / 3, (4 * i) / 3 + 3), i);
  return rgb;
}

/** The frames of an MP4, small. */
async function decode(media: Media, mp4: Buffer): Promise<Uint8Array[]> {
  const path = join(await temporaryFolder(), 'clip.mp4');
  await writeFile(path, mp4);
  const { width, height } = (await media.probe(path)).video;
  const args: DecodeClipArgs = { path, picture: { width, height, format: 'rgb' } };
  const { frames } = await media.run<DecodedClip>({ module: TASKS, name: 'decodeClip', args, reads: [path] });
  return frames.map(({ data }) => scale(toCanvas(data, { width, height })));
}

function toCanvas(rgb: Uint8Array, { width, height }: { width: number; height: number }): Canvas {
  const canvas = createCanvas(width, height);
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) {
    for (let k = 0; k < 3; k++) pixels[4 * i + k] = rgb[3 * i + k]!;
  }
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}
