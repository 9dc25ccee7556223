import type { Signals } from '../observe/observations.ts';
import type { SignalName, What } from '../plan/index.ts';
import { colorCast, monochrome } from './color.ts';
import type { Looked } from './hit.ts';
import { blurred, covered, frozen, shaking } from './lens.ts';
import { bright, dark, flashes, flickers, lightSteps, overexposed, wellLit } from './light.ts';
import type { Scene } from './scene.ts';
import { blacks, cuts, dissolves, fades } from './shots.ts';
import { picturedHits, type Shown } from './shown.ts';

type Finder = (signals: Signals) => Shown[];

/** Looks for what the whole picture does. */
export function findPicture(what: Extract<What, { kind: 'signal' }>, scene: Scene): Looked {
  const { signals } = scene.observations;
  if (!signals) return { unavailable: 'the signals of the picture were not observed for this video' };
  const limits = NOTES[what.signal];
  return {
    hits: picturedHits(what, FINDERS[what.signal](signals), scene),
    by: ['signals'],
    limits: limits ? [limits] : [],
    domain: scene.frames,
  };
}

const inOrder = (...found: Shown[][]) => found.flat().toSorted((a, b) => a.from - b.from);

const NOTES: Partial<Record<SignalName, string>> = {
  blurred:
    'blur is told from the usual sharpness of the same shot: a shot that is blurred from start to end cannot be told',
  frozen: 'a still scene from a noiseless source looks the same as a frozen picture',
  scene_change: 'cuts, dissolves and fades over black are found, wipes and other effects are not',
};

const FINDERS: Record<SignalName, Finder> = {
  cut: cuts,
  dissolve: dissolves,
  fade: (s) => inOrder(fades(s, 'fade_in'), fades(s, 'fade_out')),
  fade_in: (s) => fades(s, 'fade_in'),
  fade_out: (s) => fades(s, 'fade_out'),
  scene_change: (s) => inOrder(cuts(s), dissolves(s), fades(s, 'fade_in'), fades(s, 'fade_out')),
  dark,
  well_lit: wellLit,
  bright,
  overexposed,
  gets_dark: (s) => lightSteps(s, 'gets_dark'),
  gets_bright: (s) => lightSteps(s, 'gets_bright'),
  light_change: (s) => inOrder(lightSteps(s, 'gets_dark'), lightSteps(s, 'gets_bright')),
  flash: flashes,
  flicker: flickers,
  monochrome,
  color_cast: colorCast,
  black: blacks,
  frozen,
  blurred,
  covered,
  shaking,
};
