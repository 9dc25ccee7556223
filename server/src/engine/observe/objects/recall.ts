import type { DetectorName, DetectorSpec } from './detectors.ts';
import { OPEN_IMAGES_CLASSES } from './open-images.ts';

/** Size of an object in the detector's input, by COCO's limits (32 and 96 pixels a side, in images of 640). */
export type ObjectSize = 'small' | 'medium' | 'large';

/** Side of a square as large as the object's box, in pixels of an input of `LIMITS_SIDE`: COCO's limits, scaled. */
const MEDIUM_PX = 21;
const LARGE_PX = 62;
const LIMITS_SIDE = 416;

/** Size of an object whose box is as large as a square of this side, in the input of a detector. */
export function sizeOf(sidePx: number, { side }: Pick<DetectorSpec, 'side'> = { side: LIMITS_SIDE }): ObjectSize {
  const scaled = (sidePx * LIMITS_SIDE) / side;
  return scaled < MEDIUM_PX ? 'small' : scaled < LARGE_PX ? 'medium' : 'large';
}

/**
 * Average precision per class on COCO val2017, in percent. No figures per class are published for YOLOX-nano (25.8 over
 * all, in its README). These are from a detector of the same strength with all of them published, SSD512 of
 * BaseDetection (`ssd.vgg16.coco.512size.expand_aug`: 29.0 over all; small, medium, large 11, 34, 45), and are
 * scaled below.
 */
// biome-ignore format: a table
const OF_SSD512: Readonly<Record<string, number>> = {
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

/**
 * The same of YOLOX-S at 640 pixels (40.5 over all), as OpenCV's model zoo publishes them for the file of the catalog.
 */
// biome-ignore format: a table
const OF_YOLOX_S: Readonly<Record<string, number>> = {
  person: 54.1, bicycle: 31.6, car: 40.4, motorcycle: 43.5, airplane: 66.1, bus: 64.2, train: 64.5, truck: 35.1,
  boat: 24.7, 'traffic light': 25.1, 'fire hydrant': 64.4, 'stop sign': 65.3, 'parking meter': 48.4, bench: 22.7,
  bird: 33.3, cat: 66.4, dog: 60.1, horse: 58.1, sheep: 49.5, cow: 53.6, elephant: 65.6, bear: 70.5, zebra: 66.5,
  giraffe: 66.8, backpack: 13.1, umbrella: 41.6, handbag: 12.9, tie: 29.5, suitcase: 39.1, frisbee: 61.7, skis: 21.6,
  snowboard: 31.3, 'sports ball': 39.8, kite: 41.4, 'baseball bat': 27.3, 'baseball glove': 36.7, skateboard: 49.4,
  surfboard: 35.5, 'tennis racket': 45.6, bottle: 37.3, 'wine glass': 33.1, cup: 39.8, fork: 31.6, knife: 15.3,
  spoon: 14.9, bowl: 43.3, banana: 27.9, apple: 17.6, sandwich: 32.8, orange: 29.4, broccoli: 23.2, carrot: 23.1,
  'hot dog': 33.7, pizza: 52.5, donut: 48, cake: 36.2, chair: 29.7, couch: 46.2, 'potted plant': 24.8, bed: 44.3,
  'dining table': 30, toilet: 64.2, tv: 57.3, laptop: 58.4, mouse: 57.8, remote: 24.3, keyboard: 48,
  'cell phone': 32.4, microwave: 57.2, oven: 36.2, toaster: 28.7, sink: 38.2, refrigerator: 52.9, book: 15,
  clock: 48.6, vase: 37, scissors: 26.3, 'teddy bear': 45.7, 'hair drier': 7.3, toothbrush: 19.4,
};

/**
 * Recall at a useful score lies above the average precision by this much: 0.14 ± 0.04 over the classes of YOLO11n, for
 * which Ultralytics publishes both.
 */
const RECALL_ABOVE_PRECISION = 0.14;

/** Recall by size against that of all sizes: 0.149, 0.463 and 0.676 against 0.419, of NanoDet-Plus-m at 416 pixels. */
const BY_SIZE: Readonly<Record<ObjectSize, number>> = { small: 0.36, medium: 1.1, large: 1.61 };

/**
 * Objects that YOLOX-nano found in the labeled clips, of those in view (`npm run bench -- accuracy`, prompts for a
 * class alone). None of them are small. They count against the published figures, which count as this many objects:
 * clips are few, but a video shows an object in many frames, and a data set in one.
 */
// biome-ignore format: a table
const MEASURED: Readonly<Record<string, readonly [found: number, labeled: number]>> = {
  car: [21, 21], person: [16, 18], bowl: [6, 8], cup: [4, 5], 'teddy bear': [2, 3], sink: [1, 6], carrot: [0, 3],
  bicycle: [0, 2], banana: [0, 2], truck: [0, 1], bench: [0, 1], 'cell phone': [0, 1], bear: [0, 1], orange: [0, 1],
  'fire hydrant': [0, 1],
};

/** Published figures of a detector, and objects that it found in the labeled clips. */
type Evaluation = {
  /** Average precision per class in percent, and the factor by which those of another detector are scaled. */
  precision: Readonly<Record<string, number>>;
  strength: number;
  bySize: Readonly<Record<ObjectSize, number>>;
  measured: Readonly<Record<string, readonly [found: number, labeled: number]>>;
  /**
   * False if no figures per class are published: the recall of a class without labeled objects is then scaled from that
   * of another detector.
   */
  isKnown: boolean;
};

/**
 * In a copy that is 1.5 times as large, some of the small objects are medium-sized: their recall is taken as the mean
 * of both. (In labeled frames of CamVid, 1 instead of 6 of 43 small people are missed, and 4 instead of 12 of 32 small
 * cars.) Larger objects are found in the usual copy.
 */
const BY_SIZE_IN_LARGER: Readonly<Record<ObjectSize, number>> = {
  ...BY_SIZE,
  small: (BY_SIZE.small + BY_SIZE.medium) / 2,
};

const YOLOX_S: Evaluation = {
  precision: OF_YOLOX_S,
  strength: 1,
  measured: {},
  isKnown: true,
  // Its published average recall by size against that of all: 0.365, 0.634 and 0.724 against 0.574.
  bySize: { small: 0.64, medium: 1.1, large: 1.26 },
};

/**
 * The same objects, found by the detector that comes with the installation (`npm run bench -- detectors`): 35 of 57, of
 * which YOLOX-Nano finds 52. All other classes are scaled by that, as no figures of them are published.
 */
const MEASURED_OF_FALLBACK = { car: [21, 26], person: [12, 23], bicycle: [2, 3], cup: [0, 5] } as const;
const FALLBACK_STRENGTH = 35 / 52;

/** Published average precision over all classes: 25.8, 32.8 and 40.5 in YOLOX's README, 42.8 in D-FINE's. */
const EVALUATIONS: Readonly<Record<DetectorName, Evaluation>> = {
  yolox_nano: { precision: OF_SSD512, strength: 25.8 / 29, bySize: BY_SIZE, measured: MEASURED, isKnown: true },
  yolox_nano_640: {
    precision: OF_SSD512,
    strength: 25.8 / 29,
    bySize: BY_SIZE_IN_LARGER,
    measured: MEASURED,
    isKnown: true,
  },
  yolox_tiny: { ...YOLOX_S, strength: 32.8 / 40.5, bySize: BY_SIZE, isKnown: false },
  yolox_s: YOLOX_S,
  dfine_n: { ...YOLOX_S, strength: 42.8 / 40.5, isKnown: false },
  ssd_mobilenet_v2: {
    precision: Object.fromEntries(Object.entries(OF_SSD512).filter(([name]) => OPEN_IMAGES_CLASSES.includes(name))),
    strength: (25.8 / 29) * FALLBACK_STRENGTH,
    bySize: BY_SIZE,
    measured: MEASURED_OF_FALLBACK,
    isKnown: false,
  },
};

/** True if figures of the class are published for the detector or were measured; else its recall is only scaled. */
export const isRecallKnown = (className: string, detector: DetectorName): boolean =>
  EVALUATIONS[detector].isKnown || Object.hasOwn(EVALUATIONS[detector].measured, className);

const PUBLISHED_WEIGHT = 6;
const MAX_RECALL = 0.95;

/** Share of the objects of a class and size that a detector finds in a well-lit video, 0 to 1. */
export function recallOf(className: string, size: ObjectSize, detector: DetectorName = 'yolox_nano'): number {
  const { strength, bySize, measured, precision: table } = EVALUATIONS[detector];
  const precision = table[className];
  // An object without a class in any detector is found by its motion; one with a class in others is not found.
  if (precision === undefined) return Object.hasOwn(OF_SSD512, className) ? 0 : 1;
  const published = Math.min(MAX_RECALL, ((precision / 100) * strength + RECALL_ABOVE_PRECISION) * bySize[size]);
  const [found, labeled] = (size !== 'small' && measured[className]) || [0, 0];
  return (published * PUBLISHED_WEIGHT + found) / (PUBLISHED_WEIGHT + labeled);
}
