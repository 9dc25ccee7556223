import type { Backend } from './backend.ts';
import { drawJpeg } from './draw.ts';
import type { Box, Probe } from './index.ts';

/** The room's own tasks, run inside a media process: the functions behind `Media.probe` and `Media.picture`. */
type Context = { decoder: Backend };

export type ProbeArgs = { path: string; maxSeconds: number };
export type PictureArgs = { path: string; timeS: number; maxSide: number; boxes: readonly Box[] };

export function probe({ path, maxSeconds }: ProbeArgs, { decoder }: Context): Promise<Probe> {
  return decoder.probe(path, maxSeconds);
}

export async function picture({ path, timeS, maxSide, boxes }: PictureArgs, { decoder }: Context): Promise<Buffer> {
  return drawJpeg(await decoder.still(path, timeS, maxSide), boxes);
}
