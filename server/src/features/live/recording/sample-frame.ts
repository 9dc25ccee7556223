import type { TaskContext } from '#platform/media/index';

export type SampleFrameArgs = { path: string; width: number; height: number };

/** Pixels that represent a frame. Single pixels, as an average of many would hide the noise of a sensor. */
const PIXELS = 4_096;

/** The task of a media process. Returns the luma of pixels that are spread over the first frame of a segment. */
export async function sampleFrame(
  { path, width, height }: SampleFrameArgs,
  { decoder }: TaskContext,
): Promise<Uint8Array> {
  const step = Math.max(1, Math.floor((width * height) / PIXELS));
  let sample = new Uint8Array();
  await decoder.decode(path, {
    skip: 'non-key',
    frames: [
      {
        width,
        height,
        format: 'gray',
        onFrame({ data }) {
          if (sample.length === 0) sample = data.filter((_, i) => i % step === 0);
        },
      },
    ],
  });
  return sample;
}
