import type { AudioLevels } from '../../observe/observations.ts';
import { round } from '../format.ts';
import { LIMITS } from '../thresholds.ts';
import type { AudioInterval } from './levels.ts';

/** Finds sudden peaks, far above the level of the second before, that decay quickly. */
export function findBangs(s: AudioLevels): AudioInterval[] {
  const bangs: AudioInterval[] = [];
  const before = Math.max(1, Math.round(1 / s.stepS));
  for (let i = 2; i < s.levelDb.length; i++) {
    if (s.peakDb[i]! < LIMITS.bangPeak.limit) continue;
    const from = Math.max(0, i - before);
    let power = 0;
    for (let k = from; k < i; k++) power += 10 ** (s.levelDb[k]! / 10);
    const meanDb = 10 * Math.log10(power / (i - from) + 1e-12);
    const rise = s.levelDb[i]! - meanDb;
    if (rise < LIMITS.bangRise.limit) continue;
    // Music that starts, or a machine that is switched on, stays loud.
    const after = Math.round(LIMITS.bangDecay.limit / s.stepS);
    if (i + after >= s.levelDb.length || s.levelDb[i + after]! > s.levelDb[i]! - 8) continue;
    let to = i;
    while (to + 1 < s.levelDb.length && (to - i) * s.stepS < 1 && s.levelDb[to + 1]! > s.levelDb[i]! - 10) to++;
    bangs.push({
      from: i,
      to,
      best: i,
      margin: (rise - LIMITS.bangRise.limit) / 10,
      name: 'peak level',
      value: s.peakDb[i]!,
      threshold: LIMITS.bangPeak.limit,
      reason: `the level rose by ${round(rise, 1)} dB over the second before, to a peak of ${round(s.peakDb[i]!, 1)} dBFS`,
    });
    i = to + 1;
  }
  return bangs;
}
