import type { MediaEngine, SequenceFrame } from '../engine/index.ts';
import { mediaProblem } from '../problems.ts';

/** `pictures`: JPEG, all of one size. */
export type PictureClipArgs = { pictures: readonly Uint8Array[]; stepS: number; target: string };

/** Task of `Media.pictureClip`: one frame for each picture. */
export async function pictureClip(
  { pictures, stepS, target }: PictureClipArgs,
  { decoder }: { decoder: MediaEngine },
): Promise<void> {
  const frames = async function* (): AsyncIterable<SequenceFrame> {
    for (const [i, data] of pictures.entries()) yield { timeS: i * stepS, data, format: { codec: 'jpeg' } };
  };
  const written = await decoder.assemble(target, { frames, maxFrames: pictures.length });
  if (written.frames !== pictures.length)
    throw mediaProblem.media_damaged('A picture of the clip could not be decoded.');
}
