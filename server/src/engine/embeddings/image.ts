import { type Canvas, createCanvas, type Image, ImageData, loadImage } from '@napi-rs/canvas';
import { IMAGE_SIDE, type ScaledImage } from './image-input.ts';

/** First bytes of JPEG, PNG, WebP, AVIF and GIF in hexadecimal. The drawing library decodes more, such as SVG. */
const SIGNATURES = /^(ffd8ff|89504e470d0a1a0a|52494646.{8}57454250|.{8}66747970617669(66|73)|47494638(37|39)61)/;

/**
 * Decodes the square in the middle of an image (JPEG, PNG, WebP, AVIF or GIF), scaled for the model. Null if it cannot
 * be decoded.
 */
export async function decodeImage(bytes: Uint8Array): Promise<ScaledImage | null> {
  if (!SIGNATURES.test(Buffer.from(bytes.subarray(0, 16)).toString('hex'))) return null;
  const image = await loadImage(bytes).catch(() => null);
  if (!image || image.width < 1 || image.height < 1) return null;
  const side = Math.min(image.width, image.height);
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
  return drawSquare(image, { left, top, width: side, height: side });
}

/** Scales an image of 8-bit RGBA to the square that the model sees. */
export function scaleToSquare({ width, height, rgba }: RgbaImage): ScaledImage {
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').putImageData(new ImageData(rgba, width, height), 0, 0);
  return drawSquare(canvas, { left: 0, top: 0, width, height });
}

type RgbaImage = { width: number; height: number; rgba: Uint8ClampedArray };
type Part = { left: number; top: number; width: number; height: number };

function drawSquare(source: Image | Canvas, { left, top, width, height }: Part): ScaledImage {
  const context = createCanvas(IMAGE_SIDE, IMAGE_SIDE).getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, left, top, width, height, 0, 0, IMAGE_SIDE, IMAGE_SIDE);
  const rgba = context.getImageData(0, 0, IMAGE_SIDE, IMAGE_SIDE).data;
  const data = new Uint8Array(3 * IMAGE_SIDE ** 2);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) data.set(rgba.subarray(from, from + 3), to);
  return { width: IMAGE_SIDE, height: IMAGE_SIDE, data };
}
