import { CLASS_GROUPS } from '../classes.ts';
import type { LampColor } from '../lit-lamp.ts';

/** Least score that is tracked: a weak detection may continue a track, but never start one. */
export const MIN_SCORE = 0.1;
/** Overlap (intersection over union) from which two boxes of one class are the same object ... */
const SAME = 0.5;
/** ... and two boxes of similar classes. */
const SAME_ALIKE = 0.65;

export type Corners = { x0: number; y0: number; x1: number; y1: number };

/**
 * A box in fractions of the frame, clipped to it, with its class (an index of `CLASSES`). `lamp` is the lit lamp of a
 * traffic light: null if none stands out, missing if the box is too small to tell.
 */
export type Detection = Corners & { classIndex: number; score: number; lamp?: LampColor | null };

/** Clips a box to the frame; null if nothing of it is inside. */
export function clipBox({ x0, y0, x1, y1 }: Corners): Corners | null {
  const box = { x0: clip(x0), y0: clip(y0), x1: clip(x1), y1: clip(y1) };
  return box.x1 > box.x0 && box.y1 > box.y0 ? box : null;
}

const clip = (value: number) => Math.min(1, Math.max(0, value));

/** Non-maximum suppression: keeps the best of several boxes of one object. */
export function suppressOverlaps(found: Detection[]): Detection[] {
  // The sort is stable: equal scores keep the detector's order.
  const byScore = found.toSorted((a, b) => b.score - a.score);
  const best: Detection[] = [];
  for (const box of byScore) {
    const isKnown = best.some((other) => {
      if (other.classIndex === box.classIndex) return iou(box, other) > SAME;
      return CLASS_GROUPS[other.classIndex] === CLASS_GROUPS[box.classIndex] && iou(box, other) > SAME_ALIKE;
    });
    if (!isKnown) best.push(box);
  }
  return best;
}

/** Intersection over union of two boxes, 0 to 1. */
export function iou(a: Corners, b: Corners): number {
  const shared = sharedArea(a, b);
  return shared === 0 ? 0 : shared / (areaOf(a) + areaOf(b) - shared);
}

export const areaOf = ({ x0, y0, x1, y1 }: Corners): number => (x1 - x0) * (y1 - y0);

/** Area of the intersection of two boxes; 0 if they have none. */
export function sharedArea(a: Corners, b: Corners): number {
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return width <= 0 || height <= 0 ? 0 : width * height;
}
