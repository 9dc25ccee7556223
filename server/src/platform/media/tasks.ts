import type { Backend } from './backend.ts';
import type { Cut } from './cutter.ts';
import { drawJpeg } from './draw.ts';
import type { Box, Probe } from './index.ts';
import type { CaptureArgs, Capturing } from './live.ts';
import { mediaProblem } from './problems.ts';

/** The room's own tasks, run inside a media process: the functions behind `Media`. */
type Context = { decoder: Backend } & Capturing;

export type ProbeArgs = { path: string; maxSeconds: number };
export type PictureArgs = { path: string; timeS: number; withinS: number; maxSide: number; boxes: readonly Box[] };
export type CutArgs = { path: string; target: string; request: Cut };

export function probe({ path, maxSeconds }: ProbeArgs, { decoder }: Context): Promise<Probe> {
  return decoder.probe(path, maxSeconds);
}

export async function picture(
  { path, timeS, withinS, maxSide, boxes }: PictureArgs,
  { decoder }: Context,
): Promise<Buffer> {
  const still = await decoder.still(path, timeS, maxSide);
  if (timeS - still.timeS > withinS) {
    throw mediaProblem.media_damaged('The picture at this time could not be decoded: the video is damaged there.');
  }
  return drawJpeg(still, boxes);
}

export function capture(args: CaptureArgs, { decoder, handOver, stopping }: Context): Promise<void> {
  return decoder.capture(args, { handOver, stopping });
}

export function cut({ path, target, request }: CutArgs, { decoder }: Context): Promise<void> {
  return decoder.cut(path, target, request);
}
