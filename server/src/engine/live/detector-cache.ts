import { createDetector, type Detector } from '../observe/objects/detector/detector.ts';

/**
 * Creates detectors and caches the last finished one: segments are short, and starting a detector for each would cost
 * as much as detecting. One is used at a time; an unfinished one is not used again.
 */
export function createDetectorCache(create: typeof createDetector = createDetector): typeof createDetector {
  let cached: { key: string; detector: Detector } | null = null;

  return async (settings) => {
    const key = JSON.stringify(settings);
    const previous = cached;
    cached = null;
    if (previous && previous.key !== key) await previous.detector.close();
    const detector = previous?.key === key ? previous.detector : await create(settings);
    let finished = false;
    return {
      ...detector,
      async finish() {
        const found = await detector.finish();
        finished = true;
        return found;
      },
      async close() {
        if (finished) cached = { key, detector };
        else await detector.close();
      },
    };
  };
}
