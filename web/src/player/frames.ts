/** Frame rate of the ruler and of steps where the file states none, in frames per second. */
export const FALLBACK_RATE = 25;

/** Number of the frame that is shown at a time, from 0. The tolerance absorbs rounded presentation times. */
export const frameNumber = (time: number, rate: number): number => Math.max(0, Math.floor(time * rate + 0.05));

/**
 * Time in seconds to seek to so that the frame `frames` after the one presented at `time` is shown: the middle of that
 * frame, because decoders round times to either side of its start.
 */
export function stepTime(time: number, frames: number, rate: number, duration: number): number {
  const target = time + (frames + 0.5) / rate;
  return Math.min(Math.max(0, target), Math.max(0, duration - 0.25 / rate));
}

const FASTEST = 4;

/** The next speed of a shuttle key: 1 in its direction, twice as fast at each further press. Negative: backwards. */
export const shuttleSpeed = (current: number, direction: 1 | -1): number =>
  Math.sign(current) === direction ? direction * Math.min(FASTEST, Math.max(1, Math.abs(current) * 2)) : direction;

/** Nearest distance to the start of a frame, in seconds, at which decoders agree on the frame of a time. */
const LEAST_DISTANCE_S = 0.002;

/** A time, moved into the frame that starts there if it is so near to its start that decoders could show either one. */
export function insideFrame(time: number, rate: number): number {
  const start = Math.round(time * rate) / rate;
  return Math.abs(time - start) < LEAST_DISTANCE_S ? start + LEAST_DISTANCE_S : time;
}
