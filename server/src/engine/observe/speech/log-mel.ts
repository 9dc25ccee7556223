import { SAMPLE_RATE } from '../types.ts';
import { createPowerSpectrum } from './fourier.ts';

/** Shape of the model's input: bands, and frames of 10 ms in its 30 s. */
export const BANDS = 80;
export const FRAMES = 3_000;
/** Samples of a window, and from one to the next. */
const WINDOW = 400;
const HOP = 160;
const BINS = WINDOW / 2 + 1;
/** Power of silence, as its decimal logarithm, and the range below the loudest value that is distinguished. */
const FLOOR = 1e-10;
const RANGE = 8;

/**
 * Creates the function that turns samples at 16 kHz into the spectrogram that Whisper was trained on: `BANDS` ×
 * `FRAMES` logarithms of mel bands, padded with silence. Samples beyond 30 s are ignored.
 */
export function createLogMel(): (samples: Float32Array) => Float32Array<ArrayBuffer> {
  const spectrumOf = createPowerSpectrum(WINDOW);
  const hann = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW));
  const filters = createFilters();
  const windowed = new Float64Array(WINDOW);
  const power = new Float64Array(BINS);
  return (samples) => {
    const mel = new Float32Array(BANDS * FRAMES).fill(Math.log10(FLOOR));
    const frames = Math.min(FRAMES, Math.ceil(samples.length / HOP) + 2);
    let max = Math.log10(FLOOR);
    for (let frame = 0; frame < frames; frame++) {
      const from = frame * HOP - WINDOW / 2;
      // Before the start, samples are mirrored.
      for (let i = 0; i < WINDOW; i++) windowed[i] = (samples[Math.abs(from + i)] ?? 0) * hann[i]!;
      spectrumOf(windowed, power);
      for (const [band, { first, weights }] of filters.entries()) {
        let sum = 0;
        for (let i = 0; i < weights.length; i++) sum += weights[i]! * power[first + i]!;
        const value = Math.log10(Math.max(sum, FLOOR));
        mel[band * FRAMES + frame] = value;
        max = Math.max(max, value);
      }
    }
    for (let i = 0; i < mel.length; i++) mel[i] = (Math.max(mel[i]!, max - RANGE) + 4) / 4;
    return mel;
  };
}

/** Triangular filters on the mel scale of Slaney's Auditory Toolbox, each with unit area. */
function createFilters(): { first: number; weights: Float64Array }[] {
  const LINEAR_HZ = 1_000;
  const LINEAR_MEL = 15;
  const LOG_STEP = Math.log(6.4) / 27;
  const toMel = (hz: number) =>
    hz < LINEAR_HZ ? (hz * LINEAR_MEL) / LINEAR_HZ : LINEAR_MEL + Math.log(hz / LINEAR_HZ) / LOG_STEP;
  const toHz = (mel: number) =>
    mel < LINEAR_MEL ? (mel * LINEAR_HZ) / LINEAR_MEL : LINEAR_HZ * Math.exp(LOG_STEP * (mel - LINEAR_MEL));
  const top = toMel(SAMPLE_RATE / 2);
  const edges = Array.from({ length: BANDS + 2 }, (_, i) => toHz((top * i) / (BANDS + 1)));
  return Array.from({ length: BANDS }, (_, band) => {
    const [low, center, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    const weights = Array.from({ length: BINS }, (_, bin) => {
      const hz = (bin * SAMPLE_RATE) / WINDOW;
      return (2 / (high - low)) * Math.max(0, Math.min((hz - low) / (center - low), (high - hz) / (high - center)));
    });
    const first = weights.findIndex((weight) => weight > 0);
    const last = weights.findLastIndex((weight) => weight > 0);
    return { first, weights: Float64Array.from(weights.slice(first, last + 1)) };
  });
}
