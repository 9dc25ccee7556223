import { createDetector } from './detector.ts';
import { INPUT_SIDE } from './yolox.ts';

export type TryArgs = { weights: string };

/** A task of a media process: loads weights and looks at one grey picture with them. Says what is wrong with them, or null. */
export async function tryWeights({ weights }: TryArgs): Promise<string | null> {
  const detector = await createDetector({ weights, width: INPUT_SIDE, height: INPUT_SIDE, threads: 1 });
  try {
    await detector.look(new Uint8Array(INPUT_SIDE * INPUT_SIDE * 3).fill(128));
    await detector.finish();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await detector.close();
  }
}
