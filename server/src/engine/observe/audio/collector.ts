import { type ColumnReader, createColumn, float32 } from '../columns.ts';
import { SAMPLE_RATE } from '../types.ts';
import type { AudioLevels } from './observation.ts';

const STEP_S = 0.1;
const WINDOW = SAMPLE_RATE * STEP_S;
const SILENCE_DB = -120;
const LATE_S = 10;

/** Collects level and peak of each tenth of a second, from the video's first frame on. */
export type AudioCollector = {
  /**
   * Adds the next samples, -1 to 1; `timeS` is the time of the first one. A gap before them is silence; samples before
   * the first frame are ignored.
   */
  addSamples(samples: Float32Array, timeS: number): void;
  /** A copy of the whole tenths so far; more samples may follow. Null if no samples were added. */
  copy(): AudioLevels | null;
  /** Returns null if no samples were added. */
  finish(): AudioLevels | null;
};

/** Samples more than `LATE_S` after `durationS`, the duration of the video, are ignored. */
export function createAudioCollector(durationS: number): AudioCollector {
  const levels = createColumn(float32);
  const peaks = createColumn(float32);
  let squares = 0;
  let peak = 0;
  /** Samples since the first frame. */
  let position = 0;
  let hasSamples = false;

  const toLevels = (read: ColumnReader): AudioLevels | null =>
    hasSamples ? { startS: 0, stepS: STEP_S, levelDb: read(levels), peakDb: read(peaks) } : null;
  const closeWindow = (length: number) => {
    levels.push(decibels(Math.sqrt(squares / length)));
    peaks.push(decibels(peak));
    squares = 0;
    peak = 0;
  };
  const advance = () => {
    position++;
    if (position % WINDOW === 0) closeWindow(WINDOW);
  };
  const skipTo = (start: number) => {
    while (position < start) {
      const end = Math.min(start, position - (position % WINDOW) + WINDOW);
      if (end % WINDOW === 0) closeWindow(WINDOW);
      position = end;
    }
  };

  return {
    addSamples(samples, timeS) {
      if (samples.length === 0 || timeS > durationS + LATE_S) return;
      hasSamples = true;
      const start = Math.round(timeS * SAMPLE_RATE);
      // Timestamps jitter by a few samples: only larger offsets are gaps or overlaps.
      const off = start - position;
      if (off > WINDOW) skipTo(start);
      const first = off < -WINDOW || position === 0 ? Math.max(0, -off) : 0;
      for (let at = first; at < samples.length; at++) {
        const sample = samples[at]!;
        squares += sample * sample;
        peak = Math.max(peak, Math.abs(sample));
        advance();
      }
    },
    copy: () => toLevels((column) => column.from(0)),
    finish() {
      if (position % WINDOW > 0) closeWindow(position % WINDOW);
      return toLevels((column) => column.toArray());
    },
  };
}

function decibels(amplitude: number): number {
  return amplitude > 0 ? Math.max(SILENCE_DB, 20 * Math.log10(amplitude)) : SILENCE_DB;
}
