/** An image of 8-bit RGB. */
export type ScaledImage = { width: number; height: number; data: Uint8Array };

/** Side in pixels of the square that the model sees. */
export const IMAGE_SIDE = 224;
/** Mean and deviation of the channels red, green and blue that the model was trained with. */
const MEAN = [0.48145466, 0.4578275, 0.40821073] as const;
const DEVIATION = [0.26862954, 0.26130258, 0.27577711] as const;

/** Size of an image after its shorter side is scaled to that of the model. */
export function scaledSize({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const factor = IMAGE_SIDE / Math.min(width, height);
  const sideOf = (length: number) => Math.max(IMAGE_SIDE, Math.round(length * factor));
  return { width: sideOf(width), height: sideOf(height) };
}

/**
 * The square in the middle of an image as 3 × 224 × 224 normalized values: planes of red, green and blue. The shorter
 * side of the image must be 224.
 */
export function toImageInput({ width, height, data }: ScaledImage): Float32Array {
  const left = Math.floor((width - IMAGE_SIDE) / 2);
  const top = Math.floor((height - IMAGE_SIDE) / 2);
  const input = new Float32Array(3 * IMAGE_SIDE * IMAGE_SIDE);
  let at = 0;
  for (let plane = 0; plane < 3; plane++) {
    const gain = 1 / (255 * DEVIATION[plane]!);
    const offset = MEAN[plane]! / DEVIATION[plane]!;
    for (let y = top; y < top + IMAGE_SIDE; y++)
      for (let x = left; x < left + IMAGE_SIDE; x++) input[at++] = data[3 * (y * width + x) + plane]! * gain - offset;
  }
  return input;
}
