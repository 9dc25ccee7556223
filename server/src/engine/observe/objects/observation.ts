export type Objects = {
  /** Name of the detector and digest of its weights: `yolox_nano fd7193b8405b`. */
  model: string;
  /** Every class the detector knows, whether seen or not: what can be said to be absent. */
  classes: string[];
  /** Times of the frames that were looked at. */
  timeS: Float64Array;
  pts: Float64Array;
  tracks: Track[];
};

/** One thing followed through the video. The arrays are parallel: one entry per frame it was seen in (or bridged over a short loss). */
export type Track = {
  id: number;
  /** One of the detector's classes, or `moving object`: something went about before a standing camera and was not recognised. */
  className: string;
  /** Named colours of the thing's own pixels with their share, most first; empty when too small or too dark to say. */
  colors: { name: string; share: number }[];
  /** Index into `Objects.timeS` for each entry. */
  frame: Int32Array;
  /** Centre and size of the box, fractions of the picture. */
  x: Float32Array;
  y: Float32Array;
  width: Float32Array;
  height: Float32Array;
  /** Detector's score, 0 to 1; 0 where the track was bridged. */
  score: Float32Array;
  /** Edge of the picture it came in over or went out over; null when it appeared or vanished inside the picture, or was there at the start or end. */
  enteredFrom: Edge | null;
  leftTo: Edge | null;
  /** Intervals in seconds in which it did not move against the scene. */
  stationary: { startS: number; endS: number }[];
};

export type Edge = 'left' | 'right' | 'top' | 'bottom';
