import type { ScaledImage } from './image-input.ts';

/** A rectangle in fractions of an image's width and height, from the top left. */
export type ImageRegion = { x: number; y: number; width: number; height: number };

/** Margin around a box on each side, as a share of its longer side: objects are recognized by what is around, too. */
const MARGIN = 0.1;

/**
 * The region of an image that is embedded for a box: the square around it with a margin, moved into the image. It is
 * no square if the image is too small for one. `size` is that of the image in pixels.
 */
export function regionAround(box: ImageRegion, size: { width: number; height: number }): ImageRegion {
  const side = Math.max(box.width * size.width, box.height * size.height) * (1 + 2 * MARGIN);
  const along = (from: number, length: number, whole: number): [number, number] => {
    const share = Math.min(1, side / whole);
    return [Math.max(0, Math.min(1 - share, from + length / 2 - share / 2)), share];
  };
  const [x, width] = along(box.x, box.width, size.width);
  const [y, height] = along(box.y, box.height, size.height);
  return { x, y, width, height };
}

/** A region of an image, scaled to the square that the model sees. */
export async function cropImage(image: ScaledImage, region: ImageRegion): Promise<ScaledImage> {
  const left = Math.floor(region.x * image.width);
  const top = Math.floor(region.y * image.height);
  const width = Math.max(1, Math.min(image.width - left, Math.round(region.width * image.width)));
  const height = Math.max(1, Math.min(image.height - top, Math.round(region.height * image.height)));
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let y = 0; y < height; y++) {
    let from = 3 * ((top + y) * image.width + left);
    for (let to = 4 * y * width; to < 4 * (y + 1) * width; to += 4, from += 3) {
      rgba[to] = image.data[from]!;
      rgba[to + 1] = image.data[from + 1]!;
      rgba[to + 2] = image.data[from + 2]!;
    }
  }
  // The drawing library takes longer to load than a probe.
  const { scaleToSquare } = await import('./image.ts');
  return scaleToSquare({ width, height, rgba });
}
