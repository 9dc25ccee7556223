import type { Track } from '../observe/observations.ts';
import type { Scene, TrackEvidence, TrackView } from './types.ts';

/**
 * Mean speed of an object relative to the scene, in its own lengths per second; null if it is in a single frame.
 */
export function paceOf({ track, from, to }: TrackEvidence, scene: Scene): number | null {
  if (to === from) return null;
  const { width, height } = scene.observations.video;
  const aspect = width / height;
  const { vx, vy } = viewOf(track, scene).motion();
  let sum = 0;
  for (let k = from; k <= to; k++)
    sum += Math.hypot(vx[k]! * aspect, vy[k]!) / Math.hypot(track.width[k]! * aspect, track.height[k]!);
  return sum / (to - from + 1);
}

const viewOf = ({ id }: Track, scene: Scene): TrackView =>
  [scene, ...scene.denseRanges].flatMap((part) => part.trackViews()).find(({ track }) => track.id === id)!;
