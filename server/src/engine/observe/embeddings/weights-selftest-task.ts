import { openImageEncoder, openTextEncoder, scaledSize } from '../../embeddings/index.ts';
import type { SelfTestArgs } from '../tested-weights.ts';

/** A task of a media process: embeds an empty frame and some words. Returns what is wrong with the weights, or null. */
export async function testWeights({
  files: [image = '', text = '', tokenizer = ''],
}: SelfTestArgs): Promise<string | null> {
  try {
    const { width, height } = scaledSize({ width: 1, height: 1 });
    await using images = disposable(await openImageEncoder(image));
    await images.embed({ width, height, data: new Uint8Array(3 * width * height) });
    await using texts = disposable(await openTextEncoder({ text, tokenizer }));
    await texts.embed('a photo of a street');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const disposable = <Encoder extends { close(): Promise<void> }>(encoder: Encoder) =>
  Object.assign(encoder, { [Symbol.asyncDispose]: encoder.close });
