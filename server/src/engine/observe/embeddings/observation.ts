/** Vectors of frames that have changed since the one before. The arrays are parallel: one entry for each frame. */
export type Embeddings = {
  /** Name and digest of the model. */
  model: string;
  /** Presentation times, and their exact stamps. */
  timeS: Float64Array;
  pts: Float64Array;
  /** Value of one step of the vector's bytes. */
  scales: Float32Array;
  /** Signed bytes, 512 for each frame. */
  vectors: Int8Array;
};
