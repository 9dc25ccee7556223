import { type ClipFiles, openImageEncoder, openTextEncoder } from './encoder.ts';

export type EmbedTextArgs = { files: ClipFiles; text: string };
export type EmbedPictureArgs = { files: ClipFiles; picture: Uint8Array };

/** A task of a media process: the vector of a text. */
export async function embedText({ files, text }: EmbedTextArgs): Promise<Float32Array> {
  const encoder = await openTextEncoder(files);
  try {
    return await encoder.embed(text);
  } finally {
    await encoder.close();
  }
}

/** A task of a media process: the vector of an encoded picture; null if it cannot be decoded. */
export async function embedPicture({ files, picture }: EmbedPictureArgs): Promise<Float32Array | null> {
  // The drawing library takes longer to load than the model of words.
  const { decodePicture } = await import('./picture.ts');
  const image = await decodePicture(picture);
  if (!image) return null;
  const encoder = await openImageEncoder(files.image);
  try {
    return await encoder.embed(image);
  } finally {
    await encoder.close();
  }
}
