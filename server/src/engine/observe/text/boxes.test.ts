import { describe, expect, test } from 'vitest';
import { findBoxes, joinWords } from './boxes.ts';

const [WIDTH, HEIGHT] = [128, 64];

/** A map of probabilities with filled rectangles. */
function mapOf(...regions: { x: number; y: number; width: number; height: number; p: number }[]) {
  const map = new Float32Array(WIDTH * HEIGHT);
  for (const { x, y, width, height, p } of regions)
    for (let row = y; row < y + height; row++) map.fill(p, row * WIDTH + x, row * WIDTH + x + width);
  return map;
}

test('regions become boxes in reading order, expanded to whole lines', () => {
  const map = mapOf({ x: 70, y: 40, width: 40, height: 8, p: 0.9 }, { x: 10, y: 10, width: 60, height: 10, p: 0.8 });
  expect(findBoxes(map, WIDTH, HEIGHT)).toEqual([
    { x0: 3, y0: 3, x1: 77, y1: 27 },
    { x0: 65, y0: 35, x1: 115, y1: 53 },
  ]);
});

test('noise and uncertain regions are no text', () => {
  const map = mapOf(
    { x: 5, y: 5, width: 3, height: 3, p: 0.9 },
    { x: 30, y: 5, width: 40, height: 2, p: 0.9 },
    { x: 30, y: 30, width: 40, height: 10, p: 0.4 },
  );
  expect(findBoxes(map, WIDTH, HEIGHT)).toEqual([]);
});

test('a frame full of text has a bounded number of boxes, in the frame', () => {
  const dots = Array.from({ length: 16 * 8 }, (_, at) => ({ x: (at % 16) * 8, y: Math.floor(at / 16) * 8 }));
  const boxes = findBoxes(mapOf(...dots.map((at) => ({ ...at, width: 6, height: 6, p: 0.9 }))), WIDTH, HEIGHT);
  expect(boxes).toHaveLength(40);
  for (const { x0, y0, x1, y1 } of boxes) expect([x0 >= 0, y0 >= 0, x1 <= WIDTH, y1 <= HEIGHT]).not.toContain(false);
  expect(findBoxes(new Float32Array(WIDTH * HEIGHT).fill(1), WIDTH, HEIGHT)).toEqual([
    { x0: 0, y0: 0, x1: WIDTH, y1: HEIGHT },
  ]);
});

describe('words side by side', () => {
  const word = (x0: number, x1: number, y0 = 10, y1 = 30) => ({ x0, x1, y0, y1 });

  test('are one line, however many there are and in whatever order', () => {
    expect(joinWords([word(66, 90, 12, 33), word(10, 40), word(44, 62, 9, 29)])).toEqual([word(10, 90, 9, 33)]);
    expect(joinWords([word(10, 40), word(35, 60)])).toEqual([word(10, 60)]);
  });

  test('are two lines with a wide gap, in another row or size, and in reading order', () => {
    const apart = [
      [word(10, 40), word(50, 80)],
      [word(10, 40), word(42, 80, 20, 40)],
      [word(10, 40), word(42, 80, 5, 40)],
    ];
    for (const words of apart) {
      expect(joinWords(words)).toHaveLength(2);
      expect(joinWords(words.toReversed())).toEqual(joinWords(words));
    }
    expect(joinWords([])).toEqual([]);
  });
});
