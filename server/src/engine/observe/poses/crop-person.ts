/** Side of the square input in pixels. */
export const INPUT_SIDE = 192;
const CHANNELS = 3;

type Image = { width: number; height: number; data: Uint8Array };
/** A square in pixels of an image, which may reach beyond it. */
export type Square = { left: number; top: number; side: number };
/** A box by its center and size, in fractions of the image. */
type CenteredBox = { x: number; y: number; width: number; height: number };

/** Longer side of the box, times this: arms that reach out of the box are in the square. */
const MARGIN = 1.25;

/** The square around a person that the model sees. */
export function squareAround(box: CenteredBox, { width, height }: Pick<Image, 'width' | 'height'>): Square {
  const side = Math.max(1, MARGIN * Math.max(box.width * width, box.height * height));
  return { left: box.x * width - side / 2, top: box.y * height - side / 2, side };
}

export const createInput = (): Float32Array<ArrayBuffer> => new Float32Array(CHANNELS * INPUT_SIDE * INPUT_SIDE);

/**
 * Scales a square of an RGB image to the input, from 0 to 255; what is outside of the image is black. Where a pixel of
 * the input covers several of the image, it is the mean of up to four places in it.
 */
export function fillInput(input: Float32Array, { width, height, data }: Image, { left, top, side }: Square): void {
  const step = side / INPUT_SIDE;
  const parts = step > 1 ? 2 : 1;
  const share = 1 / (parts * parts);
  const columns = placesAlong(left, step, parts, width);
  const rows = placesAlong(top, step, parts, height);
  input.fill(0);
  for (const row of rows) {
    for (const column of columns) {
      const to = (row.pixel * INPUT_SIDE + column.pixel) * CHANNELS;
      const [a, b] = [(row.before * width + column.before) * CHANNELS, (row.before * width + column.after) * CHANNELS];
      const [c, d] = [(row.after * width + column.before) * CHANNELS, (row.after * width + column.after) * CHANNELS];
      for (let k = 0; k < CHANNELS; k++) {
        const upper = data[a + k]! * (1 - column.share) + data[b + k]! * column.share;
        const lower = data[c + k]! * (1 - column.share) + data[d + k]! * column.share;
        input[to + k]! += share * (upper * (1 - row.share) + lower * row.share);
      }
    }
  }
}

/** Where the pixels of the input lie along one axis of the image: between two of its pixels, if they are inside. */
function placesAlong(from: number, step: number, parts: number, length: number) {
  return Array.from({ length: INPUT_SIDE * parts }, (_, k) => ({
    pixel: Math.floor(k / parts),
    place: from + ((k + 0.5) / parts) * step - 0.5,
  })).flatMap(({ pixel, place }) => {
    if (place < -0.5 || place > length - 0.5) return [];
    const inside = Math.min(length - 1, Math.max(0, place));
    const before = Math.floor(inside);
    return [{ pixel, before, after: Math.min(length - 1, before + 1), share: inside - before }];
  });
}
