import { COLUMNS, ROWS } from '../signals/kernel.ts';
import type { GlobalMotion } from '../signals/motion.ts';

/** Part of the picture in which something moves, in fractions of it. */
export type Box = { x0: number; y0: number; x1: number; y1: number };

/** What moves by itself before a camera that stands still: found without knowing what it is. */
export type Movers = {
  /** To be told of all frames that are compared. `moving` holds 1 for each block that moves otherwise than the whole picture. */
  stepped(motion: Pick<GlobalMotion, 'x' | 'y' | 'zoom'>, moving: Uint8Array, timeS: number): void;
  /** Where things move now, in no given order of importance; none while the camera moves. */
  boxes(timeS: number): Box[];
};

/** A block counts for this long after it was seen to move: slow things do not move in every frame. */
const HOLD_S = 0.12;
/** A whole picture that moves by more between two frames (pixels of the analysis picture; growth) is a moving camera's ... */
const CAMERA = 0.3;
const CAMERA_GROWTH = 0.002;
/** ... for this long: its shake ends in blocks that seem to move by themselves. */
const CAMERA_S = 0.4;
/** Of all blocks; more at once is light, noise or the camera. */
const MOST = 0.7;
/** A single block is noise. */
const LEAST_BLOCKS = 2;
const NEVER = Number.NEGATIVE_INFINITY;

export function createMovers(): Movers {
  const movedS = new Float64Array(COLUMNS * ROWS).fill(NEVER);
  let cameraS = NEVER;
  return {
    stepped({ x, y, zoom }, moving, timeS) {
      if (Math.hypot(x, y) > CAMERA || Math.abs(zoom) > CAMERA_GROWTH) cameraS = timeS;
      for (let block = 0; block < movedS.length; block++) if (moving[block] === 1) movedS[block] = timeS;
    },
    boxes(timeS) {
      if (timeS - cameraS < CAMERA_S) return [];
      const moves = Uint8Array.from(movedS, (at) => (timeS - at <= HOLD_S ? 1 : 0));
      if (moves.reduce((sum, one) => sum + one, 0) > MOST * moves.length) return [];
      return islands(moves);
    },
  };
}

/** Boxes around blocks that hang together, corners included. */
function islands(moves: Uint8Array): Box[] {
  const boxes: Box[] = [];
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
    if (blocks >= LEAST_BLOCKS)
      boxes.push({ x0: left / COLUMNS, y0: top / ROWS, x1: right / COLUMNS, y1: bottom / ROWS });
  }
  return boxes;
}
