/**
 * Transcript of a video. Segment i is `texts[i]`, from `startS[i]` to `endS[i]` with `confidence[i]`; segments are
 * in order and at most 12 s long. Voices are heard from `voiceStartS[i]` to `voiceEndS[i]`, also where no
 * words were recognized.
 */
export type Transcript = {
  /** Name and digest of the model. */
  model: string;
  /** ISO 639-1 code of the language that the model recognizes. */
  language: string;
  texts: string[];
  startS: Float64Array;
  endS: Float64Array;
  /** Mean probability of the recognized tokens, 0 to 1. */
  confidence: Float32Array;
  voiceStartS: Float64Array;
  voiceEndS: Float64Array;
};
