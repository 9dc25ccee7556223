/** Detector classes of what moves by itself. */
export const ANIMALS: ReadonlySet<string> = new Set([
  'bird',
  'cat',
  'dog',
  'horse',
  'sheep',
  'cow',
  'elephant',
  'bear',
  'zebra',
  'giraffe',
]);
export const VEHICLES: ReadonlySet<string> = new Set(['bicycle', 'car', 'motorcycle', 'bus', 'train', 'truck']);
