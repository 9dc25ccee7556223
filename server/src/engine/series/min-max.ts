/** Parallel arrays: the time of the first sample of each interval, and the least and greatest value in it. */
export type MinMaxSeries = { timesS: number[]; min: number[]; max: number[]; samples: number };

/**
 * Reduces samples between two times to at most `points` intervals of equal length. Intervals without samples are left
 * out; NaN is ignored. No peak is lost.
 */
export function createMinMax({ fromS, toS, points }: { fromS: number; toS: number; points: number }) {
  const perS = points / Math.max(toS - fromS, Number.MIN_VALUE);
  const series: MinMaxSeries = { timesS: [], min: [], max: [], samples: 0 };
  let bucket = -1;
  return {
    /** Times must ascend. */
    add(timeS: number, value: number): void {
      if (timeS < fromS || timeS > toS || !Number.isFinite(value)) return;
      series.samples++;
      const at = Math.min(points - 1, Math.floor((timeS - fromS) * perS));
      const last = series.timesS.length - 1;
      if (at !== bucket) {
        bucket = at;
        series.timesS.push(timeS);
        series.min.push(value);
        series.max.push(value);
        return;
      }
      if (value < series.min[last]!) series.min[last] = value;
      if (value > series.max[last]!) series.max[last] = value;
    },
    series,
  };
}
