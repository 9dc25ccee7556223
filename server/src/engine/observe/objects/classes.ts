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

/** Classes that a detector takes for each other: one thing gets one box and keeps one track, whichever of them it looks like. */
const ALIKE: readonly (readonly string[])[] = [
  ['car', 'truck', 'bus', 'train'],
  ['bicycle', 'motorcycle'],
  ['cat', 'dog', 'horse', 'sheep', 'cow', 'bear'],
  ['backpack', 'handbag', 'suitcase'],
  ['chair', 'couch', 'bench'],
  ['tv', 'laptop', 'microwave'],
];

/** Stands for no class: something that moves and that nothing recognises. */
export const UNKNOWN = CLASSES.length;
/** A number per class, equal for classes that are alike; `UNKNOWN` is like nothing else. */
export const GROUP_OF: readonly number[] = [...CLASSES, ''].map((name, index) => {
  const group = ALIKE.findIndex((names) => names.includes(name));
  return group < 0 ? index : UNKNOWN + 1 + group;
});

/** What such a thing is called. */
export const MOVING_OBJECT = 'moving object';

/**
 * What goes about by itself before a fixed camera, and how much a weak detection of it counts there: people and road users are common, a train or a
 * zebra is what the detector says when it is at a loss. All that is not listed is carried, pushed or thrown, if it moves at all.
 */
const GOES_ABOUT: ReadonlyMap<string, number> = new Map([
  ...['person', 'bicycle', 'car', 'motorcycle', 'bus', 'truck', 'cat', 'dog'].map((name) => [name, 1] as const),
  ...['train', 'boat', 'airplane', 'bird', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe'].map(
    (name) => [name, 0.3] as const,
  ),
]);

/** The weight of each class, 0 for those that do not move by themselves. */
export const GOES: readonly number[] = [...CLASSES.map((name) => GOES_ABOUT.get(name) ?? 0), 0];

/** The class that is meant most often where only the group is known. */
export const COMMONEST: ReadonlyMap<number, number> = new Map([
  [GROUP_OF[CLASSES.indexOf('car')]!, CLASSES.indexOf('car')],
  [GROUP_OF[CLASSES.indexOf('bicycle')]!, CLASSES.indexOf('bicycle')],
  [GROUP_OF[CLASSES.indexOf('dog')]!, CLASSES.indexOf('dog')],
]);
