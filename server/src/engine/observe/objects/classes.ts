/** The 80 classes of COCO, in the order of the detector's outputs. */
export const CLASSES: readonly string[] = [
  'person',
  'bicycle',
  'car',
  'motorcycle',
  'airplane',
  'bus',
  'train',
  'truck',
  'boat',
  'traffic light',
  'fire hydrant',
  'stop sign',
  'parking meter',
  'bench',
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
  'backpack',
  'umbrella',
  'handbag',
  'tie',
  'suitcase',
  'frisbee',
  'skis',
  'snowboard',
  'sports ball',
  'kite',
  'baseball bat',
  'baseball glove',
  'skateboard',
  'surfboard',
  'tennis racket',
  'bottle',
  'wine glass',
  'cup',
  'fork',
  'knife',
  'spoon',
  'bowl',
  'banana',
  'apple',
  'sandwich',
  'orange',
  'broccoli',
  'carrot',
  'hot dog',
  'pizza',
  'donut',
  'cake',
  'chair',
  'couch',
  'potted plant',
  'bed',
  'dining table',
  'toilet',
  'tv',
  'laptop',
  'mouse',
  'remote',
  'keyboard',
  'cell phone',
  'microwave',
  'oven',
  'toaster',
  'sink',
  'refrigerator',
  'book',
  'clock',
  'vase',
  'scissors',
  'teddy bear',
  'hair drier',
  'toothbrush',
];

/** Classes that a detector confuses: an object gets one box and keeps one track, whichever of them is detected. */
const ALIKE: readonly (readonly string[])[] = [
  ['car', 'truck', 'bus', 'train'],
  ['bicycle', 'motorcycle'],
  ['cat', 'dog', 'horse', 'sheep', 'cow', 'bear'],
  ['backpack', 'handbag', 'suitcase'],
  ['chair', 'couch', 'bench'],
  ['tv', 'laptop', 'microwave'],
];

/** Marks a moving object without a recognized class. */
export const UNKNOWN_CLASS = CLASSES.length;
/** A number per class, equal for similar classes; `UNKNOWN` is similar to none. */
export const CLASS_GROUPS: readonly number[] = [...CLASSES, ''].map((name, index) => {
  const group = ALIKE.findIndex((names) => names.includes(name));
  return group < 0 ? index : UNKNOWN_CLASS + 1 + group;
});

/** Name of such an object. */
export const MOVING_OBJECT = 'moving object';

/**
 * Classes that move on their own in front of a fixed camera, and the weight of a weak detection: people and road
 * users are common, while trains and zebras are typical false detections. Objects of other classes only move if they
 * are carried, pushed or thrown.
 */
const GOES_ABOUT: ReadonlyMap<string, number> = new Map([
  ...['person', 'bicycle', 'car', 'motorcycle', 'bus', 'truck', 'cat', 'dog'].map((name) => [name, 1] as const),
  ...['train', 'boat', 'airplane', 'bird', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe'].map(
    (name) => [name, 0.3] as const,
  ),
]);

/** Weight of each class, 0 for those that do not move on their own. */
export const MOVER_WEIGHTS: readonly number[] = [...CLASSES.map((name) => GOES_ABOUT.get(name) ?? 0), 0];

/** Most likely class where only the group is known. */
export const GROUP_DEFAULTS: ReadonlyMap<number, number> = new Map([
  [CLASS_GROUPS[CLASSES.indexOf('car')]!, CLASSES.indexOf('car')],
  [CLASS_GROUPS[CLASSES.indexOf('bicycle')]!, CLASSES.indexOf('bicycle')],
  [CLASS_GROUPS[CLASSES.indexOf('dog')]!, CLASSES.indexOf('dog')],
]);
