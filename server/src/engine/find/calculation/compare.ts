import type { CalculatedValue } from './calculate.ts';

type NumberValue = Extract<CalculatedValue, { kind: 'number' }>;

/** Times that differ by less are the same, in seconds. */
const SAME_S = 0.2;
/** Measured values that differ by less are the same, as a share of the larger one. */
const NOISE = 0.01;
/** A smaller difference between levels of sound is hardly noticed, in dB. */
const SAME_DB = 1;

/**
 * The order of two values. `open`: they differ by less than what may have been missed. Two values without anything
 * missed are compared exactly.
 */
export type Order = 'greater' | 'smaller' | 'equal' | 'open';

/** Compares two values by the ranges in which they may be, measured ones by the noise of measurements. */
export function compareValues(
  a: NumberValue,
  b: NumberValue,
  areTimes: boolean,
  measured: 'level' | 'other' | null = null,
): Order {
  if (measured === 'level' && Math.abs(a.value - b.value) < SAME_DB) return 'open';
  if (measured === 'other' && Math.abs(a.value - b.value) <= NOISE * Math.max(Math.abs(a.value), Math.abs(b.value)))
    return 'equal';
  if (areTimes && Math.abs(a.value - b.value) < SAME_S) return 'open';
  if (a.value === b.value && a.high === a.value && b.high === b.value) return 'equal';
  if (a.value > b.high) return 'greater';
  if (b.value > a.high) return 'smaller';
  return 'open';
}
