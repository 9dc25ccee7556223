import { expect, test } from 'vitest';
import type { LiveEvent } from '../types.ts';
import { addCoverage, type LiveCoverageRow, toCoverage } from './coverage.ts';
import { addSkippedRanges, limitRanges, type PendingRange } from './skipped-ranges.ts';

const FOUND = { search: 'a person', text: 'person', status: 'looked_for' as const, by: ['objects'], reason: null };
const event = (query: string) => ({ data: { query } }) as unknown as LiveEvent;

test('coverage grows over the session, and states each reason with its times', () => {
  let rows: LiveCoverageRow[] = [];
  for (let i = 0; i < 10; i++) {
    const found = i === 4 ? { ...FOUND, status: 'partly' as const, reason: 'fewer frames' } : { ...FOUND, findings: 0 };
    rows = addCoverage(rows, [{ ...found, findings: 0 }], i * 2, i * 2 + 2);
  }
  expect(rows[0]!.intervals).toHaveLength(3);
  const skipped = [{ fromS: 20, untilS: 26, reason: 'skipped' }];
  const [row] = toCoverage(rows, skipped, [event('a person'), event('a person'), event('a dog')]);
  expect(row).toMatchObject({ status: 'partly', findings: 2, fromS: 0, untilS: 26, analysedS: 20 });
  expect(row!.reason).toBe('fewer frames (00:08 to 00:10); skipped (00:20 to 00:26)');
  expect(row!.intervals).toHaveLength(4);

  // Once it is caught up on, the range is covered like the rest, whenever that was.
  const [whole] = toCoverage(addCoverage(rows, [{ ...FOUND, findings: 0 }], 20, 26), [], []);
  expect(whole).toMatchObject({ untilS: 26, analysedS: 26, findings: 0 });
  expect(whole!.intervals).toHaveLength(3);
});

test('a query that was replaced keeps its coverage', () => {
  const first = addCoverage([], [{ ...FOUND, findings: 0 }], 0, 2);
  const both = addCoverage(first, [{ ...FOUND, search: 'a dog', text: 'dog', findings: 0 }], 2, 4);
  expect(toCoverage(both, [], [])).toMatchObject([
    { text: 'person', fromS: 0, untilS: 2 },
    { text: 'dog', fromS: 2, untilS: 4 },
  ]);
});

test('skipped ranges are limited, and none is lost', () => {
  const reportedEvents = [{ id: 'e', going: true }] as PendingRange['reportedEvents'];
  const range = (i: number): PendingRange => ({
    from: i * 10,
    until: i * 10 + 5,
    fromS: i * 20,
    untilS: i * 20 + 10,
    seconds: 10,
    reportedEvents,
    contextFrom: i * 10 - 3,
    eventsAfter: [],
  });
  const many = Array.from({ length: 400 }, (_, i) => range(i));
  const { pending, skipped, givenUp } = limitRanges(many, []);
  expect(pending).toHaveLength(300);
  expect(pending.filter(({ contextFrom, from }) => contextFrom < from)).toHaveLength(12);
  expect(skipped).toHaveLength(100);
  expect(givenUp).toHaveLength(388);
  const all = addSkippedRanges(
    skipped,
    ...Array.from({ length: 400 }, (_, i) => ({ fromS: 9_000 + i, untilS: 9_001 + i, reason: 'x' })),
  );
  expect(all).toHaveLength(300);
  expect([all[0]!.fromS, all.at(-1)!.untilS]).toEqual([0, 9_400]);
});
