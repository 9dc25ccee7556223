import type { SelfTestArgs } from '../../tested-weights.ts';
import { detectorOf } from '../detectors.ts';
import { createDetector, type Detector } from './detector.ts';

/** A task of a media process: loads weights and detects in one gray frame. Returns what is wrong with them, or null. */
export async function testWeights({ model, files: [weights = ''] }: SelfTestArgs): Promise<string | null> {
  const spec = detectorOf(model);
  const { side } = spec;
  let detector: Detector | null = null;
  try {
    detector = await createDetector({ weights, spec, width: side, height: side, threads: 1 });
    await detector.detect(new Uint8Array(side * side * 3).fill(128));
    await detector.finish();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await detector?.close();
  }
}
