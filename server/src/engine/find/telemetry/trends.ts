import type { Trend } from '../../plan/index.ts';
import { quantile, type Span } from '../time/intervals.ts';

/** Change of a value from its lowest to its highest point, or the other way. */
export type Swing = Span & { change: number };

/** Smallest swing, as a share of the range of the values, and in steps between neighboring samples. */
const SHARE_OF_RANGE = 0.1;
const NOISE_STEPS = 4;
/** Share of a swing at either end that is not yet part of it: values before and after it are never quite constant. */
const EDGE = 0.05;

/**
 * Swings of a value between its turning points, each larger than noise: at least a tenth of the range of all values,
 * and four times what samples usually differ by.
 */
export function findSwings(values: ArrayLike<number>): Swing[] {
  const n = values.length;
  if (n < 2) return [];
  const range = quantile(values, 1) - quantile(values, 0);
  const steps = Float64Array.from({ length: n - 1 }, (_, i) => Math.abs(values[i + 1]! - values[i]!));
  const least = Math.max(range * SHARE_OF_RANGE, NOISE_STEPS * quantile(steps, 0.5));
  if (!(range > 0) || range < least) return [];
  const pivots = turningPoints(values, least);
  return pivots.slice(1).flatMap((to, i) => {
    const from = pivots[i]!;
    const change = values[to]! - values[from]!;
    return Math.abs(change) >= least ? [{ ...trimmed(values, { from, to }, change), change }] : [];
  });
}

/** Places at which a value turns back by at least `least`, with the first and the last one. */
function turningPoints(values: ArrayLike<number>, least: number): number[] {
  const pivots: number[] = [];
  let [low, high, sign] = [0, 0, 0];
  for (let i = 1; i < values.length; i++) {
    if (values[i]! <= values[low]!) low = i;
    if (values[i]! > values[high]!) high = i;
    if (sign >= 0 && values[high]! - values[i]! >= least) {
      pivots.push(high);
      [sign, low, high] = [-1, i, i];
    } else if (sign <= 0 && values[i]! - values[low]! >= least) {
      pivots.push(low);
      [sign, low, high] = [1, i, i];
    }
  }
  if (sign !== 0) pivots.push(sign > 0 ? high : low);
  return pivots;
}

/** A swing without the time at its ends in which the value hardly changes. */
function trimmed(values: ArrayLike<number>, { from, to }: Span, change: number): Span {
  const share = (i: number) => (values[i]! - values[from]!) / change;
  let [first, last] = [from, to];
  for (let i = from; i <= to; i++) if (share(i) <= EDGE) first = i;
  for (let i = to; i > first; i--) if (share(i) >= 1 - EDGE) last = i;
  return { from: first, to: last };
}

/** True if a swing is one of a trend; `constant` is the time without any. */
export const isOfTrend = ({ change }: Swing, trend: Trend): boolean =>
  trend === 'rises' ? change > 0 : trend === 'falls' ? change < 0 : true;
