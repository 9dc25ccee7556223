import type { LampColor } from '../observe/objects/lit-lamp.ts';
import type { AudioLevels, Edge, Objects, Observations, Signals, Track } from '../observe/observations.ts';
import { NOTHING_OBSERVED } from '../observe/observers.ts';

/** Generated observations for tests: plain frames without events, to which objects are added. */

const CLASSES = [
  'person',
  'bicycle',
  'car',
  'motorcycle',
  'bus',
  'truck',
  'dog',
  'cat',
  'backpack',
  'suitcase',
  'handbag',
  'traffic light',
  'cell phone',
  'umbrella',
  'cup',
  'bottle',
  'orange',
];
const TIME_BASE: [number, number] = [1, 90_000];
const ptsOf = (t: number) => Math.round(t * 90_000);

export type Frame = Partial<
  Record<
    | 'luma'
    | 'contrast'
    | 'dark'
    | 'bright'
    | 'sharpness'
    | 'difference'
    | 'cut'
    | 'dissolve'
    | 'globalX'
    | 'globalY'
    | 'zoom'
    | 'roll'
    | 'advance'
    | 'localMotion',
    number
  >
> & { regions?: number[] };

export const GRID = { rows: 2, columns: 4 };

/** Signals of `seconds` at `fps`, each frame as `frame(timeS)` says, plain where it says nothing. */
export function signals(seconds: number, frame: (timeS: number, i: number) => Frame = () => ({}), fps = 25): Signals {
  return signalsAt(
    Array.from({ length: Math.round(seconds * fps) }, (_, i) => i / fps),
    frame,
  );
}

/** The same for given presentation times: frames need not be evenly spaced. */
export function signalsAt(
  times: readonly number[],
  frame: (timeS: number, i: number) => Frame = () => ({}),
  colorAt: (timeS: number) => Color = () => [120, 110, 100, 40],
): Signals {
  const n = times.length;
  const frames = times.map((t, i) => frame(t, i));
  const column = (name: Exclude<keyof Frame, 'regions'>, usual: number) =>
    Float32Array.from({ length: n }, (_, i) => frames[i]![name] ?? usual);
  const cells = GRID.rows * GRID.columns;
  const regions = new Float32Array(n * cells);
  frames.forEach((f, i) => {
    if (f.regions) regions.set(f.regions, i * cells);
  });
  return {
    timeS: Float64Array.from(times),
    pts: Float64Array.from(times, ptsOf),
    luma: column('luma', 110),
    contrast: column('contrast', 50),
    dark: column('dark', 0.02),
    bright: column('bright', 0.01),
    sharpness: column('sharpness', 400),
    ...colors(times, colorAt),
    difference: column('difference', 1),
    cut: column('cut', 1),
    dissolve: column('dissolve', 0),
    globalX: column('globalX', 0),
    globalY: column('globalY', 0),
    zoom: column('zoom', 0),
    roll: column('roll', 0),
    // A picture that grows as a whole comes closer: most of it lies this far from its center.
    advance: Float32Array.from(frames, ({ advance, zoom = 0 }) => advance ?? zoom * 0.4),
    localMotion: column('localMotion', 0),
    regions,
    regionRows: GRID.rows,
    regionColumns: GRID.columns,
  };
}

/** Mean red, green and blue, and chroma. */
type Color = [red: number, green: number, blue: number, chroma: number];

function colors(times: readonly number[], colorAt: (timeS: number) => Color) {
  const colorTimeS = Float64Array.from(
    times.filter((t, i) => i === 0 || Math.floor(t * 2) > Math.floor(times[i - 1]! * 2)),
  );
  const channel = (index: 0 | 1 | 2 | 3) => Float32Array.from(colorTimeS, (t) => colorAt(t)[index]);
  return { colorTimeS, red: channel(0), green: channel(1), blue: channel(2), chroma: channel(3) };
}

export function sound(
  seconds: number,
  level: (timeS: number) => number,
  peak: (timeS: number) => number = (t) => level(t) + 8,
): AudioLevels {
  const stepS = 0.05;
  const n = Math.round(seconds / stepS);
  return {
    startS: 0,
    stepS,
    levelDb: Float32Array.from({ length: n }, (_, i) => level(i * stepS)),
    peakDb: Float32Array.from({ length: n }, (_, i) => peak(i * stepS)),
  };
}

export type TrackSpec = {
  className: string;
  /** From and to, in seconds. */
  from: number;
  to: number;
  /** Center at a time. */
  at: (timeS: number) => [x: number, y: number];
  size?: (timeS: number) => [width: number, height: number];
  score?: number;
  colors?: [name: string, share: number][];
  clothes?: Record<'upper' | 'lower', [name: string, share: number][]>;
  enteredFrom?: Edge;
  leftTo?: Edge;
  agreement?: number;
  stationary?: [startS: number, endS: number][];
  lit?: [color: LampColor, startS: number, endS: number][];
};

/** Tracks over frames looked at every `1 / fps` seconds. */
export function objects(seconds: number, specs: readonly TrackSpec[], fps = 5): Objects {
  const timeS = Float64Array.from({ length: Math.round(seconds * fps) }, (_, i) => i / fps);
  return {
    model: 'test detector',
    classes: CLASSES,
    timeS,
    pts: Float64Array.from(timeS, ptsOf),
    tracks: specs.map((spec, i) => track(spec, i + 1, timeS)),
  };
}

function track(spec: TrackSpec, id: number, timeS: Float64Array): Track {
  const frame = Int32Array.from(
    [...timeS.keys()].filter((i) => timeS[i]! >= spec.from - 1e-9 && timeS[i]! <= spec.to + 1e-9),
  );
  const size = spec.size ?? (() => [0.08, 0.12] as [number, number]);
  const column = (value: (t: number) => number) => Float32Array.from(frame, (f) => value(timeS[f]!));
  return {
    id,
    className: spec.className,
    colors: named(spec.colors),
    ...(spec.clothes && { clothes: { upper: named(spec.clothes.upper), lower: named(spec.clothes.lower) } }),
    frame,
    x: column((t) => spec.at(t)[0]),
    y: column((t) => spec.at(t)[1]),
    width: column((t) => size(t)[0]),
    height: column((t) => size(t)[1]),
    score: column(() => spec.score ?? 0.7),
    enteredFrom: spec.enteredFrom ?? null,
    leftTo: spec.leftTo ?? null,
    agreement: spec.agreement ?? 1,
    stationary: (spec.stationary ?? []).map(([startS, endS]) => ({ startS, endS })),
    ...(spec.lit && { lit: spec.lit.map(([color, startS, endS]) => ({ color, startS, endS })) }),
  };
}

export function observations(
  seconds: number,
  parts: Partial<Omit<Observations, 'video'>> & { hasAudio?: boolean } = {},
): Observations {
  const { hasAudio = parts.sound != null, ...observed } = parts;
  return {
    video: { durationS: seconds, width: 1280, height: 720, timeBase: TIME_BASE, hasAudio },
    ...NOTHING_OBSERVED,
    ...observed,
  };
}

/** A straight way from one point at one time to another at another time; it waits at both ends. */
export function line(
  t0: number,
  [x0, y0]: [number, number],
  t1: number,
  [x1, y1]: [number, number],
): (t: number) => [number, number] {
  return (t) => {
    const k = Math.max(0, Math.min(1, (t - t0) / (t1 - t0)));
    return [x0 + (x1 - x0) * k, y0 + (y1 - y0) * k];
  };
}
export const still = (x: number, y: number) => (): [number, number] => [x, y];

const named = (colors: [name: string, share: number][] = []) => colors.map(([name, share]) => ({ name, share }));
