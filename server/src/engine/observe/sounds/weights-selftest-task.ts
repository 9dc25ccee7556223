import type { SelfTestArgs } from '../tested-weights.ts';
import { openRecognizer, type Recognizer } from './recognizer.ts';
import { WINDOW } from './windows.ts';

/** A task of a media process: loads weights and recognizes a click. Returns what is wrong with them, or null. */
export async function testWeights({ files: [weights = ''] }: SelfTestArgs): Promise<string | null> {
  let recognizer: Recognizer | null = null;
  try {
    recognizer = await openRecognizer(weights);
    const click = new Float32Array(WINDOW);
    click[WINDOW / 2] = 1;
    const scores = await recognizer.recognize(click);
    return scores.every((score) => score >= 0 && score <= 1) ? null : 'its scores are not between 0 and 1';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await recognizer?.close();
  }
}
