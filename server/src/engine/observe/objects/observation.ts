import type { LitInterval } from './attributes/lit-intervals.ts';

export type Objects = {
  /** Name of the detector and digest of its weights: `yolox_nano fd7193b8405b`. */
  model: string;
  /** Every class the detector knows, whether seen or not: what can be said to be absent. */
  classes: string[];
  /** Times of the sampled frames. */
  timeS: Float64Array;
  pts: Float64Array;
  tracks: Track[];
};

/**
 * One object tracked through the video. The arrays are parallel: one entry per frame it was detected in (or that
 * bridges a gap).
 */
export type Track = {
  id: number;
  /** A class of the detector, or `moving object` for an unrecognized object that moved in front of a fixed camera. */
  className: string;
  /** Named colors of the object's pixels with their shares, largest first; empty if it is too small or too dark. */
  colors: NamedColor[];
  /**
   * Only of persons: the same for what they wear on the torso and on the legs; empty where the box does not show it.
   */
  clothes?: { upper: NamedColor[]; lower: NamedColor[] };
  /** Index into `Objects.timeS` for each entry. */
  frame: Int32Array;
  /** Center and size of the box, fractions of the frame. */
  x: Float32Array;
  y: Float32Array;
  width: Float32Array;
  height: Float32Array;
  /** Detector's score, 0 to 1; 0 where the track was bridged. */
  score: Float32Array;
  /**
   * Edge of the frame it entered or left over; null if it appeared or vanished inside the frame, or was there at the
   * start or end.
   */
  enteredFrom: Edge | null;
  leftTo: Edge | null;
  /**
   * Share of its class in the scores of all detections in its place, 0 to 1: the rest took it for something else.
   */
  agreement: number;
  /** Intervals in seconds in which it did not move against the scene. */
  stationary: { startS: number; endS: number }[];
  /** Only of traffic lights: the intervals in which one color was recognized. */
  lit?: LitInterval[];
};

export type NamedColor = { name: string; share: number };

export type Edge = 'left' | 'right' | 'top' | 'bottom';
