import { firstIndex, type Series } from './lanes.ts';

/** A series of min–max intervals as the API returns it. */
export type SeriesArrays = { times_s: readonly number[]; min: readonly number[]; max: readonly number[] };

export const toSeries = ({ times_s, min, max }: SeriesArrays, scale = 1): Series => ({
  times: Float64Array.from(times_s),
  low: Float32Array.from(min, (value) => value * scale),
  high: Float32Array.from(max, (value) => value * scale),
});

/** Replaces the part of a series between two times with a more detailed one. */
export function spliceSeries(base: Series, detail: Series, from: number, to: number): Series {
  const start = firstIndex(base.times.length, (index) => base.times[index]! >= from);
  const end = firstIndex(base.times.length, (index) => base.times[index]! > to);
  const join = <T extends Float64Array | Float32Array>(make: new (length: number) => T, a: T, b: T): T => {
    const joined = new make(start + b.length + (a.length - end));
    joined.set(a.subarray(0, start) as T & ArrayLike<number>);
    joined.set(b as T & ArrayLike<number>, start);
    joined.set(a.subarray(end) as T & ArrayLike<number>, start + b.length);
    return joined;
  };
  return {
    times: join(Float64Array, base.times, detail.times),
    low: join(Float32Array, base.low, detail.low),
    high: join(Float32Array, base.high, detail.high),
  };
}

/**
 * The range to load in detail for a shown range: wider than it, and on a grid, so that small movements load nothing.
 * Null if the whole video is about as detailed.
 */
export function detailRange(
  shown: { start: number; end: number },
  duration: number,
): { from: number; to: number } | null {
  const span = shown.end - shown.start;
  if (span <= 0 || span > duration / 3) return null;
  const grid = 2 ** Math.ceil(Math.log2(span));
  const from = Math.max(0, Math.floor(shown.start / grid) * grid - grid / 2);
  return { from, to: Math.min(duration, from + 3 * grid) };
}
