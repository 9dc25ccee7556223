import type { AudioLevels } from '../../observe/observations.ts';
import type { Target } from '../../plan/index.ts';
import { marginConfidence } from '../confidence.ts';
import { round } from '../format.ts';
import { STATES } from '../thresholds.ts';
import { complement } from '../time/intervals.ts';
import type { IntervalMatch, Scene, StepResult } from '../types.ts';
import { findBangs } from './bangs.ts';
import { type AudioInterval, findLoud, findSilentSpans, toLevelInterval } from './levels.ts';

type SoundTarget = Extract<Target, { kind: 'sound' }>;

export const NO_AUDIO_TRACK = 'the video has no audio track';

/** Finds audio events by the level of the audio track. */
export function findSound(what: SoundTarget, scene: Scene): StepResult {
  const { sound, video } = scene.observations;
  if (!sound)
    return {
      unavailable: video.hasAudio ? 'the audio of this video was not processed' : NO_AUDIO_TRACK,
    };
  const startOf = (window: number) => sound.startS + window * sound.stepS;
  const matches = FINDERS[what.sound](sound).map(
    (interval): IntervalMatch => ({
      what,
      negated: false,
      // Audio has no frames: the edges are the frames shown around it.
      start: scene.frameTimeAt(startOf(interval.from)),
      end: scene.frameTimeAfter(startOf(interval.to + 1)),
      best: scene.frameTimeAt(startOf(interval.best)),
      confidence: marginConfidence(interval.margin),
      tracks: [],
      signals: [{ name: interval.name, value: round(interval.value, 1), threshold: interval.threshold, unit: 'dBFS' }],
      count: 1,
      reasons: [interval.reason],
      stepMatches: [],
    }),
  );
  const limits = what.sound !== 'bang' ? [] : ['detected by level only: the source of the sound is not known'];
  const caveats = limits.map((text) => ({ text, decides: false }));
  return { matches, by: ['sound'], limits, caveats, frames: scene.frames };
}

const FINDERS: Record<SoundTarget['sound'], (sound: AudioLevels) => AudioInterval[]> = {
  silence: (s) => findSilentSpans(s).map((span) => toLevelInterval(s, span, 'min', STATES.silence.enter)),
  sound: (s) =>
    complement(findSilentSpans(s), s.levelDb.length).map((span) =>
      toLevelInterval(s, span, 'max', STATES.silence.enter),
    ),
  loud: findLoud,
  bang: findBangs,
};
