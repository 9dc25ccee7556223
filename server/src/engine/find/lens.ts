import type { Signals } from '../observe/observations.ts';
import { median, mergeGaps, quantile, smooth, subtract } from './intervals.ts';
import { blacks, fades } from './shots.ts';
import { type Shown, state } from './shown.ts';
import { LIMITS, STATES } from './thresholds.ts';

/** The same picture again and again. */
export function frozen(s: Signals): Shown[] {
  const black = blacks(s);
  const difference = Float64Array.from(s.difference);
  // The first frame has none before it.
  if (difference.length > 1) difference[0] = difference[1]!;
  const found = state(s, difference, STATES.frozen, 'difference between frames', LIMITS.frozenMin.limit, 0.1, {
    gapS: 0,
  });
  return subtract(found, black).flatMap((span) => {
    if (s.timeS[span.to]! - s.timeS[span.from]! < LIMITS.frozenMin.limit) return [];
    const whole = found.find((f) => f.from <= span.from && f.to >= span.to)!;
    return [{ ...whole, ...span, best: span.from, margin: Math.min(whole.margin, 0.5) }];
  });
}

/** Sharpness divided by contrast, against the video's own usual value. */
export function blurred(s: Signals): Shown[] {
  const clean = Float64Array.from(s.sharpness, (v, i) => v / (s.contrast[i]! ** 2 + 25));
  const lit = clean.filter((_, i) => s.dark[i]! < 0.9);
  const usual = median(lit);
  if (usual <= 0) return [];
  const ratio = smooth(
    clean.map((v, i) => (s.dark[i]! < 0.9 ? v / usual : 1)),
    s.timeS,
    0.3,
  );
  return state(s, ratio, STATES.blurred, 'sharpness', LIMITS.stateMin.limit, 0.2).map((shown) => ({
    ...shown,
    margin: Math.min(shown.margin, 0.6),
  }));
}

/** Something close in front of the lens leaves next to no structure. */
export function covered(s: Signals): Shown[] {
  // What it has when nothing is in the way, be that for a part of the video only. A picture that is always flat (fog, a wall) is not covered.
  const usual = quantile(s.contrast, 0.85);
  if (usual < STATES.covered.leave) return [];
  const found = state(s, smooth(s.contrast, s.timeS, 0.2), STATES.covered, 'contrast', LIMITS.stateMin.limit, 6, {
    edges: { values: s.contrast, windowS: 0.2 },
  });
  // Black, and the fades that lead to it, are flat for another reason.
  const black = [...blacks(s), ...fades(s, 'fade_in'), ...fades(s, 'fade_out')].toSorted((p, q) => p.from - q.from);
  return found.flatMap((whole) =>
    subtract([whole], mergeGaps(black, s.timeS, 0.2))
      .filter((span) => s.timeS[span.to]! - s.timeS[span.from]! >= LIMITS.stateMin.limit)
      .map((span) => ({ ...whole, ...span, best: (span.from + span.to) >> 1 })),
  );
}

/** Motion of the whole picture that changes direction within the smoothing window. */
export function shaking(s: Signals): Shown[] {
  const w = LIMITS.smoothing.limit;
  const [mx, my] = [smooth(s.globalX, s.timeS, w), smooth(s.globalY, s.timeS, w)];
  const energy = mx.map((x, i) => (s.globalX[i]! - x) ** 2 + (s.globalY[i]! - my[i]!) ** 2);
  const rms = smooth(energy, s.timeS, w).map(Math.sqrt);
  return state(s, rms, STATES.shaking, 'shake', LIMITS.stateMin.limit, 0.2, { gapS: 0.5 });
}
