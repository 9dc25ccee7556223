import { expect, test } from 'vitest';
import { listDiscarded } from './discarded.ts';

const range = (from_s: number, until_s: number) => ({ from_s, until_s });
const discarded = (
  { retained = [], gaps = [], skipped = [] }: Partial<Record<'retained' | 'gaps' | 'skipped', object[]>>,
  discarded_s: number,
  unanswered_s = 0,
) =>
  listDiscarded({
    gaps,
    retained_spans: retained,
    analysis: { skipped },
    discarded_s,
    unanswered_s,
  } as unknown as Parameters<typeof listDiscarded>[0]).map(({ startS, endS }) => [startS, endS]);

test('they are before, between and after retained ranges, as far as that is decided', () => {
  const retained = [range(10, 20), range(40, 50)];
  expect(discarded({ retained }, 30)).toEqual([
    [0, 10],
    [20, 40],
  ]);
  expect(discarded({ retained }, 45)).toEqual([
    [0, 10],
    [20, 40],
    [50, 65],
  ]);
  expect(discarded({}, 0)).toEqual([]);
});

test('gaps and ranges that the analysis skipped for now are not discarded', () => {
  expect(discarded({ gaps: [range(10, 70)] }, 30)).toEqual([
    [0, 10],
    [70, 90],
  ]);
  const skipped = [range(20, 60)];
  expect(discarded({ retained: [range(60, 70)], skipped }, 25)).toEqual([
    [0, 20],
    [70, 75],
  ]);
  // The limit was reached, so that these were deleted.
  expect(discarded({ skipped }, 50, 40)).toEqual([[0, 50]]);
});

test('rounded times leave no range between others', () => {
  expect(discarded({ retained: [range(0.02, 10), range(10.01, 20)] }, 5)).toEqual([[20, 25]]);
});
