/**
 * Classes with at least 8,000 instances in the training images of COCO 2017, of 860,001 of all 80 classes: a detector
 * has learned what they look like, and what only looks like them. Of the rest it reports far more than there is.
 */
const FREQUENT: ReadonlySet<string> = new Set([
  'person',
  'bicycle',
  'car',
  'motorcycle',
  'bus',
  'truck',
  'chair',
  'bottle',
  'book',
  'cup',
  'dining table',
  'bowl',
  'traffic light',
  'handbag',
  'umbrella',
  'bird',
  'boat',
  'bench',
  'sheep',
  'banana',
  'kite',
  'backpack',
  'potted plant',
  'cow',
]);

/** True for a class of which a detector has seen few objects when it was trained. */
export const isRare = (className: string) => !FREQUENT.has(className);
