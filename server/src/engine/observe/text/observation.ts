/** A box in fractions of the frame, origin top left; `x` and `y` are its center, as those of tracks. */
export type TextBox = { x: number; y: number; width: number; height: number };

/** A text over the frames in which it was read. The arrays are parallel: one entry per frame. */
export type TrackedText = {
  /** The best reading: of all frames, weighted by their scores. */
  text: string;
  /** Greatest score of a reading, 0 to 1. */
  score: number;
  /** Index in `timeS`. */
  frame: Int32Array;
  /** Index in `readings` of what was read in this frame. */
  reading: Int32Array;
  x: Float32Array;
  y: Float32Array;
  width: Float32Array;
  height: Float32Array;
};

/** Texts that were read in the frames of a video, in order of their first frame. */
export type Texts = {
  /** Name and digest of the model. */
  model: string;
  /** Height in pixels of the video from which on text is read reliably. */
  minHeight: number;
  /** Presentation times of the frames that were looked at, and their exact stamps. */
  timeS: Float64Array;
  pts: Float64Array;
  /** Distinct readings, which texts refer to. */
  readings: string[];
  texts: TrackedText[];
};
