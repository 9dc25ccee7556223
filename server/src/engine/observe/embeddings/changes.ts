/** Side of the squares in which frames are compared, in pixels. */
const BLOCK = 16;
/** Mean difference of the values in a square from which on it has changed: more than noise and compression. */
const THRESHOLD = 8;

/** Compares RGB frames of one size with the last one that differed. */
export function createFrameComparison(width: number, height: number) {
  let stored: Uint8Array | null = null;

  function differs(from: Uint8Array, to: Uint8Array, x0: number, y0: number): boolean {
    const [x1, y1] = [Math.min(width, x0 + BLOCK), Math.min(height, y0 + BLOCK)];
    let sum = 0;
    for (let y = y0; y < y1; y++)
      for (let at = 3 * (y * width + x0); at < 3 * (y * width + x1); at++) sum += Math.abs(from[at]! - to[at]!);
    return sum > THRESHOLD * 3 * (x1 - x0) * (y1 - y0);
  }

  /** True for the first frame, and for one of which a square has changed. It is then the one to compare with. */
  return function hasChanged(frame: Uint8Array): boolean {
    let changed = stored === null;
    for (let y = 0; y < height && !changed; y += BLOCK)
      for (let x = 0; x < width && !changed; x += BLOCK) changed = differs(stored!, frame, x, y);
    if (changed) stored = frame.slice();
    return changed;
  };
}
