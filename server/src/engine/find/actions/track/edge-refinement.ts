import type { Edge, Signals, Track } from '../../../observe/observations.ts';
import { LIMITS, STATES } from '../../thresholds.ts';
import { indexAt } from '../../time/intervals.ts';
import type { FrameTime, Scene } from '../../types.ts';

/**
 * Refines the time at which an object enters or leaves. The detector recognizes it only when most of it is in the
 * frame, but the blocks at the edge move earlier. Walks from the first (or last) detection outwards, frame by frame, as
 * long as something moves at that edge of a frame from a still camera, and the object may still be there at its speed.
 */
export function refineFrameTime(track: Track, which: 'start' | 'end', scene: Scene): FrameTime {
  const { signals, objects } = scene.observations;
  const k = which === 'start' ? 0 : track.frame.length - 1;
  const frame = track.frame[k]!;
  const detected: FrameTime = { timeS: objects!.timeS[frame]!, pts: objects!.pts[frame]! };
  const edge = which === 'start' ? track.enteredFrom : track.leftTo;
  if (!signals || edge === null) return detected;
  const cells = cellsTowardsEdge(track, k, edge, signals);
  const step = which === 'start' ? -1 : 1;
  const maxS = Math.min(LIMITS.edgeCrossing.limit, crossingTime(track, k, edge, objects!.timeS));
  const hasOtherTrack = createOccupancyTest(track, scene);
  let i = indexAt(signals.timeS, detected.timeS);
  let best = i;
  for (i += step; i >= 0 && i < signals.timeS.length; i += step) {
    const timeS = signals.timeS[i]!;
    if (Math.abs(timeS - detected.timeS) > maxS) break;
    if (!isCameraStill(signals, i) || !hasMotion(signals, i, cells) || hasOtherTrack(timeS, cells, signals)) break;
    best = i;
  }
  if (best < 0) return detected;
  const refined: FrameTime = { timeS: signals.timeS[best]!, pts: signals.pts[best]! };
  // Never later than the first detection, never earlier than the last one.
  return (refined.timeS - detected.timeS) * step > 0 ? refined : detected;
}

/** Shadows and what follows an object move at the edge too, and speeds are measured on few boxes. */
const CROSSING_SLACK = 1.2;

/** Seconds that the side of the box away from the edge takes to the edge, at its speed beside this entry. */
function crossingTime(track: Track, k: number, edge: Edge, timeS: Float64Array): number {
  const isAcross = edge === 'left' || edge === 'right';
  const [center, size] = isAcross ? [track.x, track.width] : [track.y, track.height];
  const distanceAt = (at: number) =>
    edge === 'left' || edge === 'top' ? center[at]! + size[at]! / 2 : 1 - center[at]! + size[at]! / 2;
  const step = k === 0 ? 1 : -1;
  const secondsTo = (at: number) => Math.abs(timeS[track.frame[at]!]! - timeS[track.frame[k]!]!);
  let inside = k;
  while (track.frame[inside + step] !== undefined && secondsTo(inside + step) <= LIMITS.appearance.limit)
    inside += step;
  const speed = (distanceAt(inside) - distanceAt(k)) / Math.max(1e-9, secondsTo(inside));
  return speed > 0 ? (CROSSING_SLACK * distanceAt(k)) / speed : Number.POSITIVE_INFINITY;
}

type CellRange = { left: number; right: number; top: number; bottom: number };

/** Motion cells between the box and the edge, including those of the box. */
function cellsTowardsEdge(
  track: Track,
  k: number,
  edge: string,
  { regionRows: rows, regionColumns: columns }: Signals,
): CellRange {
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

function hasMotion(s: Signals, i: number, cells: CellRange): boolean {
  const size = s.regionRows * s.regionColumns;
  for (let r = cells.top; r <= cells.bottom; r++)
    for (let c = cells.left; c <= cells.right; c++)
      if (s.regions[i * size + r * s.regionColumns + c]! >= STATES.motion.enter * 2) return true;
  return false;
}

const isCameraStill = (s: Signals, i: number) =>
  Math.hypot(s.globalX[i]!, s.globalY[i]!) + Math.abs(s.zoom[i]!) / 2 < STATES.moving.enter;

/** Tests if another track is in a range of cells at a time: the motion there may then be its own. */
function createOccupancyTest(track: Track, { observations: { objects } }: Scene) {
  return (timeS: number, cells: CellRange, s: Signals): boolean => {
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
