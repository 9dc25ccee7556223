import type { Signals } from '../../observe/observations.ts';
import { LIMITS } from '../thresholds.ts';
import { mergeGaps, runs, smooth } from '../time/intervals.ts';
import type { SignalInterval } from '../time/signal-intervals.ts';
import { approachRate } from './camera-speed.ts';
import { toInterval } from './rate-intervals.ts';

/** Jolts of the whole frame, and stops of the forward motion within less time than braking takes. */
export function findJolts(s: Signals): SignalInterval[] {
  const jolts = findPeaks(s, joltOf(s), LIMITS.jolt, 'jolt of the picture');
  const stops = findPeaks(s, suddenDrops(s), LIMITS.suddenStop, 'sudden loss of forward rate');
  return [...jolts, ...stops].toSorted((a, b) => a.from - b.from);
}

function findPeaks(
  s: Signals,
  values: Float64Array,
  { limit, unit }: { limit: number; unit: string },
  name: string,
): SignalInterval[] {
  const above = runs(values.length, (i) => values[i]! >= limit);
  return mergeGaps(above, s.timeS, LIMITS.stateMin.limit).map((span) => ({
    ...toInterval(s, span, values, { enter: limit, unit }, name),
    margin: 0,
  }));
}

/** Change of the motion of the image from one frame to the next, there and back: a pan only begins or ends. */
function joltOf({ globalX, globalY }: Signals): Float64Array {
  const n = globalX.length;
  const step = (i: number) => Math.hypot(globalX[i]! - globalX[i - 1]!, globalY[i]! - globalY[i - 1]!);
  return Float64Array.from({ length: n }, (_, i) => (i > 0 && i < n - 1 ? Math.min(step(i), step(i + 1)) : 0));
}

/** Share of the forward rate that is lost within less than a second. */
function suddenDrops(s: Signals): Float64Array {
  const rate = smooth(approachRate(s), s.timeS, LIMITS.measuredGap.limit / 2);
  const drop = new Float64Array(rate.length);
  let back = 0;
  for (let i = 0; i < rate.length; i++) {
    while (s.timeS[back]! < s.timeS[i]! - LIMITS.impactTime.limit * 2) back++;
    let least = Number.POSITIVE_INFINITY;
    // Driven evenly for a while before: single peaks are noise.
    for (let k = back; k >= 0 && s.timeS[k]! >= s.timeS[back]! - 1; k--) least = Math.min(least, rate[k]!);
    const isDriving = least >= LIMITS.brakeRate.limit && s.timeS[back]! - s.timeS[0]! >= 1;
    drop[i] = isDriving ? (least - Math.max(0, rate[i]!)) / least : 0;
  }
  return drop;
}
