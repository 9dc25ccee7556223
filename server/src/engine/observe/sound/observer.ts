import { denseObserver } from '../observer.ts';
import { createSoundObserver } from './index.ts';
import type { Sound } from './observation.ts';

const NONE = new Float32Array();

/** Null stands for a video without sound. */
export const sound = denseObserver({
  kind: 'sound',
  version: 'sound-1',
  depth: 'dense',
  encode(heard: Sound | null) {
    const { startS, stepS, levelDb, peakDb } = heard ?? { startS: 0, stepS: 0, levelDb: NONE, peakDb: NONE };
    return { facts: { heard: heard !== null, startS, stepS }, arrays: { levelDb, peakDb } };
  },
  decode({ facts, arrays }): Sound | null {
    const { heard, startS, stepS } = facts as { heard: boolean; startS: number; stepS: number };
    const levels = arrays as Pick<Sound, 'levelDb' | 'peakDb'>;
    return heard ? { startS, stepS, ...levels } : null;
  },
  open({ video }) {
    const { take, finish } = createSoundObserver(video.durationS);
    return { onSamples: take, finish };
  },
});
