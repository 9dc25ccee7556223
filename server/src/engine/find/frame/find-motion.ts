import type { Signals } from '../../observe/observations.ts';
import type { Region, Target } from '../../plan/index.ts';
import { always } from '../limits/index.ts';
import { coveredShare } from '../region-geometry.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { smooth } from '../time/intervals.ts';
import { findState, toSignalMatches } from '../time/signal-intervals.ts';
import type { Scene, StepResult } from '../types.ts';

/** Finds motion that differs from the motion of the whole frame, anywhere or in one region. */
export function findMotion(what: Extract<Target, { kind: 'motion' }>, scene: Scene): StepResult {
  const { signals } = scene.observations;
  if (!signals) return { unavailable: 'frame signals are not available for this video' };
  const share = what.place ? regionShare(signals, what.place) : Float64Array.from(signals.localMotion);
  const values = smooth(share, signals.timeS, 0.3);
  const found = findState(signals, values, STATES.motion, 'share of moving blocks', LIMITS.motionMin.limit, 0.03, {
    gapS: LIMITS.motionGap.limit,
  });
  const limits = always(
    ...(what.place
      ? [`the region is resolved to a grid of ${signals.regionColumns} by ${signals.regionRows} cells`]
      : []),
  );
  return { matches: toSignalMatches(what, found, scene), by: ['signals (motion)'], limits, frames: scene.frames };
}

/** Mean of the cells that a region covers, weighted by the covered share. */
function regionShare(s: Signals, place: Region): Float64Array {
  const cells: { index: number; weight: number }[] = [];
  for (let r = 0; r < s.regionRows; r++) {
    for (let c = 0; c < s.regionColumns; c++) {
      const [left, right] = [c / s.regionColumns, (c + 1) / s.regionColumns];
      const weight = coveredShare(place, { left, right, top: r / s.regionRows, bottom: (r + 1) / s.regionRows });
      if (weight > 0) cells.push({ index: r * s.regionColumns + c, weight });
    }
  }
  const total = cells.reduce((sum, cell) => sum + cell.weight, 0);
  const size = s.regionRows * s.regionColumns;
  const result = new Float64Array(s.timeS.length);
  for (let i = 0; i < result.length; i++) {
    let sum = 0;
    for (const { index, weight } of cells) sum += s.regions[i * size + index]! * weight;
    result[i] = total > 0 ? sum / total : 0;
  }
  return result;
}
