import type { DecodedFrame, FrameRequest } from '#platform/media/index';
import type { NumericArray } from '../artifact.ts';
import type { SavedPass } from '../resume.ts';
import { defineDenseObserver } from '../types.ts';
import {
  type AddedSignals,
  COLOR_HEIGHT,
  COLOR_INTERVAL_S,
  COLOR_WIDTH,
  createSignalsCollector,
  type FrameStep,
  HEIGHT,
  type SignalsState,
  WIDTH,
} from './collector.ts';
import type { Signals } from './observation.ts';

const ARRAYS = [
  'timeS',
  'pts',
  'luma',
  'contrast',
  'dark',
  'bright',
  'colorTimeS',
  'red',
  'green',
  'blue',
  'chroma',
  'sharpness',
  'difference',
  'cut',
  'dissolve',
  'globalX',
  'globalY',
  'zoom',
  'roll',
  'advance',
  'localMotion',
] as const satisfies (keyof Signals)[];

/** Minimum interval of frames: of 50 or 60 frames a second, half are enough. Times are rounded, so it is below 1/30. */
const MIN_INTERVAL_S = 1 / 45;

/** Shares of blocks are stored in steps of 1/255. */
const SHARE_STEPS = 255;

export const signals = defineDenseObserver({
  kind: 'signals',
  version: 'signals-10',
  depth: 'dense',
  ranged: true,
  /** Ten minutes at 30 frames a second take 1.4 MB, which load in about a millisecond. */
  encode(observation: Signals) {
    const { regionRows, regionColumns } = observation;
    const arrays: Record<string, NumericArray> = Object.fromEntries(ARRAYS.map((name) => [name, observation[name]]));
    const regions = new Uint8Array(observation.regions.length);
    for (let at = 0; at < regions.length; at++) regions[at] = Math.round(observation.regions[at]! * SHARE_STEPS);
    arrays.regions = regions;
    return { facts: { regionRows, regionColumns }, arrays };
  },
  decode({ facts, arrays }): Signals {
    const stored = arrays.regions!;
    const regions = new Float32Array(stored.length);
    for (let at = 0; at < stored.length; at++) regions[at] = stored[at]! / SHARE_STEPS;
    return { ...arrays, ...facts, regions } as unknown as Signals;
  },
  open({ isRequested, saved }) {
    const observer = createSignalsCollector(saved as SavedPass<AddedSignals, SignalsState> | null);
    const listeners: ((step: FrameStep, timeS: number) => void)[] = [];
    const gray: FrameRequest = {
      width: WIDTH,
      height: HEIGHT,
      format: 'gray',
      minIntervalS: MIN_INTERVAL_S,
      onFrame({ data, timeS, pts }) {
        const step = observer.addFrame(data, timeS, pts);
        for (const listener of listeners) listener(step, timeS);
      },
      onRepeated: ({ data, timeS }) => observer.compareFrame(data, timeS),
    };
    const color: FrameRequest = {
      width: COLOR_WIDTH,
      height: COLOR_HEIGHT,
      format: 'rgb',
      minIntervalS: COLOR_INTERVAL_S,
      onFrame: ({ data, timeS }: DecodedFrame) => observer.addColorFrame(data, timeS),
    };
    return {
      frames: isRequested ? [gray, color] : [gray],
      /** Reports the change from each frame to the next. */
      onStep: (listener: (step: FrameStep, timeS: number) => void) => void listeners.push(listener),
      save: observer.save,
      soFar: { untilS: observer.untilS, observation: observer.copy },
      finish: observer.finish,
    };
  },
});
