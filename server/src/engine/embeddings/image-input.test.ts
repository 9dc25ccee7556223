import { createCanvas } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { IMAGE_SIDE, scaledSize, toImageInput } from './image-input.ts';
import { decodePicture } from './picture.ts';

/** Normalized values of the channels of white and black, by the constants that CLIP publishes. */
const WHITE = [1.9303, 2.0749, 2.1459];
const BLACK = [-1.7923, -1.7521, -1.4802];
const PLANE = IMAGE_SIDE * IMAGE_SIDE;

test('the shorter side is scaled to 224', () => {
  expect(scaledSize({ width: 1920, height: 1080 })).toEqual({ width: 398, height: 224 });
  expect(scaledSize({ width: 480, height: 640 })).toEqual({ width: 224, height: 299 });
  expect(scaledSize({ width: 100, height: 100 })).toEqual({ width: 224, height: 224 });
});

test('the square in the middle is normalized by channel', () => {
  const [width, height] = [IMAGE_SIDE + 100, IMAGE_SIDE];
  const data = new Uint8Array(3 * width * height);
  // White in the middle square only: the sides are cut.
  for (let y = 0; y < height; y++) data.fill(255, 3 * (y * width + 50), 3 * (y * width + 50 + IMAGE_SIDE));
  const input = toImageInput({ width, height, data });
  expect(input).toHaveLength(3 * PLANE);
  for (const [plane, value] of WHITE.entries()) {
    const own = input.subarray(plane * PLANE, (plane + 1) * PLANE);
    expect(own.every((each) => Math.abs(each - value) < 1e-3)).toBe(true);
  }
  const black = toImageInput({ width, height, data: new Uint8Array(data.length) });
  for (const [plane, value] of BLACK.entries()) expect(black[plane * PLANE]).toBeCloseTo(value, 3);
});

test('pictures are decoded as RGB, other bytes are not', async () => {
  const canvas = createCanvas(640, 320);
  const context = canvas.getContext('2d');
  context.fillStyle = 'rgb(200, 30, 90)';
  context.fillRect(0, 0, 640, 320);
  for (const bytes of [await canvas.encode('png'), await canvas.encode('webp', 100)]) {
    const { width, height, data } = (await decodePicture(bytes))!;
    expect([width, height, data.length]).toEqual([448, 224, 3 * 448 * 224]);
    for (const [channel, value] of [200, 30, 90].entries()) expect(Math.abs(data[channel]! - value)).toBeLessThan(4);
  }
  expect(await decodePicture(Buffer.from('no picture'))).toBeNull();
  expect(await decodePicture(new Uint8Array())).toBeNull();
});
