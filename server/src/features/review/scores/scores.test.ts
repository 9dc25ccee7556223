import { expect, test } from 'vitest';
import { drawSamples, listGaps } from '../samples/drawing.ts';
import { estimateRecall, type SampledCounts } from '../samples/estimate.ts';
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
  query: 'a car',
  engineVersion: '1',
  folderId: null,
  folderName: null,
  bin: 8,
  approved: 0,
  rejected: 0,
  unsure: 0,
  pending: 0,
  added: 0,
  confidence: 0,
  overlap: 0,
  overlapSquares: 0,
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

const counts = (more: Partial<SampledCounts>): SampledCounts => ({
  query: 'a car',
  engineVersion: '1',
  folderId: null,
  folderName: null,
  ranges: 0,
  missed: 0,
  events: more.missed ?? 0,
  sampledS: 0,
  unmatchedS: 0,
  approved: 0,
  rejected: 0,
  pending: 0,
  added: 0,
  ...more,
});

test('recall is unknown until somebody added a missed event, not perfect', () => {
  const [score] = toScores([bin({ bin: 9, approved: 10, confidence: 9.5 })]);
  expect(score).toMatchObject({ approved: 10, added: 0, recall: null });
});

test('recall from samples scales the share of missed events to all time without events', () => {
  const sampled = { ranges: 50, missed: 5, sampledS: 500, unmatchedS: 2_000 };
  const estimate = estimateRecall(counts({ ...sampled, approved: 80, rejected: 20 }))!;
  expect(estimate.missedEvents.value).toBeCloseTo(20, 9);
  expect(estimate.recall!.value).toBeCloseTo(0.8, 9);
  const share = wilson(5, 50)!;
  expect(estimate.recall!.low).toBeCloseTo(80 / (80 + share.high * 200), 9);
  expect(estimate.recall!.high).toBeCloseTo(80 / (80 + share.low * 200), 9);
  // Undecided events are right as often as decided ones; added events were certainly missed.
  const more = estimateRecall(counts({ ...sampled, approved: 8, rejected: 2, pending: 10, added: 30 }))!;
  expect(more.missedEvents).toMatchObject({ value: 30 });
  expect(more.recall!.value).toBeCloseTo(16 / 46, 9);
  expect(more.recall!.low).toBeLessThan(more.recall!.value);
  // Several missed events in a range all count.
  const crowded = estimateRecall(counts({ ...sampled, events: 10, approved: 80, rejected: 20 }))!;
  expect(crowded.missedEvents.value).toBeCloseTo(40, 9);
  expect(crowded.recall!.value).toBeCloseTo(2 / 3, 9);
  expect(estimateRecall(counts({ ...sampled, pending: 4 }))!.recall).toBeNull();
  expect(estimateRecall(counts({ unmatchedS: 9, approved: 3 }))).toBeNull();
});

test('a prompt that found nothing has a score from its samples', () => {
  const samples = counts({ query: 'a cat', ranges: 4, missed: 2, sampledS: 40, unmatchedS: 40 });
  const scores = toScores([bin({ approved: 1 })], [samples]);
  expect(scores).toMatchObject([{ sampled: null }, { query: 'a cat', precision: null, sampled: { missed: 2 } }]);
});

test('ranges are the time that is not covered, drawn in proportion to their length', () => {
  const of = { analysisId: 'a', videoId: 'v', videoName: 'v', query: 'a car' };
  const covered = [
    { startS: 25, endS: 26 },
    { startS: 4, endS: 12 },
    { startS: 5, endS: 6 },
  ];
  const gaps = listGaps({ durationS: 40, covered }, 10);
  expect(gaps.map(({ startS, endS }) => [startS, endS])).toEqual([
    [0, 4],
    [12, 25],
    [26, 40],
  ]);
  expect(listGaps({ durationS: 20.5, covered: [] }, 10)).toEqual([{ startS: 0, endS: 20 }]);
  expect(listGaps({ durationS: 12.5, covered: [{ startS: 0, endS: 12 }] }, 10)).toEqual([]);
  // A generator of the test: the same draws in each run.
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const drawn = Array.from({ length: 2_000 }, () =>
    drawSamples([{ ...of, durationS: 40, covered }], { count: 1, lengthS: 10 }, random),
  );
  const long = drawn.filter(([sample]) => sample!.endS - sample!.startS === 10).length;
  expect(Math.abs(long / 2_000 - 20 / 31)).toBeLessThan(0.03);
  const all = drawSamples([{ ...of, durationS: 40, covered }], { count: 9, lengthS: 10 }, random);
  expect(all.map(({ startS, endS }) => [startS, endS]).toSorted((a, b) => a[0]! - b[0]!)).toEqual([
    [0, 4],
    [12, 22],
    [22, 25],
    [26, 36],
    [36, 40],
  ]);
  // Days of 500 videos have 21 million ranges.
  const days = Array.from({ length: 500 }, (_, i) => ({ ...of, analysisId: `a${i}`, durationS: 86_400, covered }));
  const many = drawSamples(days, { count: 100, lengthS: 2 }, random);
  expect(new Set(many.map(({ analysisId, startS }) => `${analysisId} ${startS}`)).size).toBe(100);
});

test('another engine version or folder is another score', () => {
  expect(toScores([bin({}), bin({ engineVersion: '2' }), bin({ folderId: 'f', approved: 1 })])).toHaveLength(3);
});
