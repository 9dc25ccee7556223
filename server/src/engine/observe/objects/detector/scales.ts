import type { DetectorSpec } from '../detectors.ts';
import { toDetectorSize } from '../detectors.ts';
import type { createDetector, Detector, FrameDetections } from './detector.ts';
import { type SkippingState, withFrameSkipping } from './frame-skipping.ts';
import { joinScales } from './join-scales.ts';

type Size = { width: number; height: number };

/** A detector that sees each frame in one size, or in two of which the larger one shows small objects. */
export type ScaledDetector = Omit<Detector, 'detect' | 'takeResults' | 'finish'> & {
  readonly size: Size;
  readonly fineSize: Size | null;
  detect(rgb: Uint8Array, timeS: number): Promise<void> | void;
  /** Takes the larger copy of the next frame. */
  detectFine(rgb: Uint8Array, timeS: number): Promise<void> | void;
  takeResults(): ScaledDetections[];
  finish(): Promise<ScaledDetections[]>;
  /** The last detected frame of each size. */
  save(): ScalesState;
};

/** Detections in a frame, joined and of each size. */
export type ScaledDetections = FrameDetections & { ofSizes: FrameDetections[] };
export type ScalesState = SkippingState[];

export async function openScales({
  weights,
  spec,
  displaySize,
  threads,
  open,
  saved = null,
}: {
  weights: string;
  spec: DetectorSpec;
  displaySize: Size;
  threads: number;
  open: typeof createDetector;
  /** The last detected frame of each size in an earlier pass, and the detections in its last frame. */
  saved?: { states: ScalesState; result: ScaledDetections | null } | null;
}): Promise<ScaledDetector> {
  const openFor = async (side: number, at: number) => {
    const size = toDetectorSize(displaySize, { side });
    const detector = await open({ weights, spec, ...size, threads });
    const state = saved && { ...saved.states[at]!, result: saved.result?.ofSizes[at] ?? null };
    return { size, detector: withFrameSkipping(detector, size.width, size.height, state) };
  };
  const usual = await openFor(spec.side, 0);
  const { size } = usual;
  if (spec.fineSide === undefined) {
    const alone = (found: FrameDetections[]) => found.map((each) => ({ ...each, ofSizes: [each] }));
    return {
      ...usual.detector,
      size,
      fineSize: null,
      detectFine: () => {},
      takeResults: () => alone(usual.detector.takeResults()),
      finish: async () => alone(await usual.detector.finish()),
      save: () => [usual.detector.save()],
    };
  }
  const fine = await openFor(spec.fineSide, 1).catch(async (error: unknown) => {
    await usual.detector.close();
    throw error;
  });
  /** Results of one size that wait for those of the other. */
  const waiting: [FrameDetections[], FrameDetections[]] = [[], []];
  const join = (ofUsual: FrameDetections[], ofFine: FrameDetections[]): ScaledDetections[] => {
    waiting[0].push(...ofUsual);
    waiting[1].push(...ofFine);
    const count = Math.min(waiting[0].length, waiting[1].length);
    const finer = waiting[1].splice(0, count);
    return waiting[0].splice(0, count).map((found, at) => {
      return { ...joinScales(found, finer[at]!, size), ofSizes: [found, finer[at]!] };
    });
  };
  return {
    size,
    fineSize: fine.size,
    detect: usual.detector.detect,
    detectFine: fine.detector.detect,
    takeResults: () => join(usual.detector.takeResults(), fine.detector.takeResults()),
    save: () => [usual.detector.save(), fine.detector.save()],
    finish: async () => join(await usual.detector.finish(), await fine.detector.finish()),
    async close() {
      await usual.detector.close();
      await fine.detector.close();
    },
  };
}
