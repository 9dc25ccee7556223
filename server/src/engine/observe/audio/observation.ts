/** Loudness over time: one entry per window of `stepS` seconds, from `startS`. */
export type AudioLevels = {
  startS: number;
  stepS: number;
  /** RMS level in dB relative to full scale, -120 for silence. */
  levelDb: Float32Array;
  /** Highest sample in the window, dB relative to full scale. */
  peakDb: Float32Array;
};
