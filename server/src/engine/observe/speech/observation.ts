/**
 * Transcript of a video. Segment i is `texts[i]`, from `startS[i]` to `endS[i]` with `confidence[i]`; segments are
 * in order and at most 12 s long. Voices are heard from `voiceStartS[i]` to `voiceEndS[i]`, also where no
 * words were recognized.
 */
export type Transcript = {
  /** Name and digest of the model. */
  model: string;
  /** True if the model detects the spoken language. English-only weights take every language for English. */
  isMultilingual: boolean;
  /**
   * BCP 47 tag of the language that is spoken for most of the time, `en` with English-only weights; null if no words
   * were recognized.
   */
  language: string | null;
  /** The language of each segment; null if all segments are in `language`. */
  languages: string[] | null;
  texts: string[];
  startS: Float64Array;
  endS: Float64Array;
  /** Mean probability of the recognized tokens, 0 to 1. */
  confidence: Float32Array;
  voiceStartS: Float64Array;
  voiceEndS: Float64Array;
};
