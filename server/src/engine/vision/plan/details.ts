import type { Observations, Track } from '../../observe/observations.ts';
import type { FrameDetail, FramePart, VideoFrame } from '../types.ts';
import { namesClass } from './moments.ts';

const MAX_DETAILS = 4;
/** Objects that fill more of the frame's width or height than this are large enough in the frame itself. */
const LARGE = 0.4;
/** Room around an object, as a share of its size, and the smallest part. */
const MARGIN = 0.35;
const MIN_SIDE = 0.1;

/**
 * Enlarged parts of these frames: the objects whose class the prompt names, each where it is largest, the largest
 * objects first.
 */
export function selectDetails(query: string, observations: Observations, frames: readonly VideoFrame[]): FrameDetail[] {
  const { objects } = observations;
  if (!objects) return [];
  const tracks = objects.tracks.filter(({ className }) => namesClass(query, className));
  const found = tracks.flatMap((track) => largestIn(track, objects.timeS, frames) ?? []);
  return found.toSorted((a, b) => b.size - a.size).slice(0, MAX_DETAILS);
}

/** Enlarged parts of a track's object, in the frames in which it is largest. */
export function detailsOfTrack(track: Track, timeS: Float64Array, frames: readonly VideoFrame[]): FrameDetail[] {
  const found = frames.flatMap((frame) => largestIn(track, timeS, [frame]) ?? []);
  return found.toSorted((a, b) => b.size - a.size).slice(0, MAX_OF_TRACK);
}

const MAX_OF_TRACK = 2;

function largestIn(track: Track, timeS: Float64Array, frames: readonly VideoFrame[]) {
  let best: (FrameDetail & { size: number }) | null = null;
  for (const frame of frames) {
    const k = nearestTo(track, timeS, frame.timeS);
    if (k === null) continue;
    const [width, height] = [track.width[k]!, track.height[k]!];
    const size = width * height;
    if (Math.max(width, height) > LARGE || (best && size <= best.size)) continue;
    const part = partAround(track.x[k]!, track.y[k]!, width, height);
    best = { frame, part, className: track.className, size };
  }
  return best;
}

/** Farthest that a box is from the frame that it is shown in, in seconds. */
const NEAR_S = 0.25;

function nearestTo({ frame }: Track, timeS: Float64Array, time: number): number | null {
  let nearest: number | null = null;
  for (let k = 0; k < frame.length; k++) {
    const distance = Math.abs(timeS[frame[k]!]! - time);
    if (distance <= NEAR_S && (nearest === null || distance < Math.abs(timeS[frame[nearest]!]! - time))) nearest = k;
  }
  return nearest;
}

/** The part of the frame around a box; `x` and `y` are its center. */
function partAround(x: number, y: number, boxWidth: number, boxHeight: number): FramePart {
  const width = Math.min(1, Math.max(MIN_SIDE, boxWidth * (1 + 2 * MARGIN)));
  const height = Math.min(1, Math.max(MIN_SIDE, boxHeight * (1 + 2 * MARGIN)));
  return {
    x: Math.max(0, Math.min(1 - width, x - width / 2)),
    y: Math.max(0, Math.min(1 - height, y - height / 2)),
    width,
    height,
  };
}
