import type { PixelBox } from './boxes.ts';
import type { GrayPlane } from './strokes.ts';

/** Mean difference of the brightness from which on a square has changed: more than noise and compression. */
const THRESHOLD = 8;

export type FrameChanges = {
  /** True if any square has changed since it was stored. */
  hasChanged: boolean;
  /** True if a square within the box has changed. */
  changedIn(box: PixelBox): boolean;
};

/** Compares frames of one size, in squares of `side` pixels. A square that has changed is the one to compare with. */
export function createChangeDetector(side: number) {
  let stored: Uint8Array | null = null;
  return function compare({ width, height, data }: GrayPlane): FrameChanges {
    const columns = Math.ceil(width / side);
    const changed = new Uint8Array(columns * Math.ceil(height / side)).fill(stored === null ? 1 : 0);
    stored ??= data.slice();
    for (let square = 0; square < changed.length; square++) {
      const [x0, y0] = [(square % columns) * side, Math.floor(square / columns) * side];
      const [x1, y1] = [Math.min(width, x0 + side), Math.min(height, y0 + side)];
      let sum = 0;
      for (let y = y0; y < y1; y++)
        for (let at = y * width + x0; at < y * width + x1; at++) sum += Math.abs(stored[at]! - data[at]!);
      if (sum <= THRESHOLD * (x1 - x0) * (y1 - y0)) continue;
      changed[square] = 1;
      for (let y = y0; y < y1; y++) stored.set(data.subarray(y * width + x0, y * width + x1), y * width + x0);
    }
    return {
      hasChanged: changed.includes(1),
      changedIn(box) {
        for (let row = Math.floor(box.y0 / side); row * side < box.y1; row++)
          for (let column = Math.floor(box.x0 / side); column * side < box.x1; column++)
            if (changed[row * columns + column] === 1) return true;
        return false;
      },
    };
  };
}
