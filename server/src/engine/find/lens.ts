import type { Signals } from '../observe/observations.ts';
import { median, mergeGaps, quantile, smooth, subtract } from './intervals.ts';
import { blacks, cuts, dissolves, fades } from './shots.ts';
import { type Shown, state } from './shown.ts';
import { LIMITS, STATES } from './thresholds.ts';

/** The same picture again and again. */
export function frozen(s: Signals): Shown[] {
  const black = blacks(s);
  const difference = withoutKeyframes(s.difference);
  const found = state(s, difference, STATES.frozen, 'difference between frames', LIMITS.frozenMin.limit, 0.1, {
    gapS: 0,
  });
  return subtract(found, black).flatMap((span) => {
    if (s.timeS[span.to]! - s.timeS[span.from]! < LIMITS.frozenMin.limit) return [];
    // A picture of which each frame differs a little is a still scene.
    if (median(difference.subarray(span.from, span.to + 1)) > STATES.frozen.enter) return [];
    const whole = found.find((f) => f.from <= span.from && f.to >= span.to)!;
    return [{ ...whole, ...span, best: span.from, margin: Math.min(whole.margin, 0.5) }];
  });
}

/**
 * Differences without those of a frozen picture that is coded anew, as keyframes are: a single one among many that hardly differ. The first frame, which has none
 * before it, gets the second one's.
 */
function withoutKeyframes(difference: Float32Array): Float64Array {
  const result = Float64Array.from(difference);
  if (result.length > 1) result[0] = result[1]!;
  const { limit } = LIMITS.frozenAround;
  let [still, spike] = [0, -1];
  for (let i = 0; i < result.length; i++) {
    if (result[i]! <= STATES.frozen.leave) {
      still++;
      if (spike >= 0 && i - spike === limit) result[spike] = 0;
      continue;
    }
    spike = still >= limit && result[i]! < LIMITS.recoded.limit ? i : -1;
    still = 0;
  }
  return result;
}

/** Sharpness divided by contrast, against what is usual in the same shot: shots of one film differ by more than focus does. */
export function blurred(s: Signals): Shown[] {
  const clean = Float64Array.from(s.sharpness, (v, i) => v / (s.contrast[i]! ** 2 + 25));
  const isLit = (i: number) => s.dark[i]! < 0.9;
  const ratio = new Float64Array(clean.length).fill(1);
  const joins = [...cuts(s), ...dissolves(s), ...blacks(s)].map(({ to }) => to).toSorted((a, b) => a - b);
  const starts = [0, ...joins, clean.length];
  for (const [shot, from] of starts.slice(0, -1).entries()) {
    const to = starts[shot + 1]!;
    const usual = median(clean.subarray(from, to).filter((_, at) => isLit(from + at)));
    for (let i = from; usual > 0 && i < to; i++) if (isLit(i)) ratio[i] = clean[i]! / usual;
  }
  const even = smooth(ratio, s.timeS, 0.3);
  return state(s, even, STATES.blurred, 'sharpness', LIMITS.stateMin.limit, 0.2).map((shown) => ({
    ...shown,
    margin: Math.min(shown.margin, 0.6),
  }));
}

/** Something close in front of the lens leaves next to no structure, and none of it sharp: asphalt from above is as flat, and has its grain. */
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
      .filter(({ from, to }) => median(s.sharpness.subarray(from, to + 1)) <= LIMITS.coveredSharpness.limit)
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
