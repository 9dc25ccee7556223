import type { SelfTestArgs } from '../tested-weights.ts';
import { openTextReader, type TextReader } from './reader.ts';

/** The models accept any multiple of 32. */
const SIDE = 64;

/** A task of a media process: loads weights and reads an empty frame. Returns what is wrong with them, or null. */
export async function testWeights({ files }: SelfTestArgs): Promise<string | null> {
  let reader: TextReader | null = null;
  try {
    const [detector = '', recognizer = '', characters = ''] = files;
    reader = await openTextReader({ detector, recognizer, characters });
    const image = { width: SIDE, height: SIDE, data: new Uint8Array(3 * SIDE * SIDE) };
    await reader.detect(image, 1, { x0: 0, y0: 0, x1: SIDE, y1: SIDE });
    const { score } = await reader.recognize(image, { x0: 0, y0: 0, x1: SIDE, y1: SIDE / 2 });
    return score >= 0 && score <= 1 ? null : 'its scores are not between 0 and 1';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await reader?.close();
  }
}
