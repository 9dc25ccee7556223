import { CLASS_GROUPS, CLASSES } from '../classes.ts';
import { SHARES_PER_BOX } from '../colors.ts';
import { isRare } from '../frequent-classes.ts';
import { type Detection, iou, suppressOverlaps } from './detection.ts';
import type { FrameDetections } from './detector.ts';

/**
 * Largest box that the larger copy of a frame adds, as the side of a square in pixels of the usual copy. It shows large
 * objects less well than the size that the network was trained with: as parts, or twice.
 */
const MAX_SIDE_PX = 48;
/** Overlap from which boxes of the two copies are one object. */
const SAME = 0.5;

/**
 * Detections of a frame in its usual size, and of small objects in a larger copy; of two boxes of one object, the one
 * with the higher score. Colors are those of the usual copy: what only the larger one shows is too small for them. Rare
 * classes are left out of it: most of them are something else.
 */
export function joinScales(
  usual: FrameDetections,
  fine: FrameDetections,
  { width, height }: { width: number; height: number },
): FrameDetections {
  const isSmall = ({ x0, x1, y0, y1 }: Detection) =>
    (x1 - x0) * width * (y1 - y0) * height <= MAX_SIDE_PX * MAX_SIDE_PX;
  const added = fine.detections.filter((box) => isSmall(box) && !isRare(CLASSES[box.classIndex]!));
  const detections = suppressOverlaps([...usual.detections, ...added]);
  const colors = new Float32Array(detections.length * SHARES_PER_BOX);
  for (const [at, box] of detections.entries()) {
    const same = usual.detections.includes(box) ? box : usual.detections.find((each) => isSameObject(each, box));
    if (!same) continue;
    const own = usual.detections.indexOf(same);
    colors.set(usual.colors.subarray(own * SHARES_PER_BOX, (own + 1) * SHARES_PER_BOX), at * SHARES_PER_BOX);
  }
  return { detections, colors };
}

const isSameObject = (a: Detection, b: Detection) =>
  CLASS_GROUPS[a.classIndex] === CLASS_GROUPS[b.classIndex] && iou(a, b) > SAME;
