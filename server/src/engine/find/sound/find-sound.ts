import type { AudioLevels } from '../../observe/observations.ts';
import { RECOGNIZED_SOUNDS, type RecognizedSound, type SoundLevel, type Target } from '../../plan/index.ts';
import { marginConfidence } from '../confidence.ts';
import { round } from '../format.ts';
import { always, limitsOf } from '../limits/index.ts';
import { findVoices } from '../speech/index.ts';
import { STATES } from '../thresholds.ts';
import { complement } from '../time/intervals.ts';
import type { IntervalMatch, LimitDescriber, Limits, Scene, StepResult } from '../types.ts';
import { findBangs } from './bangs.ts';
import { findRecognized, isRecognizedSound, spanTimes } from './find-recognized.ts';
import { type AudioInterval, findLoud, findSilentSpans, toLevelInterval } from './levels.ts';
import { NO_AUDIO_TRACK, whyNoLevels } from './no-audio.ts';
import { SOUND_RULES } from './sound-classes.ts';

type SoundTarget = Extract<Target, { kind: 'sound' }>;

/** Finds sounds: by the level of the audio track, or in what was recognized in it. Who makes them is not known. */
export function findSound(what: SoundTarget, scene: Scene): StepResult {
  const found = findAnySound(what, scene);
  if (!what.maker || 'unavailable' in found) return found;
  const text = `"${what.maker}": who makes a sound is not checked`;
  return { ...found, limits: (part) => [{ text }, ...found.limits(part)] };
}

function findAnySound(what: SoundTarget, scene: Scene): StepResult {
  const { sound, sounds, video } = scene.observations;
  const name = what.sound;
  if (name === 'recognized') return findEachRecognized(what, scene);
  if (!isRecognizedSound(name)) return findLevel(what, name, scene);
  if (!video.hasAudio) return { unavailable: NO_AUDIO_TRACK };
  const voices = name === 'speech' ? findVoices(what, scene) : null;
  if (voices) return voices;
  if (!sounds) return sound ? findByLevel(what, name, scene) : { unavailable: whyNoLevels(video) };
  const matches = findRecognized(name, sounds).map((interval): IntervalMatch => {
    const { startS, endS } = spanTimes(interval, sounds);
    const best = spanTimes({ from: interval.best, to: interval.best }, sounds);
    const { threshold } = SOUND_RULES[name];
    return {
      what,
      negated: false,
      tracks: [],
      presences: [],
      stepMatches: [],
      reasons: [interval.reason],
      start: scene.frameTimeAt(startS),
      end: scene.frameTimeAfter(endS),
      best: scene.frameTimeAt((best.startS + best.endS) / 2),
      confidence: marginConfidence((interval.score - threshold) / threshold),
      signals: [{ name: 'sound score', value: round(interval.score, 2), threshold, unit: 'score' }],
    };
  });
  const [model] = sounds.model.split(' ');
  const limits = SOUND_RULES[name].isReliable ? always() : limitsOf([describeTentative], TENTATIVE_SOUND);
  return { matches, by: [`sounds (${model})`], limits, frames: scene.frames };
}

/** Every kind of sound that is recognized reliably. Matches state which it is. */
function findEachRecognized(what: SoundTarget, scene: Scene): StepResult {
  if (!scene.observations.video.hasAudio) return { unavailable: NO_AUDIO_TRACK };
  if (!scene.observations.sounds) return { unavailable: NOT_RECOGNIZED };
  const found = RELIABLE_SOUNDS.map((sound) => findSound({ ...what, sound }, scene)).flatMap((result) =>
    'unavailable' in result ? [] : [result],
  );
  return {
    matches: found.flatMap(({ matches }) => matches),
    by: [...new Set(found.flatMap(({ by }) => by))],
    limits: always(`only ${RELIABLE_SOUNDS.length} kinds of sound are recognized`),
    frames: scene.frames,
  };
}

const RELIABLE_SOUNDS = RECOGNIZED_SOUNDS.filter((sound) => SOUND_RULES[sound].isReliable);
const NOT_RECOGNIZED = 'the recognizer of sounds was not available when this video was processed';

/** Share of such a sound that is found at best: "not found" means "no" only where nothing is audible. */
const TENTATIVE_RECALL = 0.5;

/** The limit of a sound whose matches are candidates. */
const describeTentative: LimitDescriber<string> = (text, { observations: { sound } }) => {
  const isSilent = sound !== null && FINDERS.sound(sound).length === 0;
  return [{ text, doubts: 'decides', recall: isSilent ? 1 : TENTATIVE_RECALL }];
};

/** Limit of a sound that is not recognized reliably. */
export const TENTATIVE_SOUND =
  'this sound is not recognized reliably enough, or was not measured: what is found is a candidate';

/** Without recognized sounds, what may be one is a candidate. */
function findByLevel(what: SoundTarget, name: RecognizedSound, scene: Scene): StepResult {
  const { level } = SOUND_RULES[name];
  const found = findLevel(what, level, scene);
  if ('unavailable' in found) return found;
  const text = `looked for as any ${level}: the recognizer of sounds was not available when this video was processed`;
  return { ...found, limits: limitsOf([describeTentative], text) };
}

/** Finds audio events by the level of the audio track. */
function findLevel(what: SoundTarget, level: SoundLevel, scene: Scene): StepResult {
  const { sound, video } = scene.observations;
  if (!sound) return { unavailable: whyNoLevels(video) };
  const startOf = (window: number) => sound.startS + window * sound.stepS;
  const matches = FINDERS[level](sound).map(
    (interval): IntervalMatch => ({
      what: { ...what, sound: level },
      negated: false,
      // Audio has no frames: the edges are the frames shown around it.
      start: scene.frameTimeAt(startOf(interval.from)),
      end: scene.frameTimeAfter(startOf(interval.to + 1)),
      best: scene.frameTimeAt(startOf(interval.best)),
      confidence: marginConfidence(interval.margin),
      tracks: [],
      signals: [{ name: interval.name, value: round(interval.value, 1), threshold: interval.threshold, unit: 'dBFS' }],
      presences: [],
      reasons: [interval.reason],
      stepMatches: [],
    }),
  );
  const limits: Limits = () => (level === 'bang' ? [{ text: UNKNOWN_SOURCE, doubts: 'slightly' }] : []);
  return { matches, by: ['sound'], limits, frames: scene.frames };
}

const UNKNOWN_SOURCE = 'detected by level only: the source of the sound is not known';

const FINDERS: Record<SoundLevel, (sound: AudioLevels) => AudioInterval[]> = {
  silence: (s) => findSilentSpans(s).map((span) => toLevelInterval(s, span, 'min', STATES.silence.enter)),
  sound: (s) =>
    complement(findSilentSpans(s), s.levelDb.length).map((span) =>
      toLevelInterval(s, span, 'max', STATES.silence.enter),
    ),
  loud: findLoud,
  bang: findBangs,
};
