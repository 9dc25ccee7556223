import { describe, expect, test } from 'vitest';
import { groupByVideo, packGroups } from './groups.ts';
import type { BatchEvent } from './queries.ts';

const event = (videoId: string, startS: number) => ({ id: `${videoId}${startS}`, videoId, startS }) as BatchEvent;

test('events are grouped by video: most events first, then in the order of the question', () => {
  const events = [event('b', 3), event('c', 1), event('a', 1), event('c', 0), event('c', 5)];
  const groups = groupByVideo(events, [event('a', 9), event('d', 1)], ['a', 'b', 'c', 'd']);
  expect(
    groups.map(({ videoId, events: own, candidates }) => [videoId, own.map(({ startS }) => startS), candidates.length]),
  ).toEqual([
    ['c', [0, 1, 5], 0],
    ['a', [1], 1],
    ['b', [3], 0],
  ]);
});

describe('rows of a grid', () => {
  const pack = (sizes: number[], columns: number) =>
    packGroups(
      sizes.map((size, id) => ({ id, size })),
      ({ size }) => size,
      columns,
    ).map((row) => row.map(({ group, from, to, isFirst }) => `${group.id}:${from}-${to}${isFirst ? '' : ' more'}`));

  test.each([
    [[4, 2, 2, 1], 5, [['0:0-4'], ['1:0-2', '2:0-2', '3:0-1']]],
    [[7, 1], 3, [['0:0-3'], ['0:3-6 more'], ['0:6-7 more'], ['1:0-1']]],
    [[3, 3], 3, [['0:0-3'], ['1:0-3']]],
    [[2, 1], 1, [['0:0-1'], ['0:1-2 more'], ['1:0-1']]],
    [[], 4, []],
  ])('of %j tiles in %i columns', (sizes, columns, rows) => {
    expect(pack(sizes, columns)).toEqual(rows);
  });

  test('contain each tile once, and never more than fit', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const columns = 1 + (seed % 7);
      const sizes = Array.from({ length: seed % 13 }, (_, index) => 1 + ((seed * 31 + index * 17) % 11));
      const rows = packGroups(sizes, (size) => size, columns);
      const widths = rows.map((row) => row.reduce((sum, { from, to }) => sum + to - from, 0));
      expect(Math.max(0, ...widths)).toBeLessThanOrEqual(columns);
      expect(widths.reduce((sum, width) => sum + width, 0)).toBe(sizes.reduce((sum, size) => sum + size, 0));
      expect(rows.flat().filter(({ isFirst }) => isFirst).length).toBe(sizes.length);
    }
  });
});
