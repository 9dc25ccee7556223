import type { Signals } from '../../observe/observations.ts';
import type { SignalName, Target } from '../../plan/index.ts';
import { type SignalInterval, toSignalMatches } from '../time/signal-intervals.ts';
import type { Scene, StepResult } from '../types.ts';
import { findColorCast, findMonochrome } from './color.ts';
import { findBlur, findCoveredLens, findFrozenFrames, findShaking } from './image-quality.ts';
import {
  findBright,
  findDark,
  findFlashes,
  findFlicker,
  findLightChanges,
  findOverexposure,
  findWellLit,
} from './light.ts';
import { findBlackFrames, findCuts, findDissolves, findFades, findShots } from './shots.ts';

type SignalFinder = (signals: Signals) => SignalInterval[];

/** Finds conditions of the whole frame: shots, light, color and lens. */
export function findSignals(what: Extract<Target, { kind: 'signal' }>, scene: Scene): StepResult {
  const { signals } = scene.observations;
  if (!signals) return { unavailable: 'frame signals are not available for this video' };
  const text = NOTES[what.signal];
  return {
    matches: toSignalMatches(what, FINDERS[what.signal](signals), scene),
    by: ['signals'],
    limits: () => (text ? [{ text, ...(what.signal === 'frozen' ? { doubts: 'slightly' } : {}) }] : []),
    frames: scene.frames,
  };
}

const inOrder = (...found: SignalInterval[][]) => found.flat().toSorted((a, b) => a.from - b.from);

const NOTES: Partial<Record<SignalName, string>> = {
  blurred:
    'blur is measured against the sharpness of the rest of the shot: a shot that is blurred throughout is not detected',
  frozen: 'a still scene from a noiseless source looks the same as a frozen video',
  shot: 'shots are divided by cuts, dissolves and black frames, and not by wipes and other effects',
  scene_change: 'cuts, dissolves and fades over black are detected, wipes and other effects are not',
};

const FINDERS: Record<SignalName, SignalFinder> = {
  cut: findCuts,
  shot: findShots,
  dissolve: findDissolves,
  fade: (s) => inOrder(findFades(s, 'fade_in'), findFades(s, 'fade_out')),
  fade_in: (s) => findFades(s, 'fade_in'),
  fade_out: (s) => findFades(s, 'fade_out'),
  scene_change: (s) => inOrder(findCuts(s), findDissolves(s), findFades(s, 'fade_in'), findFades(s, 'fade_out')),
  dark: findDark,
  well_lit: findWellLit,
  bright: findBright,
  overexposed: findOverexposure,
  gets_dark: (s) => findLightChanges(s, 'gets_dark'),
  gets_bright: (s) => findLightChanges(s, 'gets_bright'),
  light_change: (s) => inOrder(findLightChanges(s, 'gets_dark'), findLightChanges(s, 'gets_bright')),
  flash: findFlashes,
  flicker: findFlicker,
  monochrome: findMonochrome,
  color_cast: findColorCast,
  black: findBlackFrames,
  frozen: findFrozenFrames,
  blurred: findBlur,
  covered: findCoveredLens,
  shaking: findShaking,
};
