import type { DecodedFrame } from '#platform/media/index';
import { createColumn, float32, float64 } from './columns.ts';
import { createObserveTask } from './observe-task.ts';
import { OBSERVERS } from './observers.ts';
import { defineDenseObserver } from './types.ts';

// The observer of CONTRIBUTING.md.

type Blue = { timeS: Float64Array; blue: Float32Array };

/** Measures how blue frames are: the mean of the blue channel, 0 to 255. Times are seconds from the first frame. */
export function createBlue() {
  const timeS = createColumn(float64);
  const means = createColumn(float32);
  return {
    addFrame(frame: Pick<DecodedFrame, 'data' | 'timeS'>): void {
      let sum = 0;
      for (let at = 2; at < frame.data.length; at += 3) sum += frame.data[at]!;
      timeS.push(frame.timeS);
      means.push(sum / (frame.data.length / 3));
    },
    finish: (): Blue => ({ timeS: timeS.toArray(), blue: means.toArray() }),
  };
}

export const blue = defineDenseObserver({
  kind: 'blue',
  version: 'blue-1',
  depth: 'dense',
  encode: (arrays: Blue) => ({ facts: {}, arrays }),
  decode: ({ arrays }) => arrays as Blue,
  open() {
    const { addFrame, finish } = createBlue();
    return { frames: [{ width: 32, height: 18, format: 'rgb', minIntervalS: 0.5, onFrame: addFrame }], finish };
  },
});

export const WITH_BLUE = [...Object.values(OBSERVERS), blue] as const;

/** The task of `observe-task.ts` with one more observer. */
export const observe = createObserveTask(WITH_BLUE);
