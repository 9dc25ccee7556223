/** Detector classes with something in common. */

export const ROAD_VEHICLES: readonly string[] = ['car', 'truck', 'bus', 'motorcycle'];

/** Objects that people put down and pick up; a car at rest is not left behind. */
export const PORTABLE: readonly string[] = [
  'backpack',
  'handbag',
  'suitcase',
  'umbrella',
  'sports ball',
  'skateboard',
  'bicycle',
  'bottle',
  'cup',
  'laptop',
  'cell phone',
  'book',
  'teddy bear',
];
