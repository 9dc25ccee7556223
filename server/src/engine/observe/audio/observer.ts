import { defineDenseObserver } from '../types.ts';
import { createAudioCollector } from './collector.ts';
import type { AudioLevels } from './observation.ts';

const NONE = new Float32Array();

/** Null for a video without audio. */
export const audio = defineDenseObserver({
  kind: 'sound',
  version: 'sound-1',
  depth: 'dense',
  encode(levels: AudioLevels | null) {
    const { startS, stepS, levelDb, peakDb } = levels ?? { startS: 0, stepS: 0, levelDb: NONE, peakDb: NONE };
    return { facts: { heard: levels !== null, startS, stepS }, arrays: { levelDb, peakDb } };
  },
  decode({ facts, arrays }): AudioLevels | null {
    const { heard, startS, stepS } = facts as { heard: boolean; startS: number; stepS: number };
    const levels = arrays as Pick<AudioLevels, 'levelDb' | 'peakDb'>;
    return heard ? { startS, stepS, ...levels } : null;
  },
  open({ video }) {
    const { addSamples: take, copy, finish } = createAudioCollector(video.durationS);
    return { onSamples: take, soFar: { observation: copy }, finish };
  },
});
