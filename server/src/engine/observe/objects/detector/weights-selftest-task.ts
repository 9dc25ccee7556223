import type { SelfTestArgs } from '../../tested-weights.ts';
import { createDetector, type Detector } from './detector.ts';
import { INPUT_SIDE } from './yolox.ts';

/** A task of a media process: loads weights and detects in one gray frame. Returns what is wrong with them, or null. */
export async function testWeights({ files: [weights = ''] }: SelfTestArgs): Promise<string | null> {
  const side = INPUT_SIDE;
  let detector: Detector | null = null;
  try {
    detector = await createDetector({ weights, width: side, height: side, threads: 1 });
    await detector.detect(new Uint8Array(side * side * 3).fill(128));
    await detector.finish();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await detector?.close();
  }
}
