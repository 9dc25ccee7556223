import type { CaptureArgs, CaptureContext, MediaEngine, Probe, TrimRequest } from '../engine/index.ts';
import { mediaProblem } from '../problems.ts';
import { preferCopy } from './copy-range.ts';
import type { FrameRectangle, LabeledBox } from './draw-boxes.ts';

/** Tasks behind the methods of `Media`, run in media processes. */
type Context = { decoder: MediaEngine } & CaptureContext;

export type ProbeArgs = { path: string; maxSeconds: number };
export type FrameImageArgs = {
  path: string;
  timeS: number;
  withinS: number;
  maxSide: number;
  boxes: readonly LabeledBox[];
  crop: FrameRectangle | null;
};
/** `copies`: copies packets where that is possible. */
export type TrimArgs = { path: string; target: string; request: TrimRequest; copies: boolean };

export function probe({ path, maxSeconds }: ProbeArgs, { decoder }: Context): Promise<Probe> {
  return decoder.probe(path, maxSeconds);
}

export async function frameImage(
  { path, timeS, withinS, maxSide, boxes, crop }: FrameImageArgs,
  { decoder }: Context,
): Promise<Buffer> {
  const still = await decoder.still(path, timeS, maxSide);
  if (timeS - still.timeS > withinS) {
    throw mediaProblem.media_damaged('The picture at this time could not be decoded: the video is damaged there.');
  }
  // The drawing library takes longer to load than a probe; most processes draw nothing.
  const { encodeJpegWithBoxes } = await import('./draw-boxes.ts');
  return encodeJpegWithBoxes(still, boxes, crop);
}

export function capture(args: CaptureArgs, { decoder, emit: handOver, stopSignal: stopping }: Context): Promise<void> {
  return decoder.capture(args, { emit: handOver, stopSignal: stopping });
}

/** Returns true if the packets of the video were copied. */
export async function trim({ path, target, request, copies }: TrimArgs, { decoder }: Context): Promise<boolean> {
  const chosen = copies ? await preferCopy(decoder, path, request) : request;
  await decoder.trim(path, target, chosen);
  return chosen.video !== 'encode';
}
