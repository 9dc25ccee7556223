import { expect, test } from 'vitest';
import { COLUMNS, ROWS } from '../../signals/kernel.ts';
import { createMovingRegions } from './moving-regions.ts';

const STANDS = { x: 0, y: 0, zoom: 0 };
const blocks = (...places: [column: number, row: number][]) => {
  const moving = new Uint8Array(COLUMNS * ROWS);
  for (const [column, row] of places) moving[row * COLUMNS + column] = 1;
  return moving;
};

test('adjacent blocks are one region, also across corners; single blocks are noise', () => {
  const movers = createMovingRegions();
  movers.addMotion(STANDS, blocks([2, 3], [3, 4], [4, 4], [10, 6], [10, 7], [17, 1]), 1);
  expect(movers.boxes(1)).toEqual([
    { x0: 2 / COLUMNS, y0: 3 / ROWS, x1: 5 / COLUMNS, y1: 5 / ROWS },
    { x0: 10 / COLUMNS, y0: 6 / ROWS, x1: 11 / COLUMNS, y1: 8 / ROWS },
  ]);
});

test('slow objects need not move in every frame, but stopped ones do not count', () => {
  const movers = createMovingRegions();
  movers.addMotion(STANDS, blocks([2, 3]), 1);
  movers.addMotion(STANDS, blocks([2, 4]), 1.04);
  expect(movers.boxes(1.04)).toHaveLength(1);
  expect(movers.boxes(1.3)).toEqual([]);
});

test('finds nothing while the camera moves, shortly after, and when the whole frame flickers', () => {
  const movers = createMovingRegions();
  const region = blocks([2, 3], [2, 4]);
  movers.addMotion({ x: 3, y: 0, zoom: 0 }, region, 1);
  expect(movers.boxes(1)).toEqual([]);
  movers.addMotion(STANDS, region, 1.2);
  expect(movers.boxes(1.2)).toEqual([]);
  movers.addMotion(STANDS, region, 1.6);
  expect(movers.boxes(1.6)).toHaveLength(1);
  movers.addMotion(STANDS, new Uint8Array(COLUMNS * ROWS).fill(1), 2);
  expect(movers.boxes(2)).toEqual([]);
});
