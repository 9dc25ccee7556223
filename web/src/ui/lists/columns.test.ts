import { expect, test } from 'vitest';
import { fitColumns } from './columns.ts';

test.each([
  [354, 210, 2, 2],
  [354, 150, 1, 2],
  [100, 210, 1, 1],
  [1_208, 220, 1, 5],
  [2_330, 220, 1, 10],
  [3_608, 220, 1, 10],
])(
  'a width of %i pixels with tiles of at least %i, and at least %i columns, has %i',
  (width, minWidth, least, columns) => {
    expect(fitColumns(width, minWidth, 14, least)).toBe(columns);
  },
);
