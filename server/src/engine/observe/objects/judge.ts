import { CLASSES, GOES, UNKNOWN } from './classes.ts';
import { coverOf } from './likeness.ts';
import { bestOf, goesAbout, isDetected, isMover, type Judged, judgeMovers, votesOf } from './mover.ts';
import { findRidden } from './ridden.ts';
import type { Look, RawEntry, RawTrack } from './tracker.ts';
import { type Detection, overlap } from './yolox.ts';

const CAR = 'car';
/** Much larger than any car beside them. */
const LARGE: ReadonlySet<string> = new Set(['bus', 'train']);
/** Boxes whose lower edges lie this close (of the picture's height) stand on one row, and sides that differ less (times) are of one size. */
const ONE_ROW = 0.05;
const OF_ONE_SIZE = 1.25;
/** Of so many sightings of each, evenly over its time. */
const SAMPLES = 16;
/** So many cars make it one. */
const CARS = 2;
const PERSON = CLASSES.indexOf('person');
/** Seen less often, or less surely in the mean, is a mistake of the detector more often than not. */
const LEAST_LOOKS = 2;
const LEAST_MEAN_SCORE = 0.35;
/** Share of its sightings in a person's box, for a thing that is carried. */
const CARRIED = 0.5;
const IN_A_PERSON = 0.5;
/** Boxes that overlap this much in half of the sightings of one of them are one thing ... */
const ONE_PLACE = 0.6;
const ONE_THING = 0.5;

/** What tracks are, in the order in which they begin, without those that are nothing to be believed or the same thing once more. */
export function judgeAll(tracks: readonly RawTrack[], looks: readonly Look[]): Judged[] {
  const detected = new Map(tracks.map((track) => [track, judgeDetected(track, looks)]));
  const movers = tracks.filter((track) => detected.get(track) === null && isMover(track.entries));
  const moving = new Map(judgeMovers(movers, looks).map((judged, at) => [movers[at]!, judged]));
  const found = tracks.flatMap((track) => detected.get(track) ?? moving.get(track) ?? []);
  const judged = withoutDoubles([...found, ...findRidden(found, looks)]);
  return judged.map((track) =>
    LARGE.has(track.className) && isCarSized(track, judged) ? { ...track, className: CAR } : track,
  );
}

/**
 * Whether several cars were of its size where it was: from above the detector takes any roof for a bus's. On flat ground all that stands on one row of the
 * picture is equally far away.
 */
function isCarSized(track: Judged, others: readonly Judged[]): boolean {
  const boxes = sample(track);
  const cars = others.filter((other) => {
    return other.className === CAR && sample(other).some((there) => boxes.some((here) => isAlike(here, there)));
  });
  return cars.length >= CARS;
}

function sample({ entries }: Judged): Detection[] {
  const every = Math.ceil(entries.length / SAMPLES);
  return entries.flatMap(({ detection }, k) => (k % every === 0 ? [detection] : []));
}

function isAlike(a: Detection, b: Detection): boolean {
  const sized = (one: number, other: number) => one <= other * OF_ONE_SIZE && other <= one * OF_ONE_SIZE;
  return Math.abs(a.y1 - b.y1) <= ONE_ROW && sized(a.x1 - a.x0, b.x1 - b.x0) && sized(a.y1 - a.y0, b.y1 - b.y0);
}

function withoutDoubles(judged: readonly Judged[]): Judged[] {
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

/** What the detector takes a track for; null when it does not know, or says what cannot be. */
function judgeDetected({ entries }: RawTrack, looks: readonly Look[]): Judged | null {
  const best = bestOf(votesOf(entries.map(({ detection }) => detection).filter(isDetected)));
  const going = goesAbout(entries);
  if (best === UNKNOWN || (GOES[best] === 0 && going && !isCarried(entries, looks))) return null;
  // The detector carries it: where only motion was seen there is no box to be had.
  const seen = entries.filter(({ detection }) => isDetected(detection));
  const mean = seen.reduce((sum, { detection }) => sum + detection.score, 0) / seen.length;
  const believed = seen.length >= LEAST_LOOKS && mean >= LEAST_MEAN_SCORE;
  if (believed && (seen.length * 2 >= entries.length || !going)) return { className: CLASSES[best]!, entries: seen };
  return null;
}

function isCarried(entries: readonly RawEntry[], looks: readonly Look[]): boolean {
  const held = entries.filter(({ look, detection }) => {
    const people = looks[look]!.detections.filter(({ classIndex }) => classIndex === PERSON);
    return coverOf(detection, people) >= IN_A_PERSON;
  });
  return held.length >= CARRIED * entries.length;
}
