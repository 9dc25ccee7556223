/** Size of an object in the detector's input, by COCO's limits (32 and 96 pixels a side, in images of 640). */
export type ObjectSize = 'small' | 'medium' | 'large';

/** Side of a square as large as the object's box, in pixels of the detector's input (416): COCO's limits, scaled. */
const MEDIUM_PX = 21;
const LARGE_PX = 62;

export const sizeOf = (sidePx: number): ObjectSize =>
  sidePx < MEDIUM_PX ? 'small' : sidePx < LARGE_PX ? 'medium' : 'large';

/**
 * Average precision per class on COCO val2017, in percent. No figures per class are published for YOLOX-nano (25.8 over
 * all, in its README). These are from a detector of the same strength with all of them published, SSD512 of
 * BaseDetection (`ssd.vgg16.coco.512size.expand_aug`: 29.0 over all; small, medium, large 11, 34, 45), and are scaled
 * by 25.8 / 29.0 below.
 */
// biome-ignore format: a table
const PRECISION: Readonly<Record<string, number>> = {
  person: 38, bicycle: 20.8, car: 29.6, motorcycle: 34, airplane: 52.9, bus: 56.8, train: 55.3, truck: 28.6, boat: 15.3,
  'traffic light': 12, 'fire hydrant': 47.6, 'stop sign': 51.4, 'parking meter': 35.5, bench: 16.5, bird: 21.9, cat: 54.7,
  dog: 51.2, horse: 45.4, sheep: 37.4, cow: 40.7, elephant: 52.5, bear: 60.9, zebra: 56.3, giraffe: 56.1, backpack: 6.9,
  umbrella: 28.1, handbag: 5.7, tie: 14.8, suitcase: 22.2, frisbee: 39.5, skis: 11.3, snowboard: 17.6, 'sports ball': 23.8,
  kite: 22.5, 'baseball bat': 14.5, 'baseball glove': 19.4, skateboard: 36.4, surfboard: 23.1, 'tennis racket': 30,
  bottle: 17.5, 'wine glass': 17.3, cup: 27.3, fork: 14.7, knife: 5.6, spoon: 5.5, bowl: 30.2, banana: 15.6, apple: 13.8,
  sandwich: 31.3, orange: 22.9, broccoli: 18, carrot: 15.3, 'hot dog': 24.1, pizza: 40.2, donut: 32, cake: 25.3, chair: 17.3,
  couch: 35.1, 'potted plant': 16.4, bed: 38.2, 'dining table': 22.7, toilet: 49.8, tv: 47.2, laptop: 49, mouse: 44.1,
  remote: 12.8, keyboard: 38.9, 'cell phone': 22.7, microwave: 46.7, oven: 30.1, toaster: 13.9, sink: 24.7,
  refrigerator: 40.7, book: 6.3, clock: 37.1, vase: 21.3, scissors: 18.4, 'teddy bear': 36.5, 'hair drier': 0.2,
  toothbrush: 6.4,
};
const STRENGTH = 25.8 / 29;

/**
 * Recall at a useful score lies above the average precision by this much: 0.14 ± 0.04 over the classes of YOLO11n, for
 * which Ultralytics publishes both.
 */
const RECALL_ABOVE_PRECISION = 0.14;

/** Recall by size against that of all sizes: 0.149, 0.463 and 0.676 against 0.419, of NanoDet-Plus-m at 416 pixels. */
const BY_SIZE: Readonly<Record<ObjectSize, number>> = { small: 0.36, medium: 1.1, large: 1.61 };

/**
 * Objects that were found in the labeled clips, of those in view (`npm run bench -- accuracy`, prompts for a class
 * alone). None of them are small. They count against the published figures, which count as this many objects: clips
 * are few, but a video shows an object in many frames, and a data set in one.
 */
// biome-ignore format: a table
const MEASURED: Readonly<Record<string, readonly [found: number, labeled: number]>> = {
  car: [21, 21], person: [16, 18], bowl: [6, 8], cup: [4, 5], 'teddy bear': [2, 3], sink: [1, 6], carrot: [0, 3],
  bicycle: [0, 2], banana: [0, 2], truck: [0, 1], bench: [0, 1], 'cell phone': [0, 1], bear: [0, 1], orange: [0, 1],
  'fire hydrant': [0, 1],
};
const PUBLISHED_WEIGHT = 6;
const MAX_RECALL = 0.95;

/** Share of the objects of a class and size that the detector finds in a well-lit video, 0 to 1. */
export function recallOf(className: string, size: ObjectSize): number {
  const precision = PRECISION[className];
  if (precision === undefined) return 1;
  const published = Math.min(MAX_RECALL, ((precision / 100) * STRENGTH + RECALL_ABOVE_PRECISION) * BY_SIZE[size]);
  const [found, labeled] = (size !== 'small' && MEASURED[className]) || [0, 0];
  return (published * PUBLISHED_WEIGHT + found) / (PUBLISHED_WEIGHT + labeled);
}
