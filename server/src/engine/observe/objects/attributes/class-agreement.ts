import { CLASS_GROUPS, CLASSES, UNKNOWN_CLASS } from '../classes.ts';
import { iou } from '../detector/detection.ts';
import type { FrameSample } from '../tracker/tracker.ts';

type Step = { x: number; y: number; width: number; height: number; sample: number };

/** Overlap from which a detection is in the place of the track's box. */
const SAME_PLACE = 0.5;

/**
 * Share of the track's class, 0 to 1, in the summed scores of all detections in its place, also in samples where the
 * track itself was not detected. Detections of similar classes (a truck for a car) count for the class. 1 without any.
 */
export function classAgreement(className: string, steps: readonly Step[], samples: readonly FrameSample[]): number {
  const classIndex = CLASSES.indexOf(className);
  if (classIndex < 0) return 1;
  const group = CLASS_GROUPS[classIndex];
  let [own, rival] = [0, 0];
  for (const { x, y, width, height, sample } of steps) {
    const box = { x0: x - width / 2, x1: x + width / 2, y0: y - height / 2, y1: y + height / 2 };
    for (const detection of samples[sample]!.detections) {
      if (detection.classIndex === UNKNOWN_CLASS || iou(detection, box) < SAME_PLACE) continue;
      if (CLASS_GROUPS[detection.classIndex] === group) own += detection.score;
      else rival += detection.score;
    }
  }
  return own + rival > 0 ? own / (own + rival) : 1;
}
