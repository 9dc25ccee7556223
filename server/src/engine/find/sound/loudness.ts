import type { AudioLevels } from '../../observe/observations.ts';
import type { Target } from '../../plan/index.ts';
import { always } from '../limits/index.ts';
import type { Scene, StepResult } from '../types.ts';
import { whyNoLevels } from './no-audio.ts';

/** All the time that a level was measured: loudness is compared, and has no limits that a prompt can state. */
export function findLoudness(what: Extract<Target, { kind: 'quantity' }>, scene: Scene): StepResult {
  const { sound, video } = scene.observations;
  if (!sound) return { unavailable: whyNoLevels(video) };
  if (what.range.min !== null || what.range.max !== null)
    return {
      unavailable: 'how loud a scene was is not known: levels are relative to the loudest that the file can have',
    };
  const start = scene.frameTimeAt(sound.startS);
  const match = {
    what,
    negated: false,
    start,
    end: scene.frameTimeAfter(sound.startS + sound.levelDb.length * sound.stepS),
    best: start,
    confidence: 1,
    tracks: [],
    signals: [],
    presences: [],
    reasons: ['the level of the audio track was measured'],
    stepMatches: [],
  };
  return {
    matches: sound.levelDb.length > 0 ? [match] : [],
    by: ['sound'],
    limits: always(),
    frames: scene.frames,
  };
}

/** Middles of the windows whose level was measured, in seconds. */
export const loudnessTimes = ({ levelDb, startS, stepS }: AudioLevels): number[] =>
  Array.from(levelDb, (_, i) => startS + (i + 0.5) * stepS);

/** The level at given times, in dBFS; NaN where there is no audio. */
export const loudnessAt = ({ levelDb, startS, stepS }: AudioLevels, timeS: readonly number[]): Float64Array =>
  Float64Array.from(timeS, (time) => levelDb[Math.floor((time - startS) / stepS)] ?? Number.NaN);

/** The mean of levels, in dBFS: that of their power, which silence hardly changes. */
export const meanLoudness = (levels: readonly number[]): number =>
  10 * Math.log10(levels.reduce((sum, level) => sum + 10 ** (level / 10), 0) / levels.length);
