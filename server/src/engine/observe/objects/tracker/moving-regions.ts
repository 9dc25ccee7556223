import type { GlobalMotion } from '../../signals/global-motion.ts';
import { COLUMNS, ROWS } from '../../signals/kernel.ts';

/** Part of the frame with motion, in fractions of the frame. */
export type BoxCorners = { x0: number; y0: number; x1: number; y1: number };

/** Finds moving objects in front of a fixed camera without recognizing them. */
export type MovingRegions = {
  /**
   * To be called for every analyzed frame. `moving` holds 1 for each block that moves differently from the whole
   * frame.
   */
  addMotion(motion: Pick<GlobalMotion, 'x' | 'y' | 'zoom'>, moving: Uint8Array, timeS: number): void;
  /** Current moving regions, in no particular order; none while the camera moves. */
  boxes(timeS: number): BoxCorners[];
  save(): MovingState;
};

export type MovingState = { movedS: Float64Array; cameraS: number };

/** Time for which a block counts after it moved: slow objects do not move in every frame. */
const HOLD_S = 0.12;
/** Motion of the whole frame from which the camera counts as moving (pixels of the analyzed frame; growth) ... */
const CAMERA = 0.3;
const CAMERA_GROWTH = 0.002;
/** ... for this long: its shake ends in blocks that seem to move on their own. */
const CAMERA_S = 0.4;
/** Share of all blocks; more at once is light, noise or the camera. */
const MOST = 0.7;
/** A single block is noise. */
const MIN_BLOCKS = 2;
const NEVER = Number.NEGATIVE_INFINITY;

export function createMovingRegions(saved: MovingState | null = null): MovingRegions {
  const movedS = saved?.movedS.slice() ?? new Float64Array(COLUMNS * ROWS).fill(NEVER);
  let cameraS = saved?.cameraS ?? NEVER;
  return {
    addMotion({ x, y, zoom }, moving, timeS) {
      if (Math.hypot(x, y) > CAMERA || Math.abs(zoom) > CAMERA_GROWTH) cameraS = timeS;
      for (let block = 0; block < movedS.length; block++) if (moving[block] === 1) movedS[block] = timeS;
    },
    boxes(timeS) {
      if (timeS - cameraS < CAMERA_S) return [];
      const moves = Uint8Array.from(movedS, (at) => (timeS - at <= HOLD_S ? 1 : 0));
      if (moves.reduce((sum, one) => sum + one, 0) > MOST * moves.length) return [];
      return islands(moves);
    },
    save: () => ({ movedS: movedS.slice(), cameraS }),
  };
}

/** Boxes around adjacent blocks, including diagonal ones. */
function islands(moves: Uint8Array): BoxCorners[] {
  const boxes: BoxCorners[] = [];
  for (let first = 0; first < moves.length; first++) {
    if (moves[first] !== 1) continue;
    let [left, right, top, bottom] = [COLUMNS, 0, ROWS, 0];
    let blocks = 0;
    const open = [first];
    moves[first] = 0;
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      const [column, row] = [block % COLUMNS, Math.floor(block / COLUMNS)];
      blocks++;
      left = Math.min(left, column);
      right = Math.max(right, column + 1);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row + 1);
      for (let y = Math.max(0, row - 1); y <= Math.min(ROWS - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(COLUMNS - 1, column + 1); x++) {
          const next = y * COLUMNS + x;
          if (moves[next] !== 1) continue;
          moves[next] = 0;
          open.push(next);
        }
      }
    }
    if (blocks >= MIN_BLOCKS)
      boxes.push({ x0: left / COLUMNS, y0: top / ROWS, x1: right / COLUMNS, y1: bottom / ROWS });
  }
  return boxes;
}
