/**
 * Seek distances before the target in seconds, tried in this order: an index may point past the frame, or to one that
 * is not independently decodable. Infinity means the start of the file.
 */
export const SEEK_BACK_S = [0, 2, 10, 60, Number.POSITIVE_INFINITY] as const;

/** Timestamp of a position. Tolerates rounding: a frame's `timeS` maps to the frame's own timestamp. */
export function seekTimestamp(timeS: number, tick: number, origin: number): number {
  return origin + Math.max(0, Math.floor(timeS / tick + 1e-3));
}
