import { round } from '../../format.ts';
import type { Span } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import type { ActionInterval } from '../types.ts';

export const lastEntry = (view: TrackView) => view.track.frame.length - 1;

/** All entries of a track as one interval. */
export const wholeTrack = (view: TrackView, reason: string): ActionInterval => ({
  from: 0,
  to: lastEntry(view),
  margin: null,
  reason,
});

export const formatSeconds = (seconds: number) => `${round(seconds)} s`;

/** Last entry at or before a time. */
export function entryAtTime(view: TrackView, timeS: number): number {
  let k = 0;
  while (k < lastEntry(view) && view.timeS[k + 1]! <= timeS + 1e-9) k++;
  return k;
}

/** Signed distance covered relative to the scene, along the axis of `velocity`. */
export function sceneDistance(view: TrackView, velocity: Float64Array, { from, to }: Span): number {
  let distance = 0;
  for (let k = from + 1; k <= to; k++) distance += velocity[k]! * (view.timeS[k]! - view.timeS[k - 1]!);
  return distance;
}

/** Duration in seconds. */
export const durationOf = (view: TrackView, span: Span) => view.timeS[span.to]! - view.timeS[span.from]!;
