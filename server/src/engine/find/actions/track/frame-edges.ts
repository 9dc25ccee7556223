import type { Edge, Track } from '../../../observe/observations.ts';
import { LIMITS } from '../../thresholds.ts';

/** Frame edges that the box of a track touches at an entry, the closest first. */
export function edgesAt(track: Track, k: number): Edge[] {
  const [w, h] = [track.width[k]! / 2, track.height[k]! / 2];
  const gaps: [Edge, number][] = [
    ['left', track.x[k]! - w],
    ['right', 1 - track.x[k]! - w],
    ['top', track.y[k]! - h],
    ['bottom', 1 - track.y[k]! - h],
  ];
  return gaps
    .filter(([, gap]) => gap < LIMITS.nearEdge.limit)
    .sort(([, a], [, b]) => a - b)
    .map(([edge]) => edge);
}

/** Closest frame edge that the box touches; null if there is none. */
export const edgeAt = (track: Track, k: number): Edge | null => edgesAt(track, k)[0] ?? null;

export const isAtEdge = (track: Track, k: number): boolean => edgesAt(track, k).length > 0;
