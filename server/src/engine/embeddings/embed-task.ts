import { type ClipFiles, openImageEncoder, openTextEncoder } from './encoder.ts';

export type EmbedTextsArgs = { files: ClipFiles; texts: readonly string[] };
export type EmbedImageArgs = { files: ClipFiles; image: Uint8Array };

/** A task of a media process: the vectors of texts, in their order. */
export async function embedTexts({ files, texts }: EmbedTextsArgs): Promise<Float32Array[]> {
  const encoder = await openTextEncoder(files);
  const vectors: Float32Array[] = [];
  try {
    for (const text of texts) vectors.push(await encoder.embed(text));
  } finally {
    await encoder.close();
  }
  return vectors;
}

/** A task of a media process: the vector of an encoded image; null if it cannot be decoded. */
export async function embedImage({ files, image: encoded }: EmbedImageArgs): Promise<Float32Array | null> {
  // The drawing library takes longer to load than the model of words.
  const { decodeImage } = await import('./image.ts');
  const image = await decodeImage(encoded);
  if (!image) return null;
  const encoder = await openImageEncoder(files.image);
  try {
    return await encoder.embed(image);
  } finally {
    await encoder.close();
  }
}
