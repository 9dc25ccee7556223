import type { Signals, Track } from '../observe/observations.ts';
import type { Moment } from './hit.ts';
import { indexAt } from './intervals.ts';
import type { Scene } from './scene.ts';
import { LIMITS, STATES } from './thresholds.ts';

/**
 * A thing that comes over the edge is recognised only when enough of it is in the picture; the blocks that move there tell of it earlier. From the
 * first (or last) sight this walks outwards in time, frame by frame, as long as something moves at that edge of a standing camera's picture.
 */
export function refineEdge(track: Track, which: 'start' | 'end', scene: Scene): Moment {
  const { signals, objects } = scene.observations;
  const k = which === 'start' ? 0 : track.frame.length - 1;
  const frame = track.frame[k]!;
  const seen: Moment = { timeS: objects!.timeS[frame]!, pts: objects!.pts[frame]! };
  const edge = which === 'start' ? track.enteredFrom : track.leftTo;
  if (!signals || edge === null) return seen;
  const cells = cellsAt(track, k, edge, signals);
  const step = which === 'start' ? -1 : 1;
  const quiet = othersAt(track, scene);
  let i = indexAt(signals.timeS, seen.timeS);
  let best = i;
  for (i += step; i >= 0 && i < signals.timeS.length; i += step) {
    if (Math.abs(signals.timeS[i]! - seen.timeS) > LIMITS.entering.limit) break;
    if (!stands(signals, i) || !moves(signals, i, cells) || quiet(signals.timeS[i]!, cells, signals)) break;
    best = i;
  }
  if (best < 0) return seen;
  const found: Moment = { timeS: signals.timeS[best]!, pts: signals.pts[best]! };
  // Never later than the first sight, never earlier than the last.
  return (found.timeS - seen.timeS) * step > 0 ? found : seen;
}

type Cells = { left: number; right: number; top: number; bottom: number };

/** The regions between the box and the edge, the box's own included. */
function cellsAt(track: Track, k: number, edge: string, { regionRows: rows, regionColumns: columns }: Signals): Cells {
  const [x, y, w, h] = [track.x[k]!, track.y[k]!, track.width[k]! / 2, track.height[k]! / 2];
  const column = (v: number) => Math.max(0, Math.min(columns - 1, Math.floor(v * columns)));
  const row = (v: number) => Math.max(0, Math.min(rows - 1, Math.floor(v * rows)));
  return {
    left: edge === 'left' ? 0 : column(x - w),
    right: edge === 'right' ? columns - 1 : column(x + w - 1e-6),
    top: edge === 'top' ? 0 : row(y - h),
    bottom: edge === 'bottom' ? rows - 1 : row(y + h - 1e-6),
  };
}

function moves(s: Signals, i: number, cells: Cells): boolean {
  const size = s.regionRows * s.regionColumns;
  for (let r = cells.top; r <= cells.bottom; r++)
    for (let c = cells.left; c <= cells.right; c++)
      if (s.regions[i * size + r * s.regionColumns + c]! >= STATES.motion.enter * 2) return true;
  return false;
}

const stands = (s: Signals, i: number) =>
  Math.hypot(s.globalX[i]!, s.globalY[i]!) + Math.abs(s.zoom[i]!) / 2 < STATES.moving.enter;

/** Whether another thing is in those regions at a time: then the motion may be its own. */
function othersAt(track: Track, { observations: { objects } }: Scene) {
  return (timeS: number, cells: Cells, s: Signals): boolean => {
    const f = indexAt(objects!.timeS, timeS);
    return objects!.tracks.some((other) => {
      if (other === track || other.id === track.id) return false;
      const j = f - other.frame[0]!;
      const k = other.frame[j] === f ? j : other.frame.indexOf(f);
      if (k < 0) return false;
      const [x, y] = [other.x[k]! * s.regionColumns, other.y[k]! * s.regionRows];
      return x >= cells.left && x <= cells.right + 1 && y >= cells.top && y <= cells.bottom + 1;
    });
  };
}
