import { createCanvas, ImageData } from '@napi-rs/canvas';
import type { Backend } from './backend.ts';

/** Frames of a video in rows of one picture. Sizes in pixels, times in seconds. */
export type Sheet = { times: readonly number[]; columns: number; tile: { width: number; height: number } };

const JPEG_QUALITY = 75;

/** Task behind `Media.sheet`: a frame that cannot be decoded is left black, unless all of them are. */
export async function sheet(
  { path, times, columns, tile }: Sheet & { path: string },
  { decoder, progress }: { decoder: Backend; progress: (fraction: number) => void },
): Promise<Buffer> {
  const canvas = createCanvas(columns * tile.width, Math.ceil(times.length / columns) * tile.height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#000';
  context.fillRect(0, 0, canvas.width, canvas.height);
  let failed = 0;
  for (const [i, timeS] of times.entries()) {
    try {
      const { data, width, height } = await decoder.still(path, timeS, Math.max(tile.width, tile.height));
      const pixels = new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
      const [x, y] = [(i % columns) * tile.width, Math.floor(i / columns) * tile.height];
      context.putImageData(new ImageData(pixels, width, height), x, y, 0, 0, tile.width, tile.height);
    } catch (error) {
      if (++failed === times.length) throw error;
    }
    progress((i + 1) / times.length);
  }
  return await canvas.encode('jpeg', JPEG_QUALITY);
}
