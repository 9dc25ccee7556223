/** Packets and keyframes of a video, from which intervals without changes are found; see `findQuietIntervals`. */
export type KeyframeScan = {
  /** Every packet of the video track by presentation time: its size, and 1 for a keyframe or 0. */
  packetS: Float64Array;
  packetBytes: Int32Array;
  packetKey: Uint8Array;
  /** Times and timestamps of the decoded keyframes; the arrays below are parallel to these. */
  timeS: Float64Array;
  pts: Float64Array;
  /** Mean absolute difference to the previous keyframe in the cell that differs most, 0 to 255; 0 for the first. */
  difference: Float32Array;
  /** Mean luma of each keyframe's cells: `rows × columns` values per keyframe, row by row. */
  cells: Uint8Array;
  rows: number;
  columns: number;
};
