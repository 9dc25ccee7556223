import { expect, test } from 'vitest';
import { meanInterval, wilson } from './intervals.ts';
import { type ScoredBin, toScores } from './scores.ts';

// Published values: Newcombe 1998, table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the Wilson interval of %i of %i is %f to %f', (hits, cases, low, high) => {
  const interval = wilson(hits, cases)!;
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('estimates of nothing are null, and of everything end at 1', () => {
  expect([wilson(0, 0), meanInterval(0, 0, 0)]).toEqual([null, null]);
  expect(wilson(5, 5)).toMatchObject({ value: 1, high: 1 });
});

const bin = (more: Partial<ScoredBin>): ScoredBin => ({
  ...{ query: 'a car', engineVersion: '1', folderId: null, folderName: null, bin: 8 },
  ...{ approved: 0, rejected: 0, unsure: 0, pending: 0, added: 0, confidence: 0, overlap: 0, overlapSquares: 0 },
  ...more,
});

test('bins of one prompt are one score, with calibration', () => {
  const [score, ...others] = toScores([
    bin({ bin: 9, approved: 9, rejected: 1, confidence: 9.5, overlap: 9, overlapSquares: 9 }),
    bin({ bin: 6, approved: 4, rejected: 6, confidence: 6.5, overlap: 2, overlapSquares: 1, added: 2 }),
  ]);
  expect(others).toEqual([]);
  expect(score).toMatchObject({ approved: 13, rejected: 7, added: 2, precision: { value: 0.65 } });
  expect(score!.recall!.value).toBeCloseTo(13 / 15, 12);
  expect(score!.overlap!.value).toBeCloseTo(11 / 13, 12);
  // (10 × |0.95 − 0.9| + 10 × |0.65 − 0.4|) / 20
  expect(score!.calibrationError).toBeCloseTo(0.15, 12);
  expect(score!.calibration.map(({ from, events }) => [from, events])).toEqual([
    [0.6, 10],
    [0.9, 10],
  ]);
});

test('another engine version or folder is another score', () => {
  expect(toScores([bin({}), bin({ engineVersion: '2' }), bin({ folderId: 'f', approved: 1 })])).toHaveLength(3);
});
