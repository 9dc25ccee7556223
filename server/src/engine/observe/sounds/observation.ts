/**
 * Recognized classes of sound over time: one entry per window of `windowS` seconds, every `stepS` seconds from
 * `startS`. The classes of window i are the entries from `offset[i]` to before `offset[i + 1]`.
 */
export type SoundClasses = {
  /** Name and digest of the model. */
  model: string;
  startS: number;
  stepS: number;
  windowS: number;
  offset: Int32Array;
  /** Index in `SOUND_CLASSES` of the model. */
  classIndex: Int32Array;
  /** Score from 0 to 255; lower scores than `MIN_SCORE` are left out. */
  score: Uint8Array;
};
