import { CLASSES, GOES, UNKNOWN } from './classes.ts';
import { coverOf } from './likeness.ts';
import { bestOf, goesAbout, isDetected, isMover, type Judged, type JudgedMover, judgeMover, votesOf } from './mover.ts';
import type { Look, RawEntry, RawTrack } from './tracker.ts';

const PERSON = CLASSES.indexOf('person');
/** Seen less often, or less surely in the mean, is a mistake of the detector more often than not. */
const LEAST_LOOKS = 2;
const LEAST_MEAN_SCORE = 0.35;
/** Share of its sightings in a person's box, for a thing that is carried. */
const CARRIED = 0.5;
const IN_A_PERSON = 0.5;

/** What a track is, as far as it tells by itself; null for what is nothing to be believed. */
export function judge({ entries }: RawTrack, looks: readonly Look[]): Judged | JudgedMover | null {
  return judgeDetected(entries, looks) ?? (isMover(entries) ? judgeMover(entries, looks) : null);
}

/** What the detector takes a track for; null when it does not know, or says what cannot be. */
function judgeDetected(entries: readonly RawEntry[], looks: readonly Look[]): Judged | null {
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
