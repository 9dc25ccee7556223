import type { ModelEntry } from '../../models/index.ts';
import { CLASSES } from './classes.ts';
import { OPEN_IMAGES_CLASSES } from './open-images.ts';

/** Form of a detector's input and output: `yolox` has grids of cells, `detr` a set of boxes, `ssd` anchors. */
export type DetectorContract = 'yolox' | 'detr' | 'ssd';

/** Properties of a detector of the catalog that the engine depends on. */
export type DetectorSpec = {
  contract: DetectorContract;
  /** Longest side in pixels of the frames that it examines: the size that it was trained with. */
  side: number;
  /** The classes that it knows, of `CLASSES`. */
  classes: readonly string[];
  /** Longest side in pixels of a larger copy of each frame, in which it examines small objects as well. */
  fineSide?: number;
  /** The detector with the same weights that sees the usual copy alone, if this one also sees a larger copy. */
  usual?: 'yolox_nano';
  /** The detector with the same weights that also sees a larger copy of each frame. */
  finer?: 'yolox_nano_640';
  /** The detector that knows more and finds more, and what this one takes its other classes for. */
  better?: { name: 'yolox_nano'; mistakes: Readonly<Record<string, readonly string[]>> };
};

const SPECS = {
  yolox_nano: { contract: 'yolox', side: 416, classes: CLASSES, finer: 'yolox_nano_640' },
  yolox_nano_640: { contract: 'yolox', side: 416, classes: CLASSES, fineSide: 640, usual: 'yolox_nano' },
  yolox_tiny: { contract: 'yolox', side: 416, classes: CLASSES },
  yolox_s: { contract: 'yolox', side: 640, classes: CLASSES },
  dfine_n: { contract: 'detr', side: 640, classes: CLASSES },
  // It scales frames to a square of 300 pixels itself: colors are measured in those of the other detectors.
  ssd_mobilenet_v2: {
    contract: 'ssd',
    side: 416,
    classes: OPEN_IMAGES_CLASSES,
    better: { name: 'yolox_nano', mistakes: { car: ['truck', 'bus'] } },
  },
} as const satisfies Record<string, DetectorSpec>;

export type DetectorName = keyof typeof SPECS;

const DEFAULT: DetectorName = 'yolox_nano';

/** Name of the detector in the stored name of a model, `yolox_nano fd7193b8405b`; the default one if it is unknown. */
export function detectorName(model: string | null): DetectorName {
  const [name = ''] = model?.split(' ') ?? [];
  return Object.hasOwn(SPECS, name) ? (name as DetectorName) : DEFAULT;
}

/** The detector of a stored name of a model. */
export const detectorOf = (model: string | null): DetectorSpec => SPECS[detectorName(model)];

const specOf = (name: string): DetectorSpec | null => (Object.hasOwn(SPECS, name) ? SPECS[name as DetectorName] : null);

/** The detector whose weights are those of a named one: its name in the catalog. */
export const weightsNameOf = (name: string): string => specOf(name)?.usual ?? name;

/** The detectors of a catalog: its models that detect objects, and those that see a larger copy of frames with one. */
export const listDetectors = (catalog: readonly ModelEntry[]): { name: string; title: string }[] =>
  catalog
    .filter(({ task }) => task === 'objects')
    .flatMap(({ name, title }) => {
      const finer = specOf(name)?.finer;
      const larger = finer && { name: finer, title: `${title}, small objects in ${SPECS[finer].fineSide} pixels` };
      return larger ? [{ name, title }, larger] : [{ name, title }];
    });

/** Size to which a frame is scaled for a detector: its longest side is that of the detector. */
export function toDetectorSize(
  shown: { width: number; height: number },
  { side }: Pick<DetectorSpec, 'side'>,
): { width: number; height: number } {
  const scale = side / Math.max(shown.width, shown.height);
  const scaled = (length: number) => Math.max(1, Math.min(side, Math.round(length * scale)));
  return { width: scaled(shown.width), height: scaled(shown.height) };
}
