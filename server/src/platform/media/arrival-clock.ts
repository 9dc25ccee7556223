/** Clocks of cameras are at most this much slower than ours. */
const SLOWEST = 100e-6;

/**
 * Tells when the pictures of a stream were taken that does not say so itself: by those that came soonest after. A camera whose clock is slow is followed, as what came
 * soonest counts for less the longer ago it was.
 */
export function createArrivalClock() {
  /** When a picture at 0 s would have been taken, in milliseconds of the epoch. */
  let originMs = Number.POSITIVE_INFINITY;
  let lastS = 0;
  return {
    /** A picture of this place in the stream, in seconds, came at `nowMs`. */
    see(atS: number, nowMs: number): void {
      const slowMs = Math.max(0, atS - lastS) * 1000 * SLOWEST;
      originMs = Math.min(originMs + slowMs, nowMs - atS * 1000);
      lastS = atS;
    },

    /** When the picture there was taken. */
    takenMs: (atS: number): number => originMs + atS * 1000,
  };
}
