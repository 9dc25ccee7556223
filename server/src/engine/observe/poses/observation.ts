/**
 * Poses of tracked people. The arrays are parallel: one entry for each examined view of a person, those of one person
 * beside each other, ascending in time.
 */
export type Poses = {
  /** Name and digest of the model of poses. */
  model: string;
  /** Name and digest of the detector that found the people. */
  detector: string;
  /** Number of the person's track in `objects`. */
  track: Int32Array;
  /** Index of the frame in the times of `objects`. */
  frame: Int32Array;
  /**
   * For each view, x, y and score of its joints (`JOINTS`): places are fractions of the frame's width and height and
   * may be outside of it, scores are from 0 to 1.
   */
  points: Float32Array;
};
