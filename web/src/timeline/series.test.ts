import { describe, expect, test } from 'vitest';
import { valueAt, visibleColumns } from './drawing/bars.ts';
import { detailRange, spliceSeries, toSeries } from './splice.ts';

describe('series', () => {
  const series = {
    times: Float64Array.from({ length: 1000 }, (_, index) => index / 10),
    low: Float32Array.from({ length: 1000 }, (_, index) => index % 10),
    high: Float32Array.from({ length: 1000 }, (_, index) => (index % 10) + 1),
  };

  test('a value is that of its interval', () => {
    expect(valueAt(series, 0.55)).toEqual({ low: 5, high: 6 });
    expect(valueAt(series, -1)).toBeNull();
    expect(valueAt({ ...series, low: series.low.map(() => Number.NaN) }, 3)).toBeNull();
  });

  test('columns keep the extremes', () => {
    const { xs, low, high } = visibleColumns(series, { start: 0, end: 100, width: 100 });
    expect(xs.length).toBeLessThanOrEqual(101);
    expect([Math.min(...low), Math.max(...high)]).toEqual([0, 10]);
    const near = visibleColumns(series, { start: 10, end: 11, width: 1000 });
    expect(near.xs.length).toBeLessThan(14);
    expect(near.xs[0]).toBeLessThanOrEqual(0);
  });
});

describe('detail', () => {
  const series = (times: number[], value: number) =>
    toSeries({ times_s: times, min: times.map(() => value), max: times.map(() => value + 1) });

  test('replaces a range of a series and keeps the rest', () => {
    const joined = spliceSeries(series([0, 10, 20, 30, 40], 1), series([10, 12, 14, 16, 18, 20, 22], 5), 10, 25);
    expect([...joined.times]).toEqual([0, 10, 12, 14, 16, 18, 20, 22, 30, 40]);
    expect([...joined.low]).toEqual([1, 5, 5, 5, 5, 5, 5, 5, 1, 1]);
    expect([...joined.high]).toEqual([2, 6, 6, 6, 6, 6, 6, 6, 2, 2]);
  });

  test('is loaded for more than is shown, and not again for small movements', () => {
    expect(detailRange({ start: 0, end: 1000 }, 1000)).toBeNull();
    for (const start of [0, 3, 400, 985]) {
      const range = detailRange({ start, end: start + 10 }, 1000)!;
      expect(range.from).toBeLessThanOrEqual(start);
      expect(range.to).toBeGreaterThanOrEqual(Math.min(1000, start + 10));
      expect(range.to - range.from).toBeLessThan(60);
    }
    const ranges = [401, 402, 403, 404, 405].map((start) => detailRange({ start, end: start + 10 }, 1000));
    expect(new Set(ranges.map((range) => JSON.stringify(range))).size).toBe(1);
  });
});
