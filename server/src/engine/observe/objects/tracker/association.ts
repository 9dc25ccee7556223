import { CLASS_GROUPS, MOVER_WEIGHTS } from '../classes.ts';
import { type Detection, iou } from '../detector/detection.ts';
import type { CameraTransform } from './camera-transform.ts';
import { correct, createKalmanState, type KalmanState, predict, transform } from './kalman.ts';
import type { BoxCorners } from './moving-regions.ts';

/** State of a tracked object: where it should be now, and its class. */
export type TrackState = {
  x: KalmanState;
  y: KalmanState;
  width: KalmanState;
  height: KalmanState;
  detectionCount: number;
  /** Position when last detected. */
  box: BoxCorners;
  lastSeenS: number;
  /** True if it moved when last detected. */
  moves: boolean;
  /** Summed scores by class. */
  scores: Map<number, number>;
};

/** Enlargement of boxes on each side for matching, in box sizes: small if the motion is known, larger if not. */
const REACH_KNOWN = 0.15;
const REACH_UNKNOWN = 0.5;
const REACH_PER_LOST_S = 0.25;
/** Another class of the same group is a weaker match; a moving object of a class that cannot move is weaker still. */
const OTHER_CLASS = 0.85;
const IMMOBILE_CLASS = 0.5;
/** Share of a box with motion from which the object counts as moving. */
const MOVES = 0.5;
/** In box sizes: accuracy of boxes, speed of objects (per second) and its change (per second squared). */
const NOISE = 0.06;
const SPEED = 1.5;
const ACCELERATION = 1.2;
/** Half-life of the velocity of an object that is not detected. */
const VELOCITY_HALF_LIFE_S = 0.7;
/** In multiples of its last size. */
const MAX_GROWTH = 1.4;
/** Objects do not move straight for longer; samples may be far apart in still scenes. */
const MAX_STEP_S = 1;

export function createTrackState(box: Detection, moves: boolean, timeS: number): TrackState {
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  return {
    x: createKalmanState((box.x0 + box.x1) / 2, NOISE * width, SPEED * width),
    y: createKalmanState((box.y0 + box.y1) / 2, NOISE * height, SPEED * height),
    width: createKalmanState(width, NOISE * width, SPEED * width * 0.3),
    height: createKalmanState(height, NOISE * height, SPEED * height * 0.3),
    detectionCount: 1,
    box,
    lastSeenS: timeS,
    moves,
    scores: new Map([[box.classIndex, box.score]]),
  };
}

/** Predicts the state after `dt` seconds, by the motion of the object and of the camera. */
export function predictTrack(
  state: TrackState,
  dt: number,
  { scale, shiftX, shiftY }: CameraTransform,
  timeS: number,
): void {
  const { x, y, width, height } = state;
  const step = Math.min(dt, MAX_STEP_S);
  const decay = timeS - state.lastSeenS > dt ? 0.5 ** (step / VELOCITY_HALF_LIFE_S) : 1;
  for (const [filter, size] of [
    [x, width],
    [y, height],
    [width, width],
    [height, height],
  ] as const) {
    filter.velocity *= decay;
    predict(filter, step, ACCELERATION * Math.max(1e-3, size.position));
  }
  transform(x, scale, shiftX);
  transform(y, scale, shiftY);
  transform(width, scale, 0);
  transform(height, scale, 0);
}

export function updateTrack(state: TrackState, box: Detection, moves: boolean, timeS: number): void {
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  correct(state.x, (box.x0 + box.x1) / 2, NOISE * width);
  correct(state.y, (box.y0 + box.y1) / 2, NOISE * height);
  correct(state.width, width, NOISE * width);
  correct(state.height, height, NOISE * height);
  state.detectionCount++;
  state.box = box;
  state.lastSeenS = timeS;
  state.moves = moves;
  state.scores.set(box.classIndex, (state.scores.get(box.classIndex) ?? 0) + box.score);
}

/** Score of a detection for a track, 0 to 1: overlap of the enlarged boxes, times the similarity of the classes. */
export function scoreAssociation(state: TrackState, detection: Detection, moves: boolean, timeS: number): number {
  const similarity = classSimilarity(state, detection.classIndex, moves);
  if (similarity === 0) return 0;
  const base = state.detectionCount < 2 ? REACH_UNKNOWN : REACH_KNOWN;
  const reach = base + REACH_PER_LOST_S * Math.min(MAX_STEP_S, timeS - state.lastSeenS);
  return iou(enlarged(toPredictedBox(state), reach), enlarged(detection, reach)) * similarity;
}

/** Similarity of two classes, 0 to 1. */
function classSimilarity({ scores, moves: moved }: TrackState, classIndex: number, moves: boolean): number {
  if (scores.has(classIndex)) return 1;
  if ([...scores.keys()].some((seen) => CLASS_GROUPS[seen] === CLASS_GROUPS[classIndex])) return OTHER_CLASS;
  // A person never becomes a car; a phone that drives may.
  const [main = classIndex] = [...scores].reduce((a, b) => (b[1] > a[1] ? b : a));
  return (moves || moved) && (MOVER_WEIGHTS[classIndex] === 0 || MOVER_WEIGHTS[main] === 0) ? IMMOBILE_CLASS : 0;
}

/** Predicted box. Its size changes little, whatever the last change suggests. */
export function toPredictedBox({ x, y, width, height, box }: TrackState): BoxCorners {
  const half = (predicted: number, last: number) =>
    Math.max(1e-3, Math.min(last * MAX_GROWTH, Math.max(last / MAX_GROWTH, predicted))) / 2;
  const halfWidth = half(width.position, box.x1 - box.x0);
  const halfHeight = half(height.position, box.y1 - box.y0);
  return {
    x0: x.position - halfWidth,
    x1: x.position + halfWidth,
    y0: y.position - halfHeight,
    y1: y.position + halfHeight,
  };
}

/** Share of a box that others cover; overlaps count twice. */
export function coveredShare(box: BoxCorners, others: readonly BoxCorners[]): number {
  let covered = 0;
  for (const other of others) {
    const width = Math.min(box.x1, other.x1) - Math.max(box.x0, other.x0);
    const height = Math.min(box.y1, other.y1) - Math.max(box.y0, other.y0);
    if (width > 0 && height > 0) covered += width * height;
  }
  return covered / ((box.x1 - box.x0) * (box.y1 - box.y0));
}

/** True if a sufficient part of a box has motion. */
export const hasMotion = (box: BoxCorners, moving: readonly BoxCorners[]) => coveredShare(box, moving) >= MOVES;

function enlarged({ x0, y0, x1, y1 }: BoxCorners, by: number): BoxCorners {
  const width = (x1 - x0) * by;
  const height = (y1 - y0) * by;
  return { x0: x0 - width, y0: y0 - height, x1: x1 + width, y1: y1 + height };
}
