import { createCanvas, ImageData } from '@napi-rs/canvas';
import type { MediaEngine } from '../engine/index.ts';

/** Layout of a JPEG with several frames in rows. Sizes in pixels, times in seconds. */
export type ContactSheetLayout = { times: readonly number[]; columns: number; tile: { width: number; height: number } };

const JPEG_QUALITY = 75;

/** Task of `Media.contactSheet`. Frames that cannot be decoded stay black; throws if none can. */
export async function contactSheet(
  { path, times, columns, tile }: ContactSheetLayout & { path: string },
  { decoder, progress }: { decoder: MediaEngine; progress: (fraction: number) => void },
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
