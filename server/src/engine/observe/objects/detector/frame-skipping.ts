import type { Detector, FrameDetections } from './detector.ts';

/**
 * Side of the compared squares, in pixels of the detector input: its finest grid, so no smaller object could be
 * detected.
 */
const SQUARE = 8;
/**
 * Mean absolute difference of a square (of 255) up to which it is unchanged: above noise and coding, below
 * recognizable changes.
 */
const MAX_DIFFERENCE = 2;
/** Seconds after which a frame is detected even if it is unchanged. */
const MAX_SKIP_S = 2;

/** Every other row is compared: half the work, and no object is one row high. */
const ROW_STEP = 2;

export type FrameSkippingDetector = Omit<Detector, 'detect'> & {
  detect(rgb: Uint8Array, timeS: number): Promise<void> | void;
  /** The last detected frame. */
  save(): SkippingState;
};

export type SkippingState = { frame: Uint8Array; detectedS: number };

/**
 * Skips frames that have not changed since the last detection and repeats its result. Frames are compared with the
 * last detected frame, not with the previous one, so that slow changes add up. The results depend on the frames
 * alone. `saved`: the last detected frame of an earlier pass, and its result.
 */
export function withFrameSkipping(
  detector: Detector,
  width: number,
  height: number,
  saved: (SkippingState & { result: FrameDetections | null }) | null = null,
): FrameSkippingDetector {
  const detectedFrame = saved?.frame.slice() ?? new Uint8Array(width * height * 3);
  let detectedS = saved?.detectedS ?? Number.NEGATIVE_INFINITY;
  /** For each frame without a returned result, whether it is detected (or repeats the one before). */
  let pending: boolean[] = [];
  const results: FrameDetections[] = [];
  let last = saved?.result ?? null;

  const collect = (detected: FrameDetections[]): FrameDetections[] => {
    results.push(...detected);
    const next: FrameDetections[] = [];
    for (const isNew of pending) {
      if (isNew && results.length === 0) break;
      if (isNew) last = results.shift()!;
      next.push(last!);
    }
    pending = pending.slice(next.length);
    return next;
  };

  return {
    ...detector,
    detect(rgb, timeS) {
      if (timeS - detectedS < MAX_SKIP_S && isSameFrame(rgb, detectedFrame, width, height)) {
        pending.push(false);
        return;
      }
      detectedFrame.set(rgb.subarray(0, detectedFrame.length));
      detectedS = timeS;
      pending.push(true);
      return detector.detect(rgb);
    },
    save: () => ({ frame: detectedFrame.slice(), detectedS }),
    takeResults: () => collect(detector.takeResults()),
    finish: async () => collect(await detector.finish()),
  };
}

/** True if no square of a frame differs from the other frame. */
export function isSameFrame(a: Uint8Array, b: Uint8Array, width: number, height: number): boolean {
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
      if (sum > MAX_DIFFERENCE * count) return false;
    }
  }
  return true;
}
