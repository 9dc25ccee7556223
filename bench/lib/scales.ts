import { CLASSES } from '../../server/src/engine/observe/objects/classes.ts';
import { createDetector } from '../../server/src/engine/observe/objects/detector/detector.ts';
import { openScales } from '../../server/src/engine/observe/objects/detector/scales.ts';
import { detectorOf } from '../../server/src/engine/observe/objects/detectors.ts';
import type { FrameRequest, TaskContext } from '../../server/src/platform/media/index.ts';

/** Best score of each class in a frame, by detector. */
export type FrameScores = { timeS: number; scores: Record<string, Record<string, number>> };

/** Media process task: the frames that detectors with the same weights see of a clip, and what they find in each. */
export async function scoreFrames(
  {
    path,
    displaySize,
    weights,
    detectors,
  }: {
    path: string;
    displaySize: { width: number; height: number };
    weights: string;
    detectors: readonly string[];
  },
  { decoder }: TaskContext,
): Promise<FrameScores[]> {
  const frames = new Map<number, FrameScores>();
  for (const name of detectors) {
    const spec = detectorOf(name);
    const detector = await openScales({ weights, spec, displaySize, threads: 1, open: createDetector });
    const times: number[] = [];
    const usual: FrameRequest = {
      ...detector.size,
      format: 'rgb',
      minIntervalS: 0.2,
      onFrame: ({ data, timeS }) => {
        times.push(timeS);
        return detector.detect(data, timeS);
      },
    };
    const fine = detector.fineSize && {
      ...usual,
      ...detector.fineSize,
      sharp: true,
      onFrame: ({ data, timeS }: { data: Uint8Array; timeS: number }) => detector.detectFine(data, timeS),
    };
    await decoder.decode(path, { frames: fine ? [fine, usual] : [usual] });
    const found = await detector.finish();
    await detector.close();
    for (const [at, { detections }] of found.entries()) {
      const timeS = times[at]!;
      const frame = frames.get(timeS) ?? { timeS, scores: {} };
      frames.set(timeS, frame);
      const scores: Record<string, number> = {};
      for (const { classIndex, score } of detections) {
        const className = CLASSES[classIndex]!;
        scores[className] = Math.max(scores[className] ?? 0, score);
      }
      frame.scores[name] = scores;
    }
  }
  return [...frames.values()];
}
