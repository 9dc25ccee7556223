import { expect, test } from 'vitest';
import type { LiveEvent } from '../types.ts';
import { addCoverage, type CoverageRow, coverageAnswer } from './coverage.ts';
import { addSkipped, limitRanges, type PendingRange } from './ranges.ts';

const FOUND = { search: 'a person', text: 'person', status: 'looked_for' as const, by: ['objects'], reason: null };
const event = (query: string) => ({ data: { query } }) as unknown as LiveEvent;

test('coverage grows over the session, and states each reason with its times', () => {
  let rows: CoverageRow[] = [];
  for (let i = 0; i < 10; i++) {
    const found = i === 4 ? { ...FOUND, status: 'partly' as const, reason: 'fewer frames' } : { ...FOUND, findings: 0 };
    rows = addCoverage(rows, [{ ...found, findings: 0 }], i * 2, i * 2 + 2);
  }
  expect(rows[0]!.intervals).toHaveLength(3);
  const skipped = [{ fromS: 20, untilS: 26, reason: 'skipped' }];
  const [row] = coverageAnswer(rows, skipped, [event('a person'), event('a person'), event('a dog')]);
  expect(row).toMatchObject({ status: 'partly', findings: 2, from_s: 0, until_s: 26, analysed_s: 20 });
  expect(row!.reason).toBe('fewer frames (00:08 to 00:10); skipped (00:20 to 00:26)');
  expect(row!.intervals).toHaveLength(4);

  // Once it is caught up on, the range is covered like the rest, whenever that was.
  const [whole] = coverageAnswer(addCoverage(rows, [{ ...FOUND, findings: 0 }], 20, 26), [], []);
  expect(whole).toMatchObject({ until_s: 26, analysed_s: 26, findings: 0 });
  expect(whole!.intervals).toHaveLength(3);
});

test('a query that was replaced keeps its coverage', () => {
  const first = addCoverage([], [{ ...FOUND, findings: 0 }], 0, 2);
  const both = addCoverage(first, [{ ...FOUND, search: 'a dog', text: 'dog', findings: 0 }], 2, 4);
  expect(coverageAnswer(both, [], [])).toMatchObject([
    { text: 'person', from_s: 0, until_s: 2 },
    { text: 'dog', from_s: 2, until_s: 4 },
  ]);
});

test('what is kept of skipped ranges has its limits, and no range is lost', () => {
  const told = [{ id: 'e', going: true }] as PendingRange['told'];
  const range = (i: number): PendingRange => ({
    ...{ from: i * 10, until: i * 10 + 5, fromS: i * 20, untilS: i * 20 + 10, seconds: 10 },
    ...{ told, contextFrom: i * 10 - 3, after: [] },
  });
  const many = Array.from({ length: 400 }, (_, i) => range(i));
  const { pending, skipped, givenUp } = limitRanges(many, []);
  expect(pending).toHaveLength(300);
  expect(pending.filter(({ contextFrom, from }) => contextFrom < from)).toHaveLength(12);
  expect(skipped).toHaveLength(100);
  expect(givenUp).toHaveLength(388);
  const all = addSkipped(
    skipped,
    ...Array.from({ length: 400 }, (_, i) => ({ fromS: 9_000 + i, untilS: 9_001 + i, reason: 'x' })),
  );
  expect(all).toHaveLength(300);
  expect([all[0]!.fromS, all.at(-1)!.untilS]).toEqual([0, 9_400]);
});
