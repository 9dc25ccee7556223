import type { Edge, Observations, Track } from '../observe/observations.ts';
import { indexAt, type Span, smooth } from './intervals.ts';
import { LIMITS } from './thresholds.ts';

/** A track with what can be computed from it: times, motion against the scene, growth. Arrays are parallel to the track's own. */
export type TrackView = {
  track: Track;
  timeS: Float64Array;
  startS: number;
  endS: number;
  /** Frames the detector saw it in, and its mean score there. */
  looks: number;
  score: number;
  motion: () => Motion;
  /** Entries in which it stands still. */
  still: Span[];
};

/** How a track moves; made when first asked for. */
export type Motion = {
  /** Velocity against the scene (the camera's own motion taken out), picture widths and heights per second. */
  vx: Float64Array;
  vy: Float64Array;
  /** Growth of the box beyond that of the whole picture, per second. */
  growth: Float64Array;
};

/** Tracks worth a statement: seen often enough, long enough, surely enough. */
export function viewTracks(observations: Observations): TrackView[] {
  const { objects } = observations;
  if (!objects) return [];
  const camera = cameraPath(observations);
  // Of what was seen at a glance most is in one picture only.
  const [leastLooks, leastS] = observations.glance ? [1, 0] : [LIMITS.looks.limit, LIMITS.trackMin.limit];
  return objects.tracks
    .filter((track) => track.frame.length > 0)
    .map((track) => view(withEdges(track, objects.timeS), objects.timeS, camera))
    .filter((v) => v.looks >= leastLooks && v.score >= LIMITS.trackScore.limit && v.endS - v.startS >= leastS);
}

/** A track came or went over an edge where its inner side moved too: of a box that only grew or shrank at an edge nothing is known. */
function withEdges(track: Track, timeS: Float64Array): Track {
  const { enteredFrom, leftTo, frame } = track;
  return {
    ...track,
    enteredFrom: enteredFrom && movesOver(track, timeS, enteredFrom, 0, 1) ? enteredFrom : null,
    leftTo: leftTo && movesOver(track, timeS, leftTo, frame.length - 1, -1) ? leftTo : null,
  };
}

/** Whether the side away from an edge is soon away from where it was at an entry, by a good part of the thing's own size. `step`: on from there, or back. */
function movesOver(track: Track, timeS: Float64Array, edge: Edge, at: number, step: 1 | -1): boolean {
  const { frame } = track;
  const [center, size] = edge === 'left' || edge === 'right' ? [track.x, track.width] : [track.y, track.height];
  const inwards = edge === 'left' || edge === 'top' ? 1 : -1;
  const sideAt = (k: number) => inwards * center[k]! + size[k]! / 2;
  const isSoon = (k: number) => Math.abs(timeS[frame[k]!]! - timeS[frame[at]!]!) <= LIMITS.entering.limit;
  let [way, largest] = [0, 0];
  for (let k = at; k >= 0 && k < frame.length && isSoon(k); k += step) {
    way = Math.max(way, sideAt(k) - sideAt(at));
    largest = Math.max(largest, size[k]!);
  }
  return way >= LIMITS.overEdge.limit * largest;
}

type CameraPath = { x: Float64Array; y: Float64Array; zoom: Float64Array } | null;

/** How far the picture as a whole has moved and grown by each frame the detector looked at. */
function cameraPath({ signals, objects }: Observations): CameraPath {
  if (!signals || !objects || signals.timeS.length === 0) return null;
  const n = objects.timeS.length;
  const path = { x: new Float64Array(n), y: new Float64Array(n), zoom: new Float64Array(n) };
  let [x, y, zoom] = [0, 0, 0];
  let i = 1;
  for (let k = 0; k < n; k++) {
    for (; i < signals.timeS.length && signals.timeS[i]! <= objects.timeS[k]! + 1e-9; i++) {
      const dt = signals.timeS[i]! - signals.timeS[i - 1]!;
      x += signals.globalX[i]! * dt;
      y += signals.globalY[i]! * dt;
      zoom += signals.zoom[i]! * dt;
    }
    path.x[k] = x;
    path.y[k] = y;
    path.zoom[k] = zoom;
  }
  return path;
}

function view(track: Track, objectTimes: Float64Array, camera: CameraPath): TrackView {
  const n = track.frame.length;
  const timeS = Float64Array.from(track.frame, (f) => objectTimes[f]!);
  let looks = 0;
  let score = 0;
  for (const s of track.score) {
    if (s > 0) looks++;
    score += s;
  }
  let motion: Motion | null = null;
  return {
    track,
    timeS,
    startS: timeS[0]!,
    endS: timeS[n - 1]!,
    looks,
    score: looks > 0 ? score / looks : 0,
    motion: () => {
      motion ??= motionOf(track, timeS, camera);
      return motion;
    },
    still: track.stationary
      .map(({ startS: a, endS: b }) => ({ from: indexAt(timeS, a - 1e-6) + 1, to: indexAt(timeS, b) }))
      .map(({ from, to }) => ({ from: Math.max(0, Math.min(from, n - 1)), to: Math.max(0, to) }))
      .filter(({ from, to }) => to >= from),
  };
}

/** Follows the track step by step, taking out what the camera did meanwhile. */
function motionOf(track: Track, timeS: Float64Array, camera: CameraPath): Motion {
  const n = track.frame.length;
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  const size = new Float64Array(n);
  for (let k = 1; k < n; k++) {
    const [f, p] = [track.frame[k]!, track.frame[k - 1]!];
    const dz = camera ? camera.zoom[f]! - camera.zoom[p]! : 0;
    const dx = camera ? camera.x[f]! - camera.x[p]! : 0;
    const dy = camera ? camera.y[f]! - camera.y[p]! : 0;
    x[k] = x[k - 1]! + (track.x[k]! - track.x[k - 1]!) - dx - dz * (track.x[k - 1]! - 0.5);
    y[k] = y[k - 1]! + (track.y[k]! - track.y[k - 1]!) - dy - dz * (track.y[k - 1]! - 0.5);
    size[k] = size[k - 1]! + growthOf(track, k, dz);
  }
  return {
    vx: rate(x, timeS, LIMITS.smoothing.limit),
    vy: rate(y, timeS, LIMITS.smoothing.limit),
    growth: rate(size, timeS, LIMITS.growthSmoothing.limit),
  };
}

/** Logarithm of how much the box grew since the entry before, beyond the picture's own growth. Where an edge cuts the box, only the side along it tells. */
function growthOf(track: Track, k: number, zoom: number): number {
  const edges = [...edgesAt(track, k - 1), ...edgesAt(track, k)];
  const wide = !edges.some((edge) => edge === 'left' || edge === 'right');
  const high = !edges.some((edge) => edge === 'top' || edge === 'bottom');
  const grown = (size: Float32Array) => Math.log(Math.max(1e-4, size[k]!) / Math.max(1e-4, size[k - 1]!)) - zoom;
  if (wide && high) return (grown(track.width) + grown(track.height)) / 2;
  return wide ? grown(track.width) : high ? grown(track.height) : 0;
}

/** Change per second over the smoothing window around each entry. */
function rate(values: Float64Array, timeS: Float64Array, windowS: number): Float64Array {
  const n = values.length;
  const result = new Float64Array(n);
  const half = windowS / 2;
  const even = smooth(values, timeS, half);
  let from = 0;
  let to = 0;
  for (let k = 0; k < n; k++) {
    while (timeS[from]! < timeS[k]! - half - 1e-9) from++;
    while (to < n - 1 && timeS[to]! < timeS[k]! + half - 1e-9) to++;
    const [a, b] = from === to ? [Math.max(0, k - 1), Math.min(n - 1, k + 1)] : [from, to];
    const dt = timeS[b]! - timeS[a]!;
    result[k] = dt > 0 ? (even[b]! - even[a]!) / dt : 0;
  }
  return result;
}

/** The edge of the picture that the box touches most plainly; null for none. */
export const edgeAt = (track: Track, k: number): Edge | null => edgesAt(track, k)[0] ?? null;

export const touchesEdge = (track: Track, k: number): boolean => edgesAt(track, k).length > 0;

/** The edges of the picture that the box touches, the most plainly touched first. */
function edgesAt(track: Track, k: number): Edge[] {
  const [w, h] = [track.width[k]! / 2, track.height[k]! / 2];
  const gaps: [Edge, number][] = [
    ['left', track.x[k]! - w],
    ['right', 1 - track.x[k]! - w],
    ['top', track.y[k]! - h],
    ['bottom', 1 - track.y[k]! - h],
  ];
  return gaps
    .filter(([, gap]) => gap < LIMITS.nearEdge.limit)
    .sort(([, a], [, b]) => a - b)
    .map(([edge]) => edge);
}
