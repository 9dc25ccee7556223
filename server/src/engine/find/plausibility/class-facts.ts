/** Facts about the detector's classes: how large they are, and how they look. */

/** People and road users: most of what cameras record, and of what detectors are trained on. */
export const PEOPLE_AND_ROAD_USERS: ReadonlySet<string> = new Set([
  'person',
  'bicycle',
  'car',
  'motorcycle',
  'bus',
  'truck',
]);

/** Classes of vehicles that are recognized by their motion where a detector trained on street views fails. */
export const VEHICLES: ReadonlySet<string> = new Set(['bicycle', 'car', 'motorcycle', 'bus', 'truck', 'train']);

/** Classes that end beyond the frame as often as not, such as what everything else stands on. */
export const SURFACES: ReadonlySet<string> = new Set(['dining table', 'bed', 'couch']);

/** Classes that are in the air, or moving, when a camera shows them. */
export const AIRBORNE: ReadonlySet<string> = new Set(['bird', 'kite', 'frisbee']);

/** Classes for which the detector takes a head, or a helmet on it. */
export const HEAD_SHAPED: ReadonlySet<string> = new Set([
  'apple',
  'bowl',
  'clock',
  'donut',
  'frisbee',
  'orange',
  'sports ball',
  'teddy bear',
]);

/** Colors of classes that have no other, by the names that tracks use. */
export const COLORS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['broccoli', new Set(['green', 'yellow'])],
  ['carrot', new Set(['orange', 'red', 'brown', 'yellow'])],
  ['orange', new Set(['orange', 'red', 'brown', 'yellow'])],
  ['stop sign', new Set(['red', 'orange', 'brown', 'pink'])],
]);

/**
 * Smallest and largest diagonal of what is seen of an object, in meters: from the front or the side, sitting or
 * standing, whatever the model.
 */
export const EXTENT_M: ReadonlyMap<string, readonly [min: number, max: number]> = new Map([
  ['person', [0.8, 2.1]],
  ['bicycle', [1, 2.3]],
  ['car', [2, 5.2]],
  ['motorcycle', [1, 2.6]],
  ['bus', [3, 14]],
  ['truck', [2.5, 17]],
  ['fire hydrant', [0.5, 1.2]],
  ['parking meter', [0.8, 1.8]],
  ['bench', [0.8, 3.5]],
  ['cat', [0.2, 0.9]],
  ['dog', [0.3, 1.5]],
  ['horse', [1.4, 3]],
  ['sheep', [0.7, 1.8]],
  ['cow', [1.3, 3]],
  ['elephant', [2, 7]],
  ['bear', [0.8, 3]],
  ['zebra', [1.3, 3]],
  ['giraffe', [2.5, 6.5]],
  ['suitcase', [0.4, 1.2]],
  ['chair', [0.6, 1.4]],
  ['couch', [1.2, 3.5]],
]);
