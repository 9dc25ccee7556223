import { CLASSES, COMMONEST, GOES, GROUP_OF, MOVING_OBJECT, UNKNOWN } from './classes.ts';
import { coverOf } from './likeness.ts';
import { type Look, MOTION_SCORE, type RawEntry, type RawTrack } from './tracker.ts';
import { type Detection, overlap } from './yolox.ts';

/** What a track is taken for, and the sightings that count for it. */
export type Judged = { className: string; entries: RawEntry[] };

const PERSON = CLASSES.indexOf('person');
/** Seen less often, or less surely in the mean, is a mistake of the detector more often than not. */
const LEAST_LOOKS = 2;
const LEAST_MEAN_SCORE = 0.35;
/** The same for what motion tells of: it has to go somewhere (in its own sizes and in fractions of the picture), and straight enough. */
const LEAST_MOVING_LOOKS = 4;
const LEAST_WAY_SIZES = 0.5;
const LEAST_WAY = 0.1;
const LEAST_STRAIGHT = 0.5;
/** Share of the looks from its first to its last in which it moves: motion does not come and go. */
const DENSE = 0.6;
/** Share of its sightings in which something moves, for a thing that goes about. */
const GOING = 0.6;
/** Share of its sightings in a person's box, for a thing that is carried. */
const CARRIED = 0.5;
const IN_A_PERSON = 0.5;
/** Overlap of boxes that are taken to be of one thing. */
const SAME = 0.5;
/** The same of a box and the blocks that move: share of the box in them, and overlap. */
const INSIDE = 0.7;
const FILLS = 0.15;
/** Summed scores that make a class of what moves. */
const LEAST_VOTES = 0.2;

/** Boxes that overlap this much in half of the sightings of one of them are one thing ... */
const ONE_PLACE = 0.6;
const ONE_THING = 0.5;

/** What tracks are, without those that are nothing to be believed, or the same thing once more. */
export function judgeAll(tracks: readonly RawTrack[], looks: readonly Look[]): Judged[] {
  const judged = tracks.flatMap((track) => judge(track, looks) ?? []);
  const inLook = Map.groupBy(
    judged.flatMap((track) => track.entries.map((entry) => ({ track, entry }))),
    ({ entry }) => entry.look,
  );
  const weight = new Map(
    judged.map((track) => [track, track.entries.reduce((sum, { detection }) => sum + detection.score, 0)]),
  );
  return judged.filter((track) => {
    const shared = new Map<Judged, number>();
    for (const { look, detection } of track.entries) {
      for (const { track: other, entry } of inLook.get(look)!) {
        if (other !== track && overlap(entry.detection, detection) >= ONE_PLACE)
          shared.set(other, (shared.get(other) ?? 0) + 1);
      }
    }
    return ![...shared].some(
      ([other, looks]) => looks >= ONE_THING * track.entries.length && weight.get(other)! > weight.get(track)!,
    );
  });
}

/** What a track is, or null when it is nothing to be believed. */
function judge({ entries }: RawTrack, looks: readonly Look[]): Judged | null {
  const votes = votesOf(entries.map(({ detection }) => detection).filter(isDetected));
  const best = bestOf(votes);
  const going = entries.filter(({ moves }) => moves).length >= GOING * entries.length && goesSomewhere(entries);
  if (best !== UNKNOWN && (GOES[best]! > 0 || !going || isCarried(entries, looks))) {
    // The detector carries it: where only motion was seen there is no box to be had.
    const seen = entries.filter(({ detection }) => isDetected(detection));
    const mean = seen.reduce((sum, { detection }) => sum + detection.score, 0) / seen.length;
    const believed = seen.length >= LEAST_LOOKS && mean >= LEAST_MEAN_SCORE;
    if (believed && (seen.length * 2 >= entries.length || !going)) return { className: CLASSES[best]!, entries: seen };
  }
  const lookedAt = entries.at(-1)!.look - entries[0]!.look + 1;
  if (!going || entries.length < Math.max(LEAST_MOVING_LOOKS, DENSE * lookedAt)) return null;
  return judgeMover(entries, looks);
}

/** Something that goes about: of all that was seen in its place, the class that can. */
function judgeMover(entries: readonly RawEntry[], looks: readonly Look[]): Judged {
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
  const known = group !== UNKNOWN && byGroup.get(group)! >= LEAST_VOTES;
  const inGroup = votesOf(
    around.filter(({ classIndex, score }) => GROUP_OF[classIndex] === group && score >= MOTION_SCORE),
  );
  const named = inGroup.size > 0 ? bestOf(inGroup) : (COMMONEST.get(group) ?? group);
  return {
    className: known ? CLASSES[named]! : MOVING_OBJECT,
    entries: entries.map((entry) => {
      const fits = known && GROUP_OF[entry.detection.classIndex] === group;
      const score = fits ? Math.max(MOTION_SCORE, entry.detection.score) : MOTION_SCORE;
      return { ...entry, detection: { ...entry.detection, score } };
    }),
  };
}

const isDetected = ({ classIndex }: Detection) => classIndex !== UNKNOWN;

function votesOf(seen: readonly { classIndex: number; score: number }[]): Map<number, number> {
  const votes = new Map<number, number>();
  for (const { classIndex, score } of seen) votes.set(classIndex, (votes.get(classIndex) ?? 0) + score);
  return votes;
}

function bestOf(votes: ReadonlyMap<number, number>): number {
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

function isCarried(entries: readonly RawEntry[], looks: readonly Look[]): boolean {
  const held = entries.filter(({ look, detection }) => {
    const people = looks[look]!.detections.filter(({ classIndex }) => classIndex === PERSON);
    return coverOf(detection, people) >= IN_A_PERSON;
  });
  return held.length >= CARRIED * entries.length;
}
