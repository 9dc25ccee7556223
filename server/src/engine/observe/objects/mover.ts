import { CLASSES, COMMONEST, GOES, GROUP_OF, MOVING_OBJECT, UNKNOWN } from './classes.ts';
import { coverOf } from './likeness.ts';
import { type Look, MOTION_SCORE, type RawEntry } from './tracker.ts';
import { type Detection, overlap } from './yolox.ts';

/** What a track is taken for, and the sightings that count for it. */
export type Judged = { className: string; entries: readonly RawEntry[] };

/** What motion tells of has to be seen this often, go somewhere (in its own sizes and in fractions of the picture), and straight enough. */
const LEAST_LOOKS = 4;
const LEAST_WAY_SIZES = 0.5;
const LEAST_WAY = 0.1;
const LEAST_STRAIGHT = 0.5;
/** Share of its sightings in which something moves. */
const GOING = 0.6;
/** Share of the looks from its first to its last in which it moves: motion does not come and go. */
const DENSE = 0.6;
/** Overlap of boxes that are taken to be of one thing. */
const SAME = 0.5;
/** The same of a box and the blocks that move: share of the box in them, and overlap. */
const INSIDE = 0.7;
const FILLS = 0.15;
/** Summed scores that make a class of what moves ... */
const LEAST_VOTES = 0.2;
/** ... and where so many others that go about were found to be of that class. */
const LEAST_VOTES_AMONG_ALIKE = 0.1;

/** What moves is taken for by itself, and where others that go about were found to be of that class. */
export type JudgedMover = { alone: Judged; amongAlike: Judged };

/** A thing that goes about before a standing camera: of all that was seen in its place, the class that can. */
export function judgeMover(entries: readonly RawEntry[], looks: readonly Look[]): JudgedMover {
  return {
    alone: judgeBy(LEAST_VOTES, entries, looks),
    amongAlike: judgeBy(LEAST_VOTES_AMONG_ALIKE, entries, looks),
  };
}

/** Whether a track is that of something that goes about, without any detector's word. */
export function isMover(entries: readonly RawEntry[]): boolean {
  const looks = entries.at(-1)!.look - entries[0]!.look + 1;
  return entries.length >= Math.max(LEAST_LOOKS, DENSE * looks) && goesAbout(entries);
}

/** Whether a thing moves before a standing camera, far enough and not to and fro. */
export function goesAbout(entries: readonly RawEntry[]): boolean {
  return entries.filter(({ moves }) => moves).length >= GOING * entries.length && goesSomewhere(entries);
}

function judgeBy(leastVotes: number, entries: readonly RawEntry[], looks: readonly Look[]): Judged {
  const around = entries.flatMap(({ look, detection }) => {
    // What moves is seen in coarse blocks: the thing lies somewhere in them.
    const isHere = (other: Detection) => {
      if (isDetected(detection)) return overlap(other, detection) >= SAME;
      return coverOf(other, [detection]) >= INSIDE && overlap(other, detection) >= FILLS;
    };
    return looks[look]!.detections.filter((other) => GOES[other.classIndex]! > 0 && isHere(other));
  });
  const byGroup = new Map<number, number>();
  for (const { classIndex, score } of around) {
    const group = GROUP_OF[classIndex]!;
    byGroup.set(group, (byGroup.get(group) ?? 0) + score * GOES[classIndex]!);
  }
  const group = bestOf(byGroup);
  const known = group !== UNKNOWN && byGroup.get(group)! >= leastVotes;
  const inGroup = votesOf(
    around.filter(({ classIndex, score }) => GROUP_OF[classIndex] === group && score >= MOTION_SCORE),
  );
  const best = inGroup.size > 0 ? bestOf(inGroup) : (COMMONEST.get(group) ?? group);
  return {
    className: known ? CLASSES[best]! : MOVING_OBJECT,
    entries: entries.map((entry) => {
      const fits = known && GROUP_OF[entry.detection.classIndex] === group;
      const score = fits ? Math.max(MOTION_SCORE, entry.detection.score) : MOTION_SCORE;
      return { ...entry, detection: { ...entry.detection, score } };
    }),
  };
}

export const isDetected = ({ classIndex }: Detection) => classIndex !== UNKNOWN;

export function votesOf(seen: readonly { classIndex: number; score: number }[]): Map<number, number> {
  const votes = new Map<number, number>();
  for (const { classIndex, score } of seen) votes.set(classIndex, (votes.get(classIndex) ?? 0) + score);
  return votes;
}

export function bestOf(votes: ReadonlyMap<number, number>): number {
  return [...votes].toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)[0]?.[0] ?? UNKNOWN;
}

function goesSomewhere(entries: readonly RawEntry[]): boolean {
  const places = entries.map(({ detection: { x0, x1, y0, y1 } }) => ({
    x: (x0 + x1) / 2,
    y: (y0 + y1) / 2,
    w: x1 - x0,
    h: y1 - y0,
  }));
  const [first, last] = [places[0]!, places.at(-1)!];
  const way = Math.hypot(last.x - first.x, last.y - first.y);
  const path = places.reduce((sum, { x, y }, k) => {
    const before = places[Math.max(0, k - 1)]!;
    return sum + Math.hypot(x - before.x, y - before.y);
  }, 0);
  const size = Math.hypot(
    (last.x - first.x) / Math.max(first.w, last.w),
    (last.y - first.y) / Math.max(first.h, last.h),
  );
  return way >= LEAST_WAY && size >= LEAST_WAY_SIZES && way >= LEAST_STRAIGHT * path;
}
