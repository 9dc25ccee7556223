import { CLASS_GROUPS, CLASSES, UNKNOWN_CLASS } from '../objects/classes.ts';
import { type Detection, iou } from '../objects/detector/detection.ts';
import type { Objects, Track } from '../objects/observation.ts';

/** Overlap from which boxes of two scales are one object, whatever class it was taken for ... */
const SAME = 0.5;
/** ... and from which an object of a similar class has a track. */
const KNOWN = 0.3;
/** A rival of another class in the same place is the more likely one if its score is higher. */
const RIVAL = 0.6;

/**
 * Detections that two scales of a frame agree on, and that no known box explains; the score is the mean of both. What
 * only one scale shows is as likely an error: of the labeled tracks of people and road users, 169 of 171 that both
 * scales show are right, of those that neither shows 23 of 34.
 */
export function findAgreeing(
  coarse: readonly Detection[],
  fine: readonly Detection[],
  known: readonly Detection[],
): Detection[] {
  return fine.flatMap((box) => {
    const other = coarse.find((each) => each.classIndex === box.classIndex && iou(each, box) >= SAME);
    if (!other || known.some((each) => isSameObject(each, box))) return [];
    const score = (box.score + other.score) / 2;
    const isRivaled = [...fine, ...coarse].some(
      (each) => groupOf(each) !== groupOf(box) && each.score > score && iou(each, box) >= RIVAL,
    );
    return isRivaled ? [] : [{ ...box, score }];
  });
}

/** The boxes of all tracks in a frame of `objects`, also where they are bridged. */
export function boxesAt({ tracks }: Pick<Objects, 'tracks'>, frame: number): Detection[] {
  return tracks.flatMap((track) => {
    const at = frame - (track.frame[0] ?? 0);
    return track.frame[at] === frame ? [boxOf(track, at)] : [];
  });
}

function boxOf({ className, x, y, width, height, score }: Track, at: number): Detection {
  const [halfWidth, halfHeight] = [width[at]! / 2, height[at]! / 2];
  return {
    x0: x[at]! - halfWidth,
    x1: x[at]! + halfWidth,
    y0: y[at]! - halfHeight,
    y1: y[at]! + halfHeight,
    classIndex: CLASSES.includes(className) ? CLASSES.indexOf(className) : UNKNOWN_CLASS,
    score: score[at]!,
  };
}

const groupOf = ({ classIndex }: Detection) => CLASS_GROUPS[classIndex]!;
const isSameObject = (known: Detection, box: Detection) =>
  iou(known, box) >= (groupOf(known) === groupOf(box) ? KNOWN : SAME);
