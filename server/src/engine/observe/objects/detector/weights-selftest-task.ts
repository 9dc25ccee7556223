import { createDetector } from './detector.ts';
import { INPUT_SIDE } from './yolox.ts';

export type SelfTestArgs = { weights: string };

/** A task of a media process: loads weights and detects in one gray frame. Returns what is wrong with them, or null. */
export async function testWeights({ weights }: SelfTestArgs): Promise<string | null> {
  const detector = await createDetector({ weights, width: INPUT_SIDE, height: INPUT_SIDE, threads: 1 });
  try {
    await detector.detect(new Uint8Array(INPUT_SIDE * INPUT_SIDE * 3).fill(128));
    await detector.finish();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await detector.close();
  }
}
