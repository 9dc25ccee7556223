import type { Signals } from '../observe/observations.ts';
import type { Region, What } from '../plan/index.ts';
import type { Looked } from './hit.ts';
import { smooth } from './intervals.ts';
import { coverOf } from './place.ts';
import type { Scene } from './scene.ts';
import { picturedHits, state } from './shown.ts';
import { LIMITS, STATES } from './thresholds.ts';

/** Looks for anything that moves otherwise than the whole picture, anywhere or in one part of it. */
export function findMotion(what: Extract<What, { kind: 'motion' }>, scene: Scene): Looked {
  const { signals } = scene.observations;
  if (!signals) return { unavailable: 'the signals of the picture were not observed for this video' };
  const share = what.place ? regionShare(signals, what.place) : Float64Array.from(signals.localMotion);
  const values = smooth(share, signals.timeS, 0.3);
  const found = state(signals, values, STATES.motion, 'share of moving blocks', LIMITS.motionMin.limit, 0.03, {
    gapS: LIMITS.motionGap.limit,
  });
  const limits = what.place ? [`places are known to a grid of ${signals.regionColumns} by ${signals.regionRows}`] : [];
  return { hits: picturedHits(what, found, scene), by: ['signals (motion)'], limits, domain: scene.frames };
}

/** Mean of the cells that a place covers, weighted by how much of each it covers. */
function regionShare(s: Signals, place: Region): Float64Array {
  const cells: { index: number; weight: number }[] = [];
  for (let r = 0; r < s.regionRows; r++) {
    for (let c = 0; c < s.regionColumns; c++) {
      const [left, right] = [c / s.regionColumns, (c + 1) / s.regionColumns];
      const weight = coverOf(place, { left, right, top: r / s.regionRows, bottom: (r + 1) / s.regionRows });
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
