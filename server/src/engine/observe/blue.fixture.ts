import type { DecodedFrame } from '#platform/media/index';
import { createColumn, float32, float64 } from './columns.ts';
import { denseObserver } from './observer.ts';
import { OBSERVERS } from './observers.ts';
import { observing } from './process.ts';

// The observer of CONTRIBUTING.md, word for word.

type Blue = { timeS: Float64Array; blue: Float32Array };

/** Measures how blue frames are: the mean of the blue channel, 0 to 255. Times are seconds from the first frame. */
export function createBlue() {
  const timeS = createColumn(float64);
  const means = createColumn(float32);
  return {
    take(frame: Pick<DecodedFrame, 'data' | 'timeS'>): void {
      let sum = 0;
      for (let at = 2; at < frame.data.length; at += 3) sum += frame.data[at]!;
      timeS.push(frame.timeS);
      means.push(sum / (frame.data.length / 3));
    },
    finish: (): Blue => ({ timeS: timeS.done(), blue: means.done() }),
  };
}

export const blue = denseObserver({
  kind: 'blue',
  version: 'blue-1',
  depth: 'dense',
  encode: (arrays: Blue) => ({ facts: {}, arrays }),
  decode: ({ arrays }) => arrays as Blue,
  open() {
    const { take, finish } = createBlue();
    return { pictures: [{ width: 32, height: 18, format: 'rgb', minIntervalS: 0.5, onFrame: take }], finish };
  },
});

export const WITH_BLUE = [...OBSERVERS, blue] as const;

/** What `process.ts` would export with one more line in the list. */
export const observe = observing(WITH_BLUE);
