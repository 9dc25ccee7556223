import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { createTestMedia } from '#test/media/clips';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import { temporaryFolder } from '#test/temporary-folder';

const TASKS = new URL('../media/media-tasks.ts', import.meta.url);

/** Size of the small pictures that are compared. */
const [WIDTH, HEIGHT] = [32, 18];
/** Mean distance of the values of two pictures, up to which they are the same one. */
const SAME = 16;

/** Recognizes JPEG pictures in the decoded frames of MP4 files. */
export function createClipWatcher() {
  const known = new Map<Buffer, Promise<Uint8Array>>();
  return {
    /** Bytes that are no JPEG cannot be in a clip. */
    learn(jpeg: Buffer) {
      if (jpeg[0] === 0xff && jpeg[1] === 0xd8) known.set(jpeg, shrink(jpeg));
    },
    async watch(mp4: Buffer): Promise<Buffer[]> {
      const pictures = await Promise.all([...known].map(async ([jpeg, small]) => ({ jpeg, small: await small })));
      const frames = await decode(mp4);
      return frames.map((frame) => {
        const ranked = pictures.map(({ jpeg, small }) => ({ jpeg, distance: distanceOf(small, frame) }));
        const best = ranked.reduce((a, b) => (b.distance < a.distance ? b : a));
        return best.distance <= SAME ? best.jpeg : Buffer.from(frame);
      });
    },
  };
}

const distanceOf = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;

/** The small picture as rows of red, green and blue. */
async function shrink(jpeg: Buffer): Promise<Uint8Array> {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(await loadImage(jpeg), 0, 0, WIDTH, HEIGHT);
  const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
  return Uint8Array.from(data).filter((_, i) => i % 4 < 3);
}

/** The frames of an MP4, small. */
async function decode(mp4: Buffer): Promise<Uint8Array[]> {
  const path = join(await temporaryFolder(), 'clip.mp4');
  await writeFile(path, mp4);
  const media = await createTestMedia();
  try {
    const args: DecodeClipArgs = { path, picture: { width: WIDTH, height: HEIGHT, format: 'rgb' } };
    const { frames } = await media.run<DecodedClip>({ module: TASKS, name: 'decodeClip', args });
    return frames.map(({ data }) => data);
  } finally {
    await media.close();
  }
}
