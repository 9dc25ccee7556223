import { CLASS_GROUPS, CLASSES, GROUP_DEFAULTS, MOVER_WEIGHTS, MOVING_OBJECT, UNKNOWN_CLASS } from '../classes.ts';
import { type Detection, iou } from '../detector/detection.ts';
import { coveredShare } from '../tracker/association.ts';
import { type FrameSample, MOTION_SCORE, type RawTrackEntry } from '../tracker/tracker.ts';

/** The class of a track, and the entries that support it. */
export type ClassifiedTrack = { className: string; entries: readonly RawTrackEntry[] };

/**
 * Motion without a detection is an object if it has this many entries and travels this far (in its own sizes and in
 * fractions of the frame) and straight enough.
 */
const MIN_ENTRIES = 4;
const MIN_DISTANCE_SIZES = 0.5;
const MIN_DISTANCE = 0.1;
const MIN_STRAIGHTNESS = 0.5;
/** Share of its entries in which something moves. */
const MIN_MOVING_SHARE = 0.6;
/** Share of the samples from first to last in which it moves: motion of an object is continuous. */
const MIN_DENSITY = 0.6;
/** Overlap of two boxes of the same object. */
const SAME_OBJECT = 0.5;
/** The same for a box and a moving region: share of the box inside it, and overlap. */
const INSIDE_REGION = 0.7;
const MIN_OVERLAP = 0.15;
/** Summed scores that give a moving object its class ... */
const MIN_VOTES = 0.2;
/** ... and if enough other moving objects have that class. */
const MIN_VOTES_AMONG_SIMILAR = 0.1;

/** The class of a moving object by itself, and if other moving objects of that class were found. */
export type ClassifiedMover = { independent: ClassifiedTrack; amongSimilar: ClassifiedTrack };

/**
 * Classifies an object that moves in front of a fixed camera: by all detections in its place of classes that can
 * move.
 */
export function classifyMover(entries: readonly RawTrackEntry[], samples: readonly FrameSample[]): ClassifiedMover {
  return {
    independent: classifyByVotes(MIN_VOTES, entries, samples),
    amongSimilar: classifyByVotes(MIN_VOTES_AMONG_SIMILAR, entries, samples),
  };
}

/** True if a track is that of a moving object, without any detection. */
export function isMovingTrack(entries: readonly RawTrackEntry[]): boolean {
  const samples = entries.at(-1)!.sample - entries[0]!.sample + 1;
  return entries.length >= Math.max(MIN_ENTRIES, MIN_DENSITY * samples) && isTraveling(entries);
}

/** True if an object moves in front of a fixed camera, far enough and not just back and forth. */
export function isTraveling(entries: readonly RawTrackEntry[]): boolean {
  return entries.filter(({ moves }) => moves).length >= MIN_MOVING_SHARE * entries.length && hasTraveled(entries);
}

function classifyByVotes(
  minVotes: number,
  entries: readonly RawTrackEntry[],
  samples: readonly FrameSample[],
): ClassifiedTrack {
  const around = entries.flatMap(({ sample: index, detection }) => {
    // Moving regions are coarse blocks: the object is somewhere inside.
    const isHere = (other: Detection) => {
      if (isDetected(detection)) return iou(other, detection) >= SAME_OBJECT;
      return coveredShare(other, [detection]) >= INSIDE_REGION && iou(other, detection) >= MIN_OVERLAP;
    };
    return samples[index]!.detections.filter((other) => MOVER_WEIGHTS[other.classIndex]! > 0 && isHere(other));
  });
  const byGroup = new Map<number, number>();
  for (const { classIndex, score } of around) {
    const group = CLASS_GROUPS[classIndex]!;
    byGroup.set(group, (byGroup.get(group) ?? 0) + score * MOVER_WEIGHTS[classIndex]!);
  }
  const group = topVote(byGroup);
  const known = group !== UNKNOWN_CLASS && byGroup.get(group)! >= minVotes;
  const inGroup = sumVotes(
    around.filter(({ classIndex, score }) => CLASS_GROUPS[classIndex] === group && score >= MOTION_SCORE),
  );
  const best = inGroup.size > 0 ? topVote(inGroup) : (GROUP_DEFAULTS.get(group) ?? group);
  return {
    className: known ? CLASSES[best]! : MOVING_OBJECT,
    entries: entries.map((entry) => {
      const fits = known && CLASS_GROUPS[entry.detection.classIndex] === group;
      const score = fits ? Math.max(MOTION_SCORE, entry.detection.score) : MOTION_SCORE;
      return { ...entry, detection: { ...entry.detection, score } };
    }),
  };
}

export const isDetected = ({ classIndex }: Detection) => classIndex !== UNKNOWN_CLASS;

export function sumVotes(seen: readonly { classIndex: number; score: number }[]): Map<number, number> {
  const votes = new Map<number, number>();
  for (const { classIndex, score } of seen) votes.set(classIndex, (votes.get(classIndex) ?? 0) + score);
  return votes;
}

export function topVote(votes: ReadonlyMap<number, number>): number {
  return [...votes].toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)[0]?.[0] ?? UNKNOWN_CLASS;
}

function hasTraveled(entries: readonly RawTrackEntry[]): boolean {
  const places = entries.map(({ detection: { x0, x1, y0, y1 } }) => ({
    x: (x0 + x1) / 2,
    y: (y0 + y1) / 2,
    w: x1 - x0,
    h: y1 - y0,
  }));
  const [first, last] = [places[0]!, places.at(-1)!];
  const distance = Math.hypot(last.x - first.x, last.y - first.y);
  const path = places.reduce((sum, { x, y }, k) => {
    const before = places[Math.max(0, k - 1)]!;
    return sum + Math.hypot(x - before.x, y - before.y);
  }, 0);
  const size = Math.hypot(
    (last.x - first.x) / Math.max(first.w, last.w),
    (last.y - first.y) / Math.max(first.h, last.h),
  );
  return distance >= MIN_DISTANCE && size >= MIN_DISTANCE_SIZES && distance >= MIN_STRAIGHTNESS * path;
}
