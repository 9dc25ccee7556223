/**
 * How far before the wanted time to start decoding, in seconds, one try after the other: an index may point past the frame, or to a frame that does
 * not stand alone. The last one means from the start.
 */
export const SEEK_BACK_S = [0, 2, 10, 60, Number.POSITIVE_INFINITY] as const;

/** The time stamp of a position: a frame's own `timeS` gives its own time stamp back, whatever was rounded on the way. */
export function targetStamp(timeS: number, tick: number, origin: number): number {
  return origin + Math.max(0, Math.floor(timeS / tick + 1e-3));
}
