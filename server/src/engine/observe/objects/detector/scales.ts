import type { DetectorSpec } from '../detectors.ts';
import { toDetectorSize } from '../detectors.ts';
import type { createDetector, Detector, FrameDetections } from './detector.ts';
import { withFrameSkipping } from './frame-skipping.ts';
import { joinScales } from './join-scales.ts';

type Size = { width: number; height: number };

/** A detector that sees each frame in one size, or in two of which the larger one shows small objects. */
export type ScaledDetector = Omit<Detector, 'detect'> & {
  readonly size: Size;
  readonly fineSize: Size | null;
  detect(rgb: Uint8Array, timeS: number): Promise<void> | void;
  /** Takes the larger copy of the next frame. */
  detectFine(rgb: Uint8Array, timeS: number): Promise<void> | void;
};

export async function openScales({
  weights,
  spec,
  displaySize,
  threads,
  open,
}: {
  weights: string;
  spec: DetectorSpec;
  displaySize: Size;
  threads: number;
  open: typeof createDetector;
}): Promise<ScaledDetector> {
  const openFor = async (side: number) => {
    const size = toDetectorSize(displaySize, { side });
    const detector = await open({ weights, spec, ...size, threads });
    return { size, detector: withFrameSkipping(detector, size.width, size.height) };
  };
  const usual = await openFor(spec.side);
  const { size } = usual;
  if (spec.fineSide === undefined) return { ...usual.detector, size, fineSize: null, detectFine: () => {} };
  const fine = await openFor(spec.fineSide).catch(async (error: unknown) => {
    await usual.detector.close();
    throw error;
  });
  /** Results of one size that wait for those of the other. */
  const waiting: [FrameDetections[], FrameDetections[]] = [[], []];
  const join = (ofUsual: FrameDetections[], ofFine: FrameDetections[]): FrameDetections[] => {
    waiting[0].push(...ofUsual);
    waiting[1].push(...ofFine);
    const count = Math.min(waiting[0].length, waiting[1].length);
    const finer = waiting[1].splice(0, count);
    return waiting[0].splice(0, count).map((found, at) => joinScales(found, finer[at]!, size));
  };
  return {
    size,
    fineSize: fine.size,
    detect: usual.detector.detect,
    detectFine: fine.detector.detect,
    takeResults: () => join(usual.detector.takeResults(), fine.detector.takeResults()),
    finish: async () => join(await usual.detector.finish(), await fine.detector.finish()),
    async close() {
      await usual.detector.close();
      await fine.detector.close();
    },
  };
}
