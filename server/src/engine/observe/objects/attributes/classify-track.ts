import { CLASSES, MOVER_WEIGHTS, UNKNOWN_CLASS } from '../classes.ts';
import { isIsolated, MIN_ISOLATED_SCORE } from '../isolated-sample.ts';
import { coveredShare } from '../tracker/association.ts';
import type { FrameSample, RawTrack, RawTrackEntry } from '../tracker/tracker.ts';
import {
  type ClassifiedMover,
  type ClassifiedTrack,
  classifyMover,
  isDetected,
  isMovingTrack,
  isTraveling,
  sumVotes,
  topVote,
} from './classify-mover.ts';

const PERSON = CLASSES.indexOf('person');
/**
 * Tracks with fewer detections or a lower mean score are false positives more often than not, where a second detection
 * was possible: at one frame per second, whatever passes is in a single frame.
 */
const MIN_DETECTIONS = 2;
const MIN_MEAN_SCORE = 0.35;
/** Share of the entries of a carried object that are inside the box of a person. */
const MIN_CARRIED_SHARE = 0.5;
const INSIDE_PERSON = 0.5;

/** Classifies a track; null for a false positive. */
export function classifyTrack(
  { entries }: RawTrack,
  samples: readonly FrameSample[],
): ClassifiedTrack | ClassifiedMover | null {
  return classifyByDetections(entries, samples) ?? (isMovingTrack(entries) ? classifyMover(entries, samples) : null);
}

/** Class by detections; null if there are none, or if the class cannot move like this. */
function classifyByDetections(
  entries: readonly RawTrackEntry[],
  samples: readonly FrameSample[],
): ClassifiedTrack | null {
  const best = topVote(sumVotes(entries.map(({ detection }) => detection).filter(isDetected)));
  if (best === UNKNOWN_CLASS) return null;
  const isMoving = isTraveling(entries);
  // Only detections count: motion alone has no exact box.
  const seen = entries.filter(({ detection }) => isDetected(detection));
  const mean = seen.reduce((sum, { detection }) => sum + detection.score, 0) / seen.length;
  const isReliable = seen.length >= MIN_DETECTIONS && mean >= MIN_MEAN_SCORE;
  const canMove = MOVER_WEIGHTS[best] !== 0 || !isMoving || isCarried(entries, samples);
  if (canMove && isReliable && (seen.length * 2 >= entries.length || !isMoving))
    return { className: CLASSES[best]!, entries: seen };
  // Of samples far apart, each detection counts by itself: their association is uncertain.
  const isolated = seen.filter(
    ({ sample, detection }) =>
      detection.classIndex === best &&
      detection.score >= MIN_ISOLATED_SCORE &&
      isIsolated(sample, (index) => samples[index]?.timeS),
  );
  return isolated.length > 0 ? { className: CLASSES[best]!, entries: isolated } : null;
}

function isCarried(entries: readonly RawTrackEntry[], samples: readonly FrameSample[]): boolean {
  const carried = entries.filter(({ sample: index, detection }) => {
    const people = samples[index]!.detections.filter(({ classIndex }) => classIndex === PERSON);
    return coveredShare(detection, people) >= INSIDE_PERSON;
  });
  return carried.length >= MIN_CARRIED_SHARE * entries.length;
}
