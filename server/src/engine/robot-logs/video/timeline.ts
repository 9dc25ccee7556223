import { join } from 'node:path';
import type { Encoder } from '#platform/media/index';
import type { ConvertedChannel, ConvertedVideo } from './convert-channel.ts';

/** Range of the measurements by the common clock. */
export type TimelineArgs = { folder: string; chunkSizeS: number | null; startNs: bigint; endNs: bigint };

const WIDTH = 320;
const HEIGHT = 180;
/** Distance of frames, so that events start near one; larger in long recordings to limit their number. */
const STEP_S = 0.2;
const MAX_FRAMES = 20_000;
/** Gray level of the frames, to distinguish them from missing frames. */
const GRAY = 64;

/**
 * Creates a video without content for the telemetry of a recording that has no usable camera. With `chunkSizeS` it
 * creates one video per part of that many seconds.
 */
export async function createTimelineVideos(
  { folder, chunkSizeS, startNs, endNs }: TimelineArgs,
  encoder: Encoder,
): Promise<ConvertedChannel> {
  const lengthS = Math.max(1, Number(endNs - startNs) / 1e9);
  const eachS = chunkSizeS ?? lengthS;
  const data = new Uint8Array(WIDTH * HEIGHT * 4).fill(GRAY);
  const parts: ConvertedVideo[] = [];
  for (let part = 0; part * eachS < lengthS; part++) {
    const endS = Math.min(eachS, lengthS - part * eachS);
    const stepS = Math.max(STEP_S, endS / MAX_FRAMES);
    const frames = Math.max(2, Math.ceil(endS / stepS));
    const sequence = Array.from({ length: frames }, (_, i) => ({ timeS: (i * endS) / frames, data }));
    const path = join(folder, `timeline-${part}.mp4`);
    await encoder.encode(path, { width: WIDTH, height: HEIGHT, frames: sequence, endS });
    const fromNs = startNs + BigInt(Math.round(part * eachS * 1e9));
    const untilNs = fromNs + BigInt(Math.round(endS * 1e9));
    parts.push({ path, part, frames, startNs: fromNs, endNs: untilNs, video: 'encoded', gaps: [] });
  }
  const notes = [
    'No camera of the recording could be made a video of: the frames are empty, and stand for what was measured.',
  ];
  return { parts, driftPpm: null, notes, losses: [] };
}
