import { CLASS_GROUPS, CLASSES } from '../classes.ts';
import type { Detection } from '../detector/detection.ts';
import { type FrameSample, MOTION_SCORE, type RawTrackEntry } from '../tracker/tracker.ts';
import { type ClassifiedTrack, sumVotes, topVote } from './classify-mover.ts';

const PERSON = 'person';
const BIKES = CLASS_GROUPS[CLASSES.indexOf('bicycle')]!;
/** Position of a bike below its rider, in the rider's sizes: offset of the middle, and of the lower and upper edges. */
const OFF_MIDDLE = 0.75;
const LOWEST = 0.4;
const HIGHEST = -0.2;
const TOP = 0.25;
/**
 * Share of the rider's samples with a bike, and number of them with a high score: legs in a crowd look like a bike,
 * too.
 */
const MIN_SHARE = 0.2;
const CONFIDENT = 0.45;
const MIN_CONFIDENT = 2;

/**
 * The bike below a person who rides it. Seen from the front or from behind, a bike is a line that is detected rarely
 * and with low scores; if it is found repeatedly below the same person, it is there all the time.
 */
export function findRiddenBike(
  { className, entries }: ClassifiedTrack,
  samples: readonly FrameSample[],
): ClassifiedTrack | null {
  if (className !== PERSON) return null;
  const seen = entries.map(({ sample: index, detection: rider }) => findBikeBelow(rider, samples[index]!.detections));
  const found = seen.filter((bike) => bike !== null);
  const confident = found.filter(({ score }) => score >= CONFIDENT);
  if (found.length < MIN_SHARE * entries.length || confident.length < MIN_CONFIDENT) return null;
  const classIndex = topVote(sumVotes(found));
  return {
    className: CLASSES[classIndex]!,
    entries: entries.flatMap((entry, at): RawTrackEntry | [] => {
      const bike = seen[at];
      if (!bike) return [];
      const index = samples[entry.sample]!.detections.indexOf(bike);
      return { ...entry, index, detection: { ...bike, score: Math.max(MOTION_SCORE, bike.score) } };
    }),
  };
}

function findBikeBelow(rider: Detection, detections: readonly Detection[]): Detection | null {
  const [width, height] = [rider.x1 - rider.x0, rider.y1 - rider.y0];
  const below = detections.filter((bike) => {
    if (CLASS_GROUPS[bike.classIndex] !== BIKES) return false;
    const off = (bike.x0 + bike.x1 - rider.x0 - rider.x1) / 2;
    const lower = (bike.y1 - rider.y1) / height;
    return (
      Math.abs(off) <= OFF_MIDDLE * width && lower <= LOWEST && lower >= HIGHEST && bike.y0 >= rider.y0 + TOP * height
    );
  });
  return below.toSorted((a, b) => b.score - a.score)[0] ?? null;
}
