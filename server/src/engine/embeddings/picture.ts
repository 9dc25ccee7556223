import { createCanvas, loadImage } from '@napi-rs/canvas';
import { type ScaledImage, scaledSize } from './image-input.ts';

/** Decodes a picture (JPEG, PNG, WebP, AVIF or GIF), scaled for the model. Null if it cannot be decoded. */
export async function decodePicture(bytes: Uint8Array): Promise<ScaledImage | null> {
  const picture = await loadImage(bytes).catch(() => null);
  if (!picture || picture.width < 1 || picture.height < 1) return null;
  const { width, height } = scaledSize(picture);
  const context = createCanvas(width, height).getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  const rgba = context.getImageData(0, 0, width, height).data;
  const data = new Uint8Array(3 * width * height);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) data.set(rgba.subarray(from, from + 3), to);
  return { width, height, data };
}
