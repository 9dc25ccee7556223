/** Vectors of the frames of one video, in order of time; or of its tracked objects, in order of `groups`. */
export type FrameVectors = {
  /** Times in seconds from the first frame. */
  timeS: Float64Array;
  /** Value of one step of the vector's bytes. */
  scales: Float32Array;
  /** Signed bytes, 512 for each frame. */
  vectors: Int8Array;
  /** Consecutive vectors with the same number are a group, of which only the best is found. Default: ten seconds. */
  groups?: Int32Array;
};

/**
 * A frame or object that resembles the query: the vector at `index` of those of its video. `score` is the cosine of the
 * angle between them, -1 to 1.
 */
export type FrameHit = { key: string; index: number; timeS: number; score: number };

/** Requests to the thread that scans. `search` has one response; the others have one only if they fail. */
export type ScanRequest =
  | { kind: 'load'; key: string; frames: FrameVectors }
  | { kind: 'drop'; key: string }
  | {
      kind: 'search';
      id: number;
      keys: readonly string[];
      query: Int8Array;
      queryScale: number;
      limit: number;
      minScore: number;
    };

export type ScanResponse = { id: number; hits: FrameHit[] } | { id: number; failure: string } | { lost: string };
