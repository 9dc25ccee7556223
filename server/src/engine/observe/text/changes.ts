import type { PixelBox } from './boxes.ts';
import type { RgbImage } from './reader.ts';

/** Side of the squares in which frames are compared, in pixels. */
const BLOCK = 16;
/** Mean difference of the green channel from which on a square has changed: more than noise and compression. */
const THRESHOLD = 8;

export type FrameChanges = {
  /** True if any square has changed since the stored frame. */
  hasChanged: boolean;
  /** True if a square within the box has changed. */
  changedIn(box: PixelBox): boolean;
};

/** Compares frames of one size with the stored one, which `store` replaces. */
export function createChangeDetector(width: number, height: number) {
  const stored = new Uint8Array(width * height);
  const columns = Math.ceil(width / BLOCK);
  const rows = Math.ceil(height / BLOCK);
  let isEmpty = true;
  return {
    compare({ data }: Pick<RgbImage, 'data'>): FrameChanges {
      const changed = new Uint8Array(columns * rows).fill(isEmpty ? 1 : 0);
      for (let block = 0; !isEmpty && block < changed.length; block++) {
        const [x0, y0] = [(block % columns) * BLOCK, Math.floor(block / columns) * BLOCK];
        const [x1, y1] = [Math.min(width, x0 + BLOCK), Math.min(height, y0 + BLOCK)];
        let sum = 0;
        for (let y = y0; y < y1; y++)
          for (let x = x0; x < x1; x++) sum += Math.abs(stored[y * width + x]! - data[3 * (y * width + x) + 1]!);
        if (sum > THRESHOLD * (x1 - x0) * (y1 - y0)) changed[block] = 1;
      }
      return {
        hasChanged: changed.includes(1),
        changedIn(box) {
          for (let row = Math.floor(box.y0 / BLOCK); row * BLOCK < box.y1; row++)
            for (let column = Math.floor(box.x0 / BLOCK); column * BLOCK < box.x1; column++)
              if (changed[row * columns + column] === 1) return true;
          return false;
        },
      };
    },
    store({ data }: Pick<RgbImage, 'data'>): void {
      for (let at = 0; at < stored.length; at++) stored[at] = data[3 * at + 1]!;
      isEmpty = false;
    },
  };
}
