import { expect, test } from 'vitest';
import { createInput, fillInput, INPUT_SIDE, squareAround } from './crop-person.ts';

const SIZE = { width: 200, height: 100 };

/** A gray image with a bright rectangle. */
function image(from: number, to: number) {
  const data = new Uint8Array(3 * SIZE.width * SIZE.height).fill(50);
  for (let y = 0; y < SIZE.height; y++)
    for (let x = from; x < to; x++) data.set([200, 100, 0], 3 * (y * SIZE.width + x));
  return { ...SIZE, data };
}
function crop(square: Parameters<typeof fillInput>[2], data = image(0, 100)) {
  const input = createInput();
  fillInput(input, data, square);
  return (x: number, y: number) => [...input.subarray(3 * (y * INPUT_SIDE + x), 3 * (y * INPUT_SIDE + x) + 3)];
}

test('the square is centered on the box, by its longer side and a margin', () => {
  const { left, top, side } = squareAround({ x: 0.5, y: 0.5, width: 0.1, height: 0.4 }, SIZE);
  expect([left, top, side].map((value) => Math.round(value * 10) / 10)).toEqual([75, 25, 50]);
});

test('pixels are scaled to the input in both directions', () => {
  for (const side of [20, 96, 100]) {
    const at = crop({ left: 100 - side / 2, top: 0, side });
    expect(at(10, 96)).toEqual([200, 100, 0]);
    expect(at(INPUT_SIDE - 10, 96)).toEqual([50, 50, 50]);
  }
});

test('what is outside of the image is black', () => {
  const at = crop({ left: -50, top: -50, side: 100 });
  expect(at(10, 10)).toEqual([0, 0, 0]);
  expect(at(150, 10)).toEqual([0, 0, 0]);
  expect(at(150, 150)).toEqual([200, 100, 0]);
});
