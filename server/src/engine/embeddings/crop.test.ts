import { expect, test } from 'vitest';
import { cropImage, regionAround } from './crop.ts';
import { IMAGE_SIDE } from './image-input.ts';

const SIZE = { width: 1000, height: 500 };
const pixelsOf = (box: Parameters<typeof regionAround>[0]) => {
  const { x, y, width, height } = regionAround(box, SIZE);
  return [x * SIZE.width, y * SIZE.height, width * SIZE.width, height * SIZE.height].map(Math.round);
};

test('the region around a box is a square with a margin, inside the image', () => {
  expect(pixelsOf({ x: 0.4, y: 0.4, width: 0.1, height: 0.1 })).toEqual([390, 165, 120, 120]);
  expect(pixelsOf({ x: 0.9, y: 0, width: 0.1, height: 0.1 })).toEqual([880, 0, 120, 120]);
  // There is no room for a square that is as wide as the box.
  expect(pixelsOf({ x: 0, y: 0.5, width: 1, height: 0.2 })).toEqual([0, 0, 1000, 500]);
});

test('the region is scaled to the square that the model sees', async () => {
  const data = new Uint8Array(3 * SIZE.width * SIZE.height);
  const box = { x: 0.4, y: 0.4, width: 0.1, height: 0.1 };
  for (let y = 200; y < 250; y++) for (let x = 400; x < 500; x++) data.set([200, 30, 90], 3 * (y * SIZE.width + x));
  const { width, height, data: cropped } = await cropImage({ ...SIZE, data }, regionAround(box, SIZE));
  expect([width, height]).toEqual([IMAGE_SIDE, IMAGE_SIDE]);
  const at = (x: number, y: number) => [...cropped.subarray(3 * (y * IMAGE_SIDE + x), 3 * (y * IMAGE_SIDE + x) + 3)];
  expect(at(112, 112)).toEqual([200, 30, 90]);
  // Above the box and beside it.
  expect(at(112, 30)).toEqual([0, 0, 0]);
  expect(at(5, 112)).toEqual([0, 0, 0]);
});
