import type { Objects, Track } from '../objects/observation.ts';

type Entry = { frame: number; x: number; y?: number; width: number; height?: number; score?: number };

/** A track with these boxes: centers and sizes are fractions of the frame. */
export const trackOf = (id: number, entries: readonly Entry[], className = 'car'): Track => ({
  id,
  className,
  colors: [],
  enteredFrom: null,
  leftTo: null,
  agreement: 1,
  stationary: [],
  frame: Int32Array.from(entries, ({ frame }) => frame),
  x: Float32Array.from(entries, ({ x }) => x),
  y: Float32Array.from(entries, ({ y = 0.5 }) => y),
  width: Float32Array.from(entries, ({ width }) => width),
  height: Float32Array.from(entries, ({ width, height = width }) => height),
  score: Float32Array.from(entries, ({ score = 0.8 }) => score),
});

/** Objects in frames that are `stepS` apart, 25 ticks a second. */
export function objectsOf(tracks: Track[], stepS = 1): Objects {
  const frames = 1 + Math.max(0, ...tracks.map(({ frame }) => frame.at(-1)!));
  const timeS = Float64Array.from({ length: frames }, (_, at) => at * stepS);
  return { model: 'yolox_nano fd7193b8405b', classes: ['car'], timeS, pts: timeS.map((time) => time * 25), tracks };
}

/** A car that comes nearer until the edge of the frame cuts it off, and one that is far away first. */
export const trackedCars = (): Objects =>
  objectsOf([
    trackOf(1, [
      { frame: 0, x: 0.5, width: 0.2 },
      { frame: 1, x: 0.6, width: 0.3 },
      { frame: 2, x: 0.8, width: 0.4 },
    ]),
    trackOf(4, [
      { frame: 1, x: 0.5, width: 0.1 },
      { frame: 3, x: 0.4, width: 0.3 },
    ]),
  ]);
