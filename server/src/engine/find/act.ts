import type { ObjectWhat } from '../plan/index.ts';
import { round } from './hit.ts';
import type { Span } from './intervals.ts';
import type { TrackView } from './views.ts';

/** Entries of one track in which it does what is asked. */
export type Act = Span & {
  /** How far beyond the threshold, where there is one: 1 is clearly beyond. Null: nothing but the track itself says so. */
  margin: number | null;
  because: string;
  /** What was left open in the question and is known now. */
  found?: Partial<Pick<ObjectWhat, 'direction' | 'from' | 'to'>>;
};

/** First and last frame that were looked at: what is there then did not come or go. */
export type Watched = {
  firstS: number;
  lastS: number;
  /** Whether the camera's vehicle goes forward at a time. */
  drives: (timeS: number) => boolean;
  /** Whether the camera stands still at a time. */
  stands: (timeS: number) => boolean;
};

export const last = (view: TrackView) => view.track.frame.length - 1;
export const whole = (view: TrackView, because: string): Act => ({ from: 0, to: last(view), margin: null, because });
export const at = (seconds: number) => `${round(seconds)} s`;

/** Last entry at or before a time. */
export function entryAt(view: TrackView, timeS: number): number {
  let k = 0;
  while (k < last(view) && view.timeS[k + 1]! <= timeS + 1e-9) k++;
  return k;
}

/** Way against the scene between two entries: the sum of velocity × time. */
export function ownWay(view: TrackView, velocity: Float64Array, { from, to }: Span): number {
  let way = 0;
  for (let k = from + 1; k <= to; k++) way += velocity[k]! * (view.timeS[k]! - view.timeS[k - 1]!);
  return way;
}

export const lasts = (view: TrackView, span: Span) => view.timeS[span.to]! - view.timeS[span.from]!;
