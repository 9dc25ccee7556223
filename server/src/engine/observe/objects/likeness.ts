import type { CameraStep } from './camera.ts';
import { GOES, GROUP_OF } from './classes.ts';
import { correct, type Follower, predict, startFollower, transform } from './kalman.ts';
import type { Box } from './movers.ts';
import { type Detection, overlap } from './yolox.ts';

/** A thing as it is followed: where it should be now, and what it was taken for. */
export type Followed = {
  x: Follower;
  y: Follower;
  width: Follower;
  height: Follower;
  sightings: number;
  /** Where it was last seen. */
  box: Box;
  lastSeenS: number;
  /** Whether something moved where it was last seen. */
  moves: boolean;
  /** Summed scores of what it was taken for. */
  scores: Map<number, number>;
};

/** How much boxes are enlarged on each side for matching, in box sizes: little when the motion is known, more when it is not. */
const REACH_KNOWN = 0.15;
const REACH_UNKNOWN = 0.5;
const REACH_PER_LOST_S = 0.25;
/** Another class of the same group is a weaker match, and what moves and was taken for a thing that cannot, a still weaker one. */
const OTHER_CLASS = 0.85;
const OTHER_KIND = 0.5;
/** Share of a box in which something moves, for the thing to move. */
const MOVES = 0.5;
/** In box sizes: how exact boxes are, how fast things go (per second) and how much that changes (per second squared). */
const NOISE = 0.06;
const SPEED = 1.5;
const ACCELERATION = 1.2;
/** A velocity is forgotten with this half-life while the thing is not seen. */
const FORGET_S = 0.7;
/** Times its last size. */
const MOST_GROWTH = 1.4;
/** Nobody goes on straight for longer: where nothing moves, looks may lie far apart. */
const LONGEST_STEP_S = 1;

export function startFollowing(box: Detection, moves: boolean, timeS: number): Followed {
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  return {
    x: startFollower((box.x0 + box.x1) / 2, NOISE * width, SPEED * width),
    y: startFollower((box.y0 + box.y1) / 2, NOISE * height, SPEED * height),
    width: startFollower(width, NOISE * width, SPEED * width * 0.3),
    height: startFollower(height, NOISE * height, SPEED * height * 0.3),
    sightings: 1,
    box,
    lastSeenS: timeS,
    moves,
    scores: new Map([[box.classIndex, box.score]]),
  };
}

/** Moves a thing on by `dt` seconds, with its own motion and the camera's. */
export function advance(thing: Followed, dt: number, { scale, shiftX, shiftY }: CameraStep, timeS: number): void {
  const { x, y, width, height } = thing;
  const step = Math.min(dt, LONGEST_STEP_S);
  const forget = timeS - thing.lastSeenS > dt ? 0.5 ** (step / FORGET_S) : 1;
  for (const [follower, size] of [
    [x, width],
    [y, height],
    [width, width],
    [height, height],
  ] as const) {
    follower.velocity *= forget;
    predict(follower, step, ACCELERATION * Math.max(1e-3, size.position));
  }
  transform(x, scale, shiftX);
  transform(y, scale, shiftY);
  transform(width, scale, 0);
  transform(height, scale, 0);
}

export function see(thing: Followed, box: Detection, moves: boolean, timeS: number): void {
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  correct(thing.x, (box.x0 + box.x1) / 2, NOISE * width);
  correct(thing.y, (box.y0 + box.y1) / 2, NOISE * height);
  correct(thing.width, width, NOISE * width);
  correct(thing.height, height, NOISE * height);
  thing.sightings++;
  thing.box = box;
  thing.lastSeenS = timeS;
  thing.moves = moves;
  thing.scores.set(box.classIndex, (thing.scores.get(box.classIndex) ?? 0) + box.score);
}

/** How well a detection fits a thing's predicted place and class: overlap of the enlarged boxes, 0 to 1. */
export function likenessOf(thing: Followed, detection: Detection, moves: boolean, timeS: number): number {
  const kinship = kinshipOf(thing, detection.classIndex, moves);
  if (kinship === 0) return 0;
  const base = thing.sightings < 2 ? REACH_UNKNOWN : REACH_KNOWN;
  const reach = base + REACH_PER_LOST_S * Math.min(LONGEST_STEP_S, timeS - thing.lastSeenS);
  return overlap(enlarged(placeOf(thing), reach), enlarged(detection, reach)) * kinship;
}

/** How well the classes go together, 0 to 1. */
function kinshipOf({ scores, moves: moved }: Followed, classIndex: number, moves: boolean): number {
  if (scores.has(classIndex)) return 1;
  if ([...scores.keys()].some((seen) => GROUP_OF[seen] === GROUP_OF[classIndex])) return OTHER_CLASS;
  // A person never becomes a car; a phone that drives may.
  const [main = classIndex] = [...scores].reduce((a, b) => (b[1] > a[1] ? b : a));
  return (moves || moved) && (GOES[classIndex] === 0 || GOES[main] === 0) ? OTHER_KIND : 0;
}

/** Where the thing should be now. Its size may not have changed much, whatever the change before promises. */
export function placeOf({ x, y, width, height, box }: Followed): Box {
  const half = (predicted: number, last: number) =>
    Math.max(1e-3, Math.min(last * MOST_GROWTH, Math.max(last / MOST_GROWTH, predicted))) / 2;
  const halfWidth = half(width.position, box.x1 - box.x0);
  const halfHeight = half(height.position, box.y1 - box.y0);
  return {
    x0: x.position - halfWidth,
    x1: x.position + halfWidth,
    y0: y.position - halfHeight,
    y1: y.position + halfHeight,
  };
}

/** Share of a box that others cover, counted twice where they overlap. */
export function coverOf(box: Box, others: readonly Box[]): number {
  let covered = 0;
  for (const other of others) {
    const width = Math.min(box.x1, other.x1) - Math.max(box.x0, other.x0);
    const height = Math.min(box.y1, other.y1) - Math.max(box.y0, other.y0);
    if (width > 0 && height > 0) covered += width * height;
  }
  return covered / ((box.x1 - box.x0) * (box.y1 - box.y0));
}

/** Whether something moves in a good part of a box. */
export const movesIn = (box: Box, moving: readonly Box[]) => coverOf(box, moving) >= MOVES;

function enlarged({ x0, y0, x1, y1 }: Box, by: number): Box {
  const width = (x1 - x0) * by;
  const height = (y1 - y0) * by;
  return { x0: x0 - width, y0: y0 - height, x1: x1 + width, y1: y1 + height };
}
