import type { DecodedFrame, PictureRequest } from '#platform/media/index';
import type { Numbers } from '../artifact.ts';
import { denseObserver } from '../observer.ts';
import {
  COLOR_EVERY_S,
  COLOR_HEIGHT,
  COLOR_WIDTH,
  createSignalsObserver,
  type FrameStep,
  HEIGHT,
  WIDTH,
} from './index.ts';
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

/** Of frames that follow one another faster than about 48 a second (times are rounded) some are left out: 50 or 60 a second tell nothing that half of them do not. */
const EVERY_S = 1 / 45;

/** Shares of blocks are stored in steps of 1/255. */
const SHARE_STEPS = 255;

export const signals = denseObserver({
  kind: 'signals',
  version: 'signals-10',
  depth: 'dense',
  /** Ten minutes at 30 frames a second are 1.4 MB; they load in about a millisecond. */
  encode(observed: Signals) {
    const { regionRows, regionColumns } = observed;
    const arrays: Record<string, Numbers> = Object.fromEntries(ARRAYS.map((name) => [name, observed[name]]));
    const regions = new Uint8Array(observed.regions.length);
    for (let at = 0; at < regions.length; at++) regions[at] = Math.round(observed.regions[at]! * SHARE_STEPS);
    arrays.regions = regions;
    return { facts: { regionRows, regionColumns }, arrays };
  },
  decode({ facts, arrays }): Signals {
    const stored = arrays.regions!;
    const regions = new Float32Array(stored.length);
    for (let at = 0; at < stored.length; at++) regions[at] = stored[at]! / SHARE_STEPS;
    return { ...arrays, ...facts, regions } as unknown as Signals;
  },
  open({ kept }) {
    const observer = createSignalsObserver();
    const listeners: ((step: FrameStep, timeS: number) => void)[] = [];
    const gray: PictureRequest = {
      width: WIDTH,
      height: HEIGHT,
      format: 'gray',
      minIntervalS: EVERY_S,
      onFrame({ data, timeS, pts }) {
        const step = observer.take(data, timeS, pts);
        for (const listener of listeners) listener(step, timeS);
      },
    };
    const color: PictureRequest = {
      width: COLOR_WIDTH,
      height: COLOR_HEIGHT,
      format: 'rgb',
      minIntervalS: COLOR_EVERY_S,
      onFrame: ({ data, timeS }: DecodedFrame) => observer.takeColor(data, timeS),
    };
    return {
      pictures: kept ? [gray, color] : [gray],
      /** Tells what happened from each frame to the next. */
      onStep: (listener: (step: FrameStep, timeS: number) => void) => void listeners.push(listener),
      finish: observer.finish,
    };
  },
});
