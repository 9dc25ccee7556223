/** What packets and keyframes tell: where a video may be looked at less closely. See `quietIntervals`. */
export type Triage = {
  /** Every packet of the video track by presentation time, with its size and whether it begins anew (1) or builds on others (0). */
  packetS: Float64Array;
  packetBytes: Int32Array;
  packetKey: Uint8Array;
  /** Times and exact stamps of the keyframes that were decoded; the arrays below are parallel to these. */
  timeS: Float64Array;
  pts: Float64Array;
  /** Mean absolute difference to the keyframe before in the square of the picture that differs most, 0 to 255; 0 for the first. */
  difference: Float32Array;
  /** Each keyframe as the mean luma of its squares: `rows × columns` values per keyframe, row by row. */
  pictures: Uint8Array;
  rows: number;
  columns: number;
};
