/** Maximum clock drift of cameras, as a fraction. */
const SLOWEST = 100e-6;

/**
 * Estimates the capture times of a stream without wall-clock times, from the frames with the shortest delay. Follows
 * slow camera clocks by reducing the weight of older frames.
 */
export function createArrivalClock() {
  /** Capture time of a frame at 0 s in milliseconds since 1970. */
  let originMs = Number.POSITIVE_INFINITY;
  let lastS = 0;
  return {
    /** Notes that the frame at position `atS` in seconds arrived at `nowMs`. */
    observe(atS: number, nowMs: number): void {
      const slowMs = Math.max(0, atS - lastS) * 1000 * SLOWEST;
      originMs = Math.min(originMs + slowMs, nowMs - atS * 1000);
      lastS = atS;
    },

    /** Capture time of the frame at position `atS` in milliseconds since 1970. */
    captureTimeMs: (atS: number): number => originMs + atS * 1000,
  };
}
