import type { Signals } from '../../observe/observations.ts';
import { LIMITS } from '../thresholds.ts';
import { hysteresis, mergeGaps, smooth } from '../time/intervals.ts';
import type { SignalInterval } from '../time/signal-intervals.ts';
import { approachRate, durationOf, findMovingSpans, measureCameraSpeed } from './camera-speed.ts';
import { toInterval } from './rate-intervals.ts';
import { findRolls } from './rotation.ts';

/** Forward motion that nearly stops within a few seconds. A change of scenery alone changes the rate by less. */
export function findBraking(s: Signals): SignalInterval[] {
  const rate = smooth(approachRate(s), s.timeS, 1);
  const n = rate.length;
  const drop = new Float64Array(n);
  let back = 0;
  for (let i = 0; i < n; i++) {
    while (s.timeS[back]! < s.timeS[i]! - 3) back++;
    let max = 0;
    for (let k = back; k <= i; k += 2) max = Math.max(max, rate[k]!);
    drop[i] = max >= LIMITS.brakeRate.limit ? (max - Math.max(0, rate[i]!)) / max : 0;
  }
  const limit = LIMITS.brakeDrop.limit;
  const moving = findMovingSpans(s, measureCameraSpeed(s));
  const rolls = findRolls(s, { kind: 'camera', move: 'rolls', direction: null });
  return mergeGaps(hysteresis(drop, { enter: limit, leave: limit / 4 }), s.timeS, 0.5).flatMap((span) => {
    const before = moving.find((m) => m.from < span.from && m.to >= span.from);
    if (durationOf(s, span) < LIMITS.stateMin.limit || !before) return [];
    if (s.timeS[span.from]! - s.timeS[before.from]! < 1) return [];
    // A rolled camera sees less of the road, which lowers the rate.
    if (rolls.some((roll) => roll.from <= span.to && roll.to >= before.from)) return [];
    if (!isSteady(s, rate, span.from)) return [];
    const threshold = { enter: limit, unit: 'of the forward rate' };
    return [{ ...toInterval(s, span, drop, threshold, 'loss of forward rate'), margin: 0 }];
  });
}

/** True if the forward rate was well above its deviation before. At night or over plain asphalt it is only noise. */
function isSteady(s: Signals, rate: Float64Array, at: number): boolean {
  let [n, sum, squares] = [0, 0, 0];
  for (let i = at; i >= 0 && s.timeS[i]! >= s.timeS[at]! - 4; i--) {
    if (s.timeS[i]! > s.timeS[at]! - 1) continue;
    n++;
    sum += rate[i]!;
    squares += rate[i]! ** 2;
  }
  if (n < 2) return false;
  const mean = sum / n;
  return mean >= LIMITS.brakeEven.limit * Math.sqrt(Math.max(0, squares / n - mean * mean));
}
