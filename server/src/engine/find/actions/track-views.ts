import { isIsolated, MIN_ISOLATED_SCORE } from '../../observe/objects/index.ts';
import type { Edge, Objects, Observations, Track } from '../../observe/observations.ts';
import { VALUES_PER_POSE } from '../../observe/poses/joints.ts';
import { createPlausibility, type Plausibility } from '../plausibility/index.ts';
import { LIMITS } from '../thresholds.ts';
import { indexAt, smooth } from '../time/intervals.ts';
import type { PosedView, TrackMotion, TrackView } from '../types.ts';
import { readSkeleton } from './poses/skeleton.ts';
import { edgesAt } from './track/frame-edges.ts';

/** Views of all tracks with enough detections, duration and score, or of which more detections were impossible. */
export function createTrackViews(observations: Observations): TrackView[] {
  const { objects, video } = observations;
  if (!objects) return [];
  const camera = integrateCameraMotion(observations);
  // In a sparse pass most objects are in a single frame only.
  const [minDetections, minS] = observations.sparsePass ? [1, 0] : [LIMITS.minDetections.limit, LIMITS.trackMin.limit];
  let judge: ((view: TrackView) => Plausibility) | null = null;
  const assess = (view: TrackView): Plausibility => {
    judge ??= createPlausibility(views, video.width / Math.max(1, video.height));
    return judge(view);
  };
  const posed = groupPoses(observations);
  const views = objects.tracks
    .filter((track) => track.frame.length > 0)
    .map((track) =>
      createView(withConfirmedEdges(track, objects.timeS), objects, camera, assess, () =>
        posesOf(track, observations, posed),
      ),
    )
    .filter(
      (view) =>
        (view.detectionCount >= minDetections &&
          view.score >= LIMITS.minTrackScore.limit &&
          view.endS - view.startS >= minS) ||
        view.isLone,
    );
  return views;
}

/** Indices of the poses of each track; null if none were observed, or those of people that another detector found. */
function groupPoses({ objects, poses }: Observations): Map<number, number[]> | null {
  return poses && poses.detector === objects?.model ? Map.groupBy(poses.track.keys(), (at) => poses.track[at]!) : null;
}

function posesOf(
  { id, frame }: Track,
  { poses, video }: Observations,
  groups: ReturnType<typeof groupPoses>,
): PosedView[] | null {
  if (!poses || !groups) return null;
  const aspect = video.width / Math.max(1, video.height);
  return (groups.get(id) ?? []).map((at) => ({
    entry: frame.indexOf(poses.frame[at]!),
    skeleton: readSkeleton(poses.points.subarray(at * VALUES_PER_POSE, (at + 1) * VALUES_PER_POSE), aspect),
  }));
}

/** True for a single detection in a frame that stands alone, as in footage of one frame per second. */
function isLoneDetection({ frame, score }: Track, { timeS }: Objects): boolean {
  return frame.length === 1 && score[0]! >= MIN_ISOLATED_SCORE && isIsolated(frame[0]!, (i) => timeS[i]);
}

/** Drops entry and exit edges over which the inner side did not move: a box that only grows there does not enter. */
function withConfirmedEdges(track: Track, timeS: Float64Array): Track {
  const { enteredFrom, leftTo, frame } = track;
  return {
    ...track,
    enteredFrom: enteredFrom && innerSideMoves(track, timeS, enteredFrom, 0, 1) ? enteredFrom : null,
    leftTo: leftTo && innerSideMoves(track, timeS, leftTo, frame.length - 1, -1) ? leftTo : null,
  };
}

/**
 * True if the side opposite an edge moves by a good part of the object's size, soon after an entry (`step` 1) or before
 * it.
 */
function innerSideMoves(track: Track, timeS: Float64Array, edge: Edge, at: number, step: 1 | -1): boolean {
  const { frame } = track;
  const [center, size] = edge === 'left' || edge === 'right' ? [track.x, track.width] : [track.y, track.height];
  const inwards = edge === 'left' || edge === 'top' ? 1 : -1;
  const sideAt = (k: number) => inwards * center[k]! + size[k]! / 2;
  const isSoon = (k: number) => Math.abs(timeS[frame[k]!]! - timeS[frame[at]!]!) <= LIMITS.edgeCrossing.limit;
  let [distance, maxSize] = [0, 0];
  for (let k = at; k >= 0 && k < frame.length && isSoon(k); k += step) {
    distance = Math.max(distance, sideAt(k) - sideAt(at));
    maxSize = Math.max(maxSize, size[k]!);
  }
  return distance >= LIMITS.overEdge.limit * maxSize;
}

type CameraPath = { x: Float64Array; y: Float64Array; zoom: Float64Array } | null;

/** Displacement and growth of the whole frame up to each frame that the detector examined. */
function integrateCameraMotion({ signals, objects }: Observations): CameraPath {
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

function createView(
  track: Track,
  objects: Objects,
  camera: CameraPath,
  assess: (view: TrackView) => Plausibility,
  readPoses: () => PosedView[] | null,
): TrackView {
  const n = track.frame.length;
  const timeS = Float64Array.from(track.frame, (f) => objects.timeS[f]!);
  let detectionCount = 0;
  let score = 0;
  for (const s of track.score) {
    if (s > 0) detectionCount++;
    score += s;
  }
  const movedCount = countMoved(track);
  let motion: TrackMotion | null = null;
  let plausibility: Plausibility | null = null;
  let poses: PosedView[] | null | undefined;
  const view: TrackView = {
    track,
    timeS,
    startS: timeS[0]!,
    endS: timeS[n - 1]!,
    detectionCount,
    movedCount,
    independentCount: movedCount + Math.min(MAX_REPEATED, REPEATED * (detectionCount - movedCount)),
    isLone: isLoneDetection(track, objects),
    score: detectionCount > 0 ? score / detectionCount : 0,
    motion: () => {
      motion ??= measureMotion(track, timeS, camera);
      return motion;
    },
    poses: () => {
      if (poses === undefined) poses = readPoses();
      return poses;
    },
    plausibility: () => {
      plausibility ??= assess(view);
      return plausibility;
    },
    stationarySpans: track.stationary
      .map(({ startS: a, endS: b }) => ({ from: indexAt(timeS, a - 1e-6) + 1, to: indexAt(timeS, b) }))
      .map(({ from, to }) => ({ from: Math.max(0, Math.min(from, n - 1)), to: Math.max(0, to) }))
      .filter(({ from, to }) => to >= from),
  };
  return view;
}

/**
 * Weight of a detection in the same place as before: its pixels are the same, and so is an error. A window that is
 * taken for a television for a minute is one error, not three hundred confirmations. Calibrated, see
 * docs/decisions/0004.
 */
const REPEATED = 0.05;
/** However long it stands there. */
const MAX_REPEATED = 2;
/** Shift of a box, in shares of its size, from which the detector sees another image. */
const MOVED = 0.15;

/** Counts the detections of a track for which its box has moved. */
function countMoved({ x, y, width, height, score }: Track): number {
  let count = 0;
  let at = -1;
  for (let k = 0; k < score.length; k++) {
    if (score[k]! <= 0) continue;
    const hasMoved =
      at < 0 ||
      Math.abs(x[k]! - x[at]!) > MOVED * width[at]! ||
      Math.abs(y[k]! - y[at]!) > MOVED * height[at]! ||
      Math.abs(Math.log(width[k]! / width[at]!)) > MOVED ||
      Math.abs(Math.log(height[k]! / height[at]!)) > MOVED;
    if (!hasMoved) continue;
    count++;
    at = k;
  }
  return count;
}

/** Integrates a track step by step and subtracts the motion of the camera. */
function measureMotion(track: Track, timeS: Float64Array, camera: CameraPath): TrackMotion {
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
    size[k] = size[k - 1]! + logGrowth(track, k, dz);
  }
  return {
    vx: rateOfChange(x, timeS, LIMITS.smoothing.limit),
    vy: rateOfChange(y, timeS, LIMITS.smoothing.limit),
    growth: rateOfChange(size, timeS, LIMITS.growthSmoothing.limit),
  };
}

/**
 * Logarithm of the growth of a box since the entry before, beyond the growth of the frame. If a frame edge cuts the
 * box, only the dimension along that edge is measured.
 */
function logGrowth(track: Track, k: number, zoom: number): number {
  const edges = [...edgesAt(track, k - 1), ...edgesAt(track, k)];
  const hasWidth = !edges.some((edge) => edge === 'left' || edge === 'right');
  const hasHeight = !edges.some((edge) => edge === 'top' || edge === 'bottom');
  const growth = (size: Float32Array) => Math.log(Math.max(1e-4, size[k]!) / Math.max(1e-4, size[k - 1]!)) - zoom;
  if (hasWidth && hasHeight) return (growth(track.width) + growth(track.height)) / 2;
  return hasWidth ? growth(track.width) : hasHeight ? growth(track.height) : 0;
}

/** Change per second over the smoothing window around each entry. */
function rateOfChange(values: Float64Array, timeS: Float64Array, windowS: number): Float64Array {
  const n = values.length;
  const result = new Float64Array(n);
  const half = windowS / 2;
  const smoothed = smooth(values, timeS, half);
  let from = 0;
  let to = 0;
  for (let k = 0; k < n; k++) {
    while (timeS[from]! < timeS[k]! - half - 1e-9) from++;
    while (to < n - 1 && timeS[to]! < timeS[k]! + half - 1e-9) to++;
    const [a, b] = from === to ? [Math.max(0, k - 1), Math.min(n - 1, k + 1)] : [from, to];
    const dt = timeS[b]! - timeS[a]!;
    result[k] = dt > 0 ? (smoothed[b]! - smoothed[a]!) / dt : 0;
  }
  return result;
}
