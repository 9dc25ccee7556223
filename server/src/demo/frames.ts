import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { RgbaFrame } from '#platform/media/index';

/**
 * Amplitude of the camera noise, 0 to 255, in squares of 4 pixels to survive compression. It distinguishes a static
 * scene from a frozen image.
 */
const NOISE = 6;

/** Size and length of a drawn video; `frozen`: the range in which its image does not change. Times in seconds. */
type SceneSize = {
  width: number;
  height: number;
  frameRate: number;
  durationS: number;
  frozen: { startS: number; endS: number };
};

/** Frames of a scene, with the noise of a camera. `draw` paints the whole frame of a time. */
export function* renderFrames(
  { width, height, frameRate, durationS, frozen }: SceneSize,
  random: () => number,
  draw: (context: SKRSContext2D, timeS: number) => void,
  progress: (fraction: number) => void,
): Generator<RgbaFrame> {
  const context = createCanvas(width, height).getContext('2d');
  const noise = Int8Array.from({ length: 1 << 20 }, () => Math.round((random() * 2 - 1) * NOISE));
  let data: Uint8ClampedArray = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < durationS * frameRate; i++) {
    const timeS = i / frameRate;
    if (timeS < frozen.startS || timeS >= frozen.endS) {
      draw(context, timeS);
      ({ data } = context.getImageData(0, 0, width, height));
      addNoise(data, noise, Math.floor(random() * 100_000), width);
    }
    progress(timeS / durationS);
    yield { timeS, data: new Uint8Array(data.buffer) };
  }
}

function addNoise(data: Uint8ClampedArray, noise: Int8Array, from: number, width: number): void {
  const mask = noise.length - 1;
  const height = data.length / 4 / width;
  for (let y = 0, at = 0; y < height; y++) {
    const row = from + (y >> 2) * width;
    for (let x = 0; x < width; x++, at += 4) {
      const grain = noise[(row + (x >> 2)) & mask]!;
      // The array clamps.
      data[at]! += grain;
      data[at + 1]! += grain;
      data[at + 2]! += grain;
    }
  }
}

/** Draws an object at a point, scaled. A negative scale mirrors it. */
export function place(c: SKRSContext2D, x: number, y: number, scale: number, drawObject: () => void): void {
  c.save();
  c.translate(x, y);
  c.scale(scale, Math.abs(scale));
  drawObject();
  c.restore();
}

/**
 * Numbers from 0 to 1, the same on every machine (a linear congruential generator with Numerical Recipes' constants).
 */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
