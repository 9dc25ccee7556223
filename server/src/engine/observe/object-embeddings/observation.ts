/**
 * Vectors of the best views of tracked objects: one of each object, up to three of one that is in view for long. The
 * arrays are parallel: one entry for each view, those of one object beside each other.
 */
export type ObjectEmbeddings = {
  /** Name and digest of the model of vectors. */
  model: string;
  /** Name and digest of the detector that found the objects. */
  detector: string;
  /** Class of the object. */
  classNames: string[];
  /** Number of the object's track. */
  track: Int32Array;
  /** Presentation times of the view, and their exact stamps. */
  timeS: Float64Array;
  pts: Float64Array;
  /** Four numbers for each box: left, top, width and height as fractions of the frame. */
  boxes: Float32Array;
  /** First and last time at which the object was tracked, and their exact stamps: four numbers for each view. */
  spans: Float64Array;
  /** Value of one step of the vector's bytes. */
  scales: Float32Array;
  /** Signed bytes, 512 for each view. */
  vectors: Int8Array;
};
