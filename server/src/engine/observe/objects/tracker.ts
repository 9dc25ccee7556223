import { type CameraStep, NO_STEP } from './camera.ts';
import { CLASSES, GROUP_OF } from './classes.ts';
import { correct, type Follower, predict, startFollower, transform } from './kalman.ts';
import { type Detection, overlap } from './yolox.ts';

/**
 * Tracking: which boxes of different pictures are the same thing. ByteTrack's idea: sure detections are matched first, then unsure ones only with what
 * is already followed, so that a thing half hidden is not lost and noise starts nothing. Predictions follow the thing's own motion and the
 * camera's; a thing lost for a short time is taken up again.
 */
export type Look = { timeS: number; camera: CameraStep; detections: readonly Detection[] };

/** A thing followed: one entry per look in which it was seen. */
export type RawTrack = { entries: RawEntry[] };
export type RawEntry = {
  look: number;
  detection: Detection /** Its place among the look's detections. */;
  index: number;
};

/** From here a detection is sure. */
const SURE = 0.4;
/** A new track needs this. */
const STARTS = 0.45;
/** Seconds for which a lost thing is looked for. */
const LOST_S = 2;
/** At this overlap of the enlarged boxes two are matched, sure ones and unsure ones. */
const MATCH_SURE = 0.15;
const MATCH_UNSURE = 0.35;
/** How much boxes are enlarged on each side for matching, in box sizes: little when the motion is known, more when it is not. */
const REACH_KNOWN = 0.15;
const REACH_UNKNOWN = 0.5;
const REACH_PER_LOST_S = 0.25;
/** Another class of the same group is a weaker match. */
const OTHER_CLASS = 0.85;
/** In box sizes: how exact boxes are, how fast things go (per second) and how much that changes (per second squared). */
const NOISE = 0.06;
const SPEED = 1.5;
const ACCELERATION = 1.2;
/** A velocity is forgotten with this half-life while the thing is not seen. */
const FORGET_S = 0.7;

type Active = {
  track: RawTrack;
  x: Follower;
  y: Follower;
  width: Follower;
  height: Follower;
  lastSeenS: number;
  lastSeenLook: number;
  scores: Map<number, number>;
};

export function trackThings(looks: readonly Look[]): RawTrack[] {
  const tracks: RawTrack[] = [];
  let active: Active[] = [];
  looks.forEach((look, index) => {
    const before = looks[index - 1];
    const dt = before ? look.timeS - before.timeS : 0;
    active = active.filter(({ lastSeenS }) => look.timeS - lastSeenS <= LOST_S);
    for (const thing of active) advance(thing, dt, before ? look.camera : NO_STEP, look.timeS);

    const sure = indexes(look.detections, (d) => d.score >= SURE);
    const unsure = indexes(look.detections, (d) => d.score < SURE);
    const left = match(active, sure, look, index, MATCH_SURE);
    const recent = left.things.filter(({ lastSeenLook }) => lastSeenLook === index - 1);
    match(recent, unsure, look, index, MATCH_UNSURE);
    for (const at of left.detections) {
      const detection = look.detections[at]!;
      if (detection.score < STARTS) continue;
      const thing = start(detection, at, index, look.timeS);
      tracks.push(thing.track);
      active.push(thing);
    }
  });
  return tracks;
}

function indexes(detections: readonly Detection[], wanted: (detection: Detection) => boolean): number[] {
  return detections.flatMap((detection, index) => (wanted(detection) ? [index] : []));
}

/** Pairs things with detections, most overlapping first. Returns what is left of both. */
function match(things: Active[], candidates: number[], look: Look, lookIndex: number, least: number) {
  const pairs = things.flatMap((thing, order) =>
    candidates.flatMap((at) => {
      const likeness = likenessOf(thing, look.detections[at]!, look.timeS);
      return likeness >= least ? [{ thing, at, likeness, order }] : [];
    }),
  );
  pairs.sort((a, b) => b.likeness - a.likeness || a.order - b.order || a.at - b.at);
  const takenThings = new Set<Active>();
  const takenDetections = new Set<number>();
  for (const { thing, at } of pairs) {
    if (takenThings.has(thing) || takenDetections.has(at)) continue;
    takenThings.add(thing);
    takenDetections.add(at);
    see(thing, look.detections[at]!, at, lookIndex, look.timeS);
  }
  return {
    things: things.filter((thing) => !takenThings.has(thing)),
    detections: candidates.filter((at) => !takenDetections.has(at)),
  };
}

function start(detection: Detection, index: number, look: number, timeS: number): Active {
  const width = detection.x1 - detection.x0;
  const height = detection.y1 - detection.y0;
  return {
    track: { entries: [{ look, detection, index }] },
    x: startFollower((detection.x0 + detection.x1) / 2, NOISE * width, SPEED * width),
    y: startFollower((detection.y0 + detection.y1) / 2, NOISE * height, SPEED * height),
    width: startFollower(width, NOISE * width, SPEED * width * 0.3),
    height: startFollower(height, NOISE * height, SPEED * height * 0.3),
    lastSeenS: timeS,
    lastSeenLook: look,
    scores: new Map([[detection.classIndex, detection.score]]),
  };
}

function advance(thing: Active, dt: number, { scale, shiftX, shiftY }: CameraStep, timeS: number): void {
  const { x, y, width, height } = thing;
  const forget = timeS - thing.lastSeenS > dt ? 0.5 ** (dt / FORGET_S) : 1;
  for (const [follower, size] of [
    [x, width],
    [y, height],
    [width, width],
    [height, height],
  ] as const) {
    follower.velocity *= forget;
    predict(follower, dt, ACCELERATION * Math.max(1e-3, size.position));
  }
  transform(x, scale, shiftX);
  transform(y, scale, shiftY);
  transform(width, scale, 0);
  transform(height, scale, 0);
}

function see(thing: Active, detection: Detection, index: number, look: number, timeS: number): void {
  const width = detection.x1 - detection.x0;
  const height = detection.y1 - detection.y0;
  correct(thing.x, (detection.x0 + detection.x1) / 2, NOISE * width);
  correct(thing.y, (detection.y0 + detection.y1) / 2, NOISE * height);
  correct(thing.width, width, NOISE * width);
  correct(thing.height, height, NOISE * height);
  thing.track.entries.push({ look, detection, index });
  thing.lastSeenS = timeS;
  thing.lastSeenLook = look;
  thing.scores.set(detection.classIndex, (thing.scores.get(detection.classIndex) ?? 0) + detection.score);
}

/** How well a detection fits a thing's predicted place and class: overlap of the enlarged boxes, 0 to 1. */
function likenessOf(thing: Active, detection: Detection, timeS: number): number {
  const known = thing.scores.has(detection.classIndex);
  if (!known && ![...thing.scores.keys()].some((seen) => GROUP_OF[seen] === GROUP_OF[detection.classIndex])) return 0;
  const lostS = timeS - thing.lastSeenS;
  const base = thing.track.entries.length < 2 ? REACH_UNKNOWN : REACH_KNOWN;
  const reach = base + REACH_PER_LOST_S * lostS;
  const halfWidth = Math.max(1e-3, thing.width.position) / 2;
  const halfHeight = Math.max(1e-3, thing.height.position) / 2;
  const predicted = {
    x0: thing.x.position - halfWidth,
    x1: thing.x.position + halfWidth,
    y0: thing.y.position - halfHeight,
    y1: thing.y.position + halfHeight,
  };
  return overlap(enlarged(predicted, reach), enlarged(detection, reach)) * (known ? 1 : OTHER_CLASS);
}

type Corners = { x0: number; y0: number; x1: number; y1: number };

function enlarged({ x0, y0, x1, y1 }: Corners, by: number): Corners {
  const width = (x1 - x0) * by;
  const height = (y1 - y0) * by;
  return { x0: x0 - width, y0: y0 - height, x1: x1 + width, y1: y1 + height };
}

/** The class a track was mostly taken for, by summed score. */
export function classOf({ entries }: RawTrack): string {
  const sums = new Map<number, number>();
  for (const { detection } of entries) {
    sums.set(detection.classIndex, (sums.get(detection.classIndex) ?? 0) + detection.score);
  }
  const [best = 0] = [...sums].toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)[0] ?? [];
  return CLASSES[best]!;
}
