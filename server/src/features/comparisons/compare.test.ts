import { expect, test } from 'vitest';
import { compareVideo } from './compare.ts';
import { matchIntervals } from './matching.ts';
import type { ComparedEvent } from './types.ts';

let position = 0;
const event = (analysisId: string, startS: number, endS: number, more: Partial<ComparedEvent> = {}): ComparedEvent => ({
  analysisId,
  position: position++,
  startS,
  endS,
  approval: 'pending',
  added: false,
  corrected: { startS, endS },
  ...more,
});
const approved = { approval: 'approved' } as const;
const rejected = { approval: 'rejected' } as const;

test('events match by overlap or close edges, the best pairs first, each once', () => {
  const [long, short] = [
    { startS: 0, endS: 10 },
    { startS: 9, endS: 12 },
  ];
  const shifted = { startS: 8.5, endS: 12.5 };
  expect(matchIntervals([long, short], [shifted])).toEqual([{ a: short, b: shifted }]);
  expect(matchIntervals([long], [shifted])).toEqual([]);
  expect(matchIntervals([{ startS: 4, endS: 4.1 }], [{ startS: 4.6, endS: 4.9 }])).toHaveLength(1);
});

test('an undecided event is right at the time of an approved one, and wrong at that of a rejected one', () => {
  const { baseline, candidate, unchanged, differences } = compareVideo({
    baseline: [event('a', 0, 4, approved), event('a', 10, 14, rejected), event('a', 30, 34, approved)],
    candidate: [event('b', 1, 4), event('b', 10, 13), event('b', 20, 24)],
    clear: [],
  });
  expect(baseline).toMatchObject({ right: 2, wrong: 1, undecided: 0, missed: 0, overlaps: [1, 1] });
  expect(candidate).toMatchObject({ right: 1, wrong: 1, undecided: 1, missed: 1, overlaps: [0.75] });
  expect(unchanged).toBe(2);
  expect(differences.map(({ change, judgment }) => [change, judgment])).toEqual([
    ['disappeared', 'right'],
    ['appeared', 'undecided'],
  ]);
});

test('missed events that people added are events that the changed query may find', () => {
  const missed = event('a', 5, 8, { ...approved, added: true });
  const result = compareVideo({ baseline: [missed], candidate: [event('b', 5, 8)], clear: [] });
  expect(result.baseline).toMatchObject({ right: 0, missed: 1 });
  expect(result.candidate).toMatchObject({ right: 1, missed: 0 });
  expect(result.differences).toMatchObject([{ change: 'appeared', judgment: 'right' }]);
});

test('verdicts on the changed answer count for both', () => {
  const result = compareVideo({
    baseline: [event('a', 0, 4), event('a', 20, 22)],
    candidate: [event('b', 0, 4, { ...approved, corrected: { startS: 0, endS: 5 } }), event('b', 20, 22, rejected)],
    clear: [],
  });
  expect(result.baseline).toMatchObject({ right: 1, wrong: 1, overlaps: [0.8] });
  expect(result.candidate).toMatchObject({ right: 1, wrong: 1, overlaps: [0.8] });
});

test('an event that both analyses show approved is one, and a second one at its time stays undecided', () => {
  const result = compareVideo({
    baseline: [event('a', 0, 4, approved)],
    candidate: [event('b', 0, 4, approved), event('b', 0.5, 4)],
    clear: [],
  });
  expect(result.baseline).toMatchObject({ right: 1, missed: 0 });
  expect(result.candidate).toMatchObject({ right: 1, undecided: 1, missed: 0 });
});

test('an event that starts in a range without events is wrong', () => {
  const clear = [{ startS: 40, endS: 50 }];
  const result = compareVideo({ baseline: [], candidate: [event('b', 44, 60), event('b', 50, 52)], clear });
  expect(result.candidate).toMatchObject({ wrong: 1, undecided: 1 });
});
