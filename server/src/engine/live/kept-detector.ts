import { createDetector, type Detector } from '../observe/objects/detector.ts';

/**
 * Makes detectors, and keeps the last one that came to its end: pieces of a stream are short, and starting a detector for each would cost as much as
 * looking. One is used at a time; one that was left in the middle of its pictures is not used again.
 */
export function createDetectorKeep(make: typeof createDetector = createDetector): typeof createDetector {
  let kept: { of: string; detector: Detector } | null = null;

  return async (settings) => {
    const of = JSON.stringify(settings);
    const before = kept;
    kept = null;
    if (before && before.of !== of) await before.detector.close();
    const detector = before?.of === of ? before.detector : await make(settings);
    let finished = false;
    return {
      ...detector,
      async finish() {
        const found = await detector.finish();
        finished = true;
        return found;
      },
      async close() {
        if (finished) kept = { of, detector };
        else await detector.close();
      },
    };
  };
}
