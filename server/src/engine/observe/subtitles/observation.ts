/**
 * Spoken words by the subtitles of a video. Segment i is `texts[i]`, one line without descriptions of noise, from
 * `startS[i]` to `endS[i]`; segments are in order of their start.
 */
export type SubtitleText = {
  /** `file` that was added to the video, or the codec of its `track`. */
  source: string;
  /** BCP 47 tag; null if it is not stated. */
  language: string | null;
  texts: string[];
  startS: Float64Array;
  endS: Float64Array;
};
