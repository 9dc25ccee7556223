import { expect, test } from 'vitest';
import { COLUMNS, ROWS } from '../signals/kernel.ts';
import { createMovers } from './movers.ts';

const STANDS = { x: 0, y: 0, zoom: 0 };
const blocks = (...places: [column: number, row: number][]) => {
  const moving = new Uint8Array(COLUMNS * ROWS);
  for (const [column, row] of places) moving[row * COLUMNS + column] = 1;
  return moving;
};

test('blocks that hang together are one thing, also over corners; single ones are noise', () => {
  const movers = createMovers();
  movers.stepped(STANDS, blocks([2, 3], [3, 4], [4, 4], [10, 6], [10, 7], [17, 1]), 1);
  expect(movers.boxes(1)).toEqual([
    { x0: 2 / COLUMNS, y0: 3 / ROWS, x1: 5 / COLUMNS, y1: 5 / ROWS },
    { x0: 10 / COLUMNS, y0: 6 / ROWS, x1: 11 / COLUMNS, y1: 8 / ROWS },
  ]);
});

test('slow things need not move in every frame, but what stopped does not move', () => {
  const movers = createMovers();
  movers.stepped(STANDS, blocks([2, 3]), 1);
  movers.stepped(STANDS, blocks([2, 4]), 1.04);
  expect(movers.boxes(1.04)).toHaveLength(1);
  expect(movers.boxes(1.3)).toEqual([]);
});

test('nothing is said while the camera moves, shortly after it, and when the whole picture flickers', () => {
  const movers = createMovers();
  const thing = blocks([2, 3], [2, 4]);
  movers.stepped({ x: 3, y: 0, zoom: 0 }, thing, 1);
  expect(movers.boxes(1)).toEqual([]);
  movers.stepped(STANDS, thing, 1.2);
  expect(movers.boxes(1.2)).toEqual([]);
  movers.stepped(STANDS, thing, 1.6);
  expect(movers.boxes(1.6)).toHaveLength(1);
  movers.stepped(STANDS, new Uint8Array(COLUMNS * ROWS).fill(1), 2);
  expect(movers.boxes(2)).toEqual([]);
});
