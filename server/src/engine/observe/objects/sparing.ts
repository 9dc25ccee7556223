import type { Detector, Found } from './detector.ts';

/** Side of the squares that are compared, in pixels of the detector's picture: its finest grid, so nothing it could see is smaller. */
const SQUARE = 8;
/** Mean absolute difference of a square, of 255, up to which it is the same: noise and coding stay below, and below it nothing is recognised. */
const SAME = 2;
/** Seconds after which it looks again all the same. */
const LONGEST_S = 2;

/** Every other row is compared: half the work, and no thing is one row high. */
const ROW_STEP = 2;

export type SparingDetector = Omit<Detector, 'look'> & {
  look(rgb: Uint8Array, timeS: number): Promise<void> | void;
};

/**
 * A detector that is not asked again about a picture that is still the one it saw last: what was found there is found there still. It is always compared
 * with the picture that was looked at, not with the one before, so that what begins slowly adds up. What it gives depends on the pictures alone.
 */
export function sparing(detector: Detector, width: number, height: number): SparingDetector {
  const seen = new Uint8Array(width * height * 3);
  let seenS = Number.NEGATIVE_INFINITY;
  /** For each picture that was not told of yet, whether it was looked at or is the one before once more. */
  let untold: boolean[] = [];
  const results: Found[] = [];
  let last: Found | null = null;

  const told = (more: Found[]): Found[] => {
    results.push(...more);
    const next: Found[] = [];
    for (const isNew of untold) {
      if (isNew && results.length === 0) break;
      if (isNew) last = results.shift()!;
      next.push(last!);
    }
    untold = untold.slice(next.length);
    return next;
  };

  return {
    ...detector,
    look(rgb, timeS) {
      if (timeS - seenS < LONGEST_S && isSame(rgb, seen, width, height)) {
        untold.push(false);
        return;
      }
      seen.set(rgb.subarray(0, seen.length));
      seenS = timeS;
      untold.push(true);
      return detector.look(rgb);
    },
    ready: () => told(detector.ready()),
    finish: async () => told(await detector.finish()),
  };
}

/** Whether no square of one picture differs from the other's. */
export function isSame(a: Uint8Array, b: Uint8Array, width: number, height: number): boolean {
  for (let top = 0; top < height; top += SQUARE) {
    const bottom = Math.min(height, top + SQUARE);
    for (let left = 0; left < width; left += SQUARE) {
      const bytes = (Math.min(width, left + SQUARE) - left) * 3;
      let sum = 0;
      let count = 0;
      for (let y = top; y < bottom; y += ROW_STEP) {
        const from = (y * width + left) * 3;
        for (let at = from; at < from + bytes; at++) sum += Math.abs(a[at]! - b[at]!);
        count += bytes;
      }
      if (sum > SAME * count) return false;
    }
  }
  return true;
}
