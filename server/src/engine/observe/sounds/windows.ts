import { SAMPLE_RATE } from '../types.ts';

/** Length of a window of the recognizer, in samples: 0.975 s. */
export const WINDOW = 15_600;
/** Samples from one window to the next. */
export const HOP = WINDOW / 2;
/** Timestamps jitter by a few samples: only larger offsets are gaps or overlaps. */
const JITTER = SAMPLE_RATE / 10;
/** Audio that starts this long after the video's end has a wrong time. */
const LATE_S = 10;
/** Peak of a window in which nothing is audible: -80 dB. */
const SILENCE = 1e-4;

export type Windows = {
  /** Takes the next samples; `timeS` is the time of the first one. Samples before the first frame are ignored. */
  addSamples(samples: Float32Array, timeS: number): void | Promise<void>;
  /** Completes the last window with silence. False if no samples were added. */
  finish(): Promise<boolean>;
};

/**
 * Cuts audio into windows of `window` samples, one every `hop`, from the video's first frame on; by default those of
 * the recognizer. `onWindow` gets each of them in order, null for silence; the samples are valid until its promise
 * settles.
 */
export function createWindows(
  durationS: number,
  onWindow: (samples: Float32Array<ArrayBuffer> | null) => Promise<void>,
  { window, hop }: { window: number; hop: number } = { window: WINDOW, hop: HOP },
): Windows {
  const buffer = new Float32Array(window);
  let filled = 0;
  let position = 0;
  let hasSamples = false;

  const emit = async () => {
    await onWindow(buffer.some((sample) => Math.abs(sample) > SILENCE) ? buffer : null);
    buffer.copyWithin(0, hop);
    filled = window - hop;
  };
  const skipTo = async (start: number) => {
    while (position < start) {
      const length = Math.min(start - position, window - filled);
      buffer.fill(0, filled, filled + length);
      filled += length;
      position += length;
      if (filled === window) await emit();
    }
  };
  const take = async (samples: Float32Array, start: number) => {
    const off = start - position;
    if (off > JITTER) await skipTo(start);
    const first = off < -JITTER || position === 0 ? Math.max(0, -off) : 0;
    for (let at = first; at < samples.length; ) {
      const part = samples.subarray(at, at + window - filled);
      buffer.set(part, filled);
      filled += part.length;
      position += part.length;
      at += part.length;
      if (filled === window) await emit();
    }
  };

  /** Samples that were not taken yet: the decoder may pass several parts before it waits for the first. */
  let running: Promise<void> | null = null;
  const enqueue = (samples: Float32Array, start: number): Promise<void> => {
    const next = (running ?? Promise.resolve()).then(() => take(samples, start));
    running = next.finally(() => {
      if (running === settled) running = null;
    });
    const settled = running;
    return next;
  };

  return {
    addSamples(samples, timeS) {
      if (samples.length === 0 || timeS > durationS + LATE_S) return;
      hasSamples = true;
      const start = Math.round(timeS * SAMPLE_RATE);
      const isNext = running === null && position > 0 && Math.abs(start - position) <= JITTER;
      // Most parts do not complete a window, and need neither a copy nor a turn of the event loop.
      if (isNext && filled + samples.length < window) {
        buffer.set(samples, filled);
        filled += samples.length;
        position += samples.length;
        return;
      }
      return enqueue(samples.slice(), start);
    },
    async finish() {
      await running;
      // The last window begins with the end of the one before.
      const hasNew = position < window ? filled > 0 : filled > window - hop;
      if (hasSamples && hasNew) {
        buffer.fill(0, filled);
        await emit();
      }
      return hasSamples;
    },
  };
}
