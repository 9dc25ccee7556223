import { createColumn, float32 } from '../columns.ts';
import { SAMPLE_RATE } from '../observer.ts';
import type { Sound } from './observation.ts';

const STEP_S = 0.1;
const WINDOW = SAMPLE_RATE * STEP_S;
const SILENCE_DB = -120;
const LATE_S = 10;

/** The sound observer: level and peak of each tenth of a second, on a grid that starts with the video's first frame. */
export type SoundObserver = {
  /** Takes the next samples, -1 to 1; `timeS` is the first one's. A hole before them is silence; what comes before the first frame is left out. */
  take(samples: Float32Array, timeS: number): void;
  /** Null when nothing was taken. */
  finish(): Sound | null;
};

/** `durationS` is how long the video lasts: sound that claims to come later than a little after it is left out. */
export function createSoundObserver(durationS: number): SoundObserver {
  const levels = createColumn(float32);
  const peaks = createColumn(float32);
  let squares = 0;
  let peak = 0;
  /** Samples since the first frame. */
  let position = 0;
  let heard = false;

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
    take(samples, timeS) {
      if (samples.length === 0 || timeS > durationS + LATE_S) return;
      heard = true;
      const start = Math.round(timeS * SAMPLE_RATE);
      // Time stamps jitter by some samples: only what is farther off is a hole or an overlap.
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
    finish() {
      if (position % WINDOW > 0) closeWindow(position % WINDOW);
      return heard ? { startS: 0, stepS: STEP_S, levelDb: levels.done(), peakDb: peaks.done() } : null;
    },
  };
}

function decibels(amplitude: number): number {
  return amplitude > 0 ? Math.max(SILENCE_DB, 20 * Math.log10(amplitude)) : SILENCE_DB;
}
