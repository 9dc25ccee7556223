import type { Signals } from '../../observe/observations.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { median, mergeGaps, quantile, smooth, subtract } from '../time/intervals.ts';
import { findState, type SignalInterval } from '../time/signal-intervals.ts';
import { findBlackFrames, findCuts, findDissolves, findFades } from './shots.ts';

/** Repeated frames. */
export function findFrozenFrames(s: Signals): SignalInterval[] {
  const black = findBlackFrames(s);
  const difference = withoutKeyframes(s.difference);
  const found = findState(s, difference, STATES.frozen, 'difference between frames', LIMITS.frozenMin.limit, 0.1, {
    gapS: 0,
  });
  return subtract(found, black).flatMap((span) => {
    if (s.timeS[span.to]! - s.timeS[span.from]! < LIMITS.frozenMin.limit) return [];
    // If every frame differs a little, it is a still scene.
    if (median(difference.subarray(span.from, span.to + 1)) > STATES.frozen.enter) return [];
    const whole = found.find((f) => f.from <= span.from && f.to >= span.to)!;
    return [{ ...whole, ...span, best: span.from, margin: Math.min(whole.margin, 0.5) }];
  });
}

/**
 * Frame differences without those of a keyframe in a frozen video, which is the same frame encoded again: a single
 * difference among many near zero. The first frame gets the difference of the second.
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

/** Low sharpness per contrast, relative to the median of the shot: shots differ by more than focus does. */
export function findBlur(s: Signals): SignalInterval[] {
  const normalized = Float64Array.from(s.sharpness, (v, i) => v / (s.contrast[i]! ** 2 + 25));
  const isLit = (i: number) => s.dark[i]! < 0.9;
  const ratio = new Float64Array(normalized.length).fill(1);
  const joins = [...findCuts(s), ...findDissolves(s), ...findBlackFrames(s)]
    .map(({ to }) => to)
    .toSorted((a, b) => a - b);
  const starts = [0, ...joins, normalized.length];
  for (const [shot, from] of starts.slice(0, -1).entries()) {
    const to = starts[shot + 1]!;
    const usual = median(normalized.subarray(from, to).filter((_, at) => isLit(from + at)));
    for (let i = from; usual > 0 && i < to; i++) if (isLit(i)) ratio[i] = normalized[i]! / usual;
  }
  const smoothed = smooth(ratio, s.timeS, 0.3);
  return findState(s, smoothed, STATES.blurred, 'sharpness', LIMITS.stateMin.limit, 0.2).map((interval) => ({
    ...interval,
    margin: Math.min(interval.margin, 0.6),
  }));
}

/**
 * An object close to the lens leaves low contrast and no sharp detail. Asphalt seen from above has as little contrast,
 * but it is sharp.
 */
export function findCoveredLens(s: Signals): SignalInterval[] {
  // Contrast of the unobstructed view, even if that is only a part of the video. A view that is always flat (fog, a
  // wall) is not covered.
  const usual = quantile(s.contrast, 0.85);
  if (usual < STATES.covered.leave) return [];
  const found = findState(s, smooth(s.contrast, s.timeS, 0.2), STATES.covered, 'contrast', LIMITS.stateMin.limit, 6, {
    edges: { values: s.contrast, windowS: 0.2 },
  });
  // Black frames and fades are flat for another reason.
  const black = [...findBlackFrames(s), ...findFades(s, 'fade_in'), ...findFades(s, 'fade_out')].toSorted(
    (p, q) => p.from - q.from,
  );
  return found.flatMap((whole) =>
    subtract([whole], mergeGaps(black, s.timeS, 0.2))
      .filter((span) => s.timeS[span.to]! - s.timeS[span.from]! >= LIMITS.stateMin.limit)
      .filter(({ from, to }) => median(s.sharpness.subarray(from, to + 1)) <= LIMITS.coveredSharpness.limit)
      .map((span) => ({ ...whole, ...span, best: (span.from + span.to) >> 1 })),
  );
}

/** Motion of the whole frame that changes direction within the smoothing window. */
export function findShaking(s: Signals): SignalInterval[] {
  const w = LIMITS.smoothing.limit;
  const [mx, my] = [smooth(s.globalX, s.timeS, w), smooth(s.globalY, s.timeS, w)];
  const energy = mx.map((x, i) => (s.globalX[i]! - x) ** 2 + (s.globalY[i]! - my[i]!) ** 2);
  const rms = smooth(energy, s.timeS, w).map(Math.sqrt);
  return findState(s, rms, STATES.shaking, 'shake', LIMITS.stateMin.limit, 0.2, { gapS: 0.5 });
}
