import { join } from 'node:path';
import type { Encoder } from '#platform/media/index';
import type { Film, FilmPart } from './film.ts';

/** From when to when the recording measured, by the common clock. */
export type TimelineArgs = { folder: string; partS: number | null; startNs: bigint; endNs: bigint };

const WIDTH = 320;
const HEIGHT = 180;
/** Frames lie this far apart, so that an event begins near one; of a long recording farther, so that there are at most so many. */
const STEP_S = 0.2;
const MAX_FRAMES = 20_000;
/** A level between black and white, so that a player shows that there is a frame. */
const GREY = 64;

/**
 * Makes a video without content, as long as what a recording measured: its telemetry is searched and reviewed on it where no camera can show it.
 * With `partS` it is one of each interval of that many seconds.
 */
export async function makeTimeline({ folder, partS, startNs, endNs }: TimelineArgs, encoder: Encoder): Promise<Film> {
  const lengthS = Math.max(1, Number(endNs - startNs) / 1e9);
  const eachS = partS ?? lengthS;
  const data = new Uint8Array(WIDTH * HEIGHT * 4).fill(GREY);
  const parts: FilmPart[] = [];
  for (let part = 0; part * eachS < lengthS; part++) {
    const endS = Math.min(eachS, lengthS - part * eachS);
    const stepS = Math.max(STEP_S, endS / MAX_FRAMES);
    const frames = Math.max(2, Math.ceil(endS / stepS));
    const pictures = Array.from({ length: frames }, (_, i) => ({ timeS: (i * endS) / frames, data }));
    const path = join(folder, `timeline-${part}.mp4`);
    await encoder.encode(path, { width: WIDTH, height: HEIGHT, pictures, endS });
    const fromNs = startNs + BigInt(Math.round(part * eachS * 1e9));
    const untilNs = fromNs + BigInt(Math.round(endS * 1e9));
    parts.push({ path, part, frames, startNs: fromNs, endNs: untilNs, video: 'encoded', gaps: [] });
  }
  const notes = [
    'No camera of the recording could be made a video of: the frames are empty, and stand for what was measured.',
  ];
  return { parts, driftPpm: null, notes, losses: [] };
}
