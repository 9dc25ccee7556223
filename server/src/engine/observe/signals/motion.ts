import { readFileSync } from 'node:fs';
import { BLOCK, BLOCKS, COLUMNS, ROWS, VECTOR } from './kernel.ts';

/** Motion of the whole picture from one frame to the next, in pixels of the analysis picture: how its content moved, right and down positive. */
export type GlobalMotion = {
  x: number;
  y: number;
  /** Growth about the picture's centre: 0.01 is one percent. */
  zoom: number;
  /** Turning of the picture about its centre, clockwise, in radians. */
  roll: number;
  /**
   * How fast the scene comes closer (negative: goes away), in pixels: what most of the texture moves by when pan and roll are taken off, as far as it
   * moves outward, in both halves of the picture. Over one scene it grows with the camera's speed, which `zoom` does not where near and far differ.
   */
  advance: number;
};

export const STILL: GlobalMotion = { x: 0, y: 0, zoom: 0, roll: 0, advance: 0 };

/** Blocks' centres from the picture's centre, in pixels. */
export const CENTRE_X = Float64Array.from(
  { length: BLOCKS },
  (_, block) => ((block % COLUMNS) - (COLUMNS - 1) / 2) * BLOCK,
);
export const CENTRE_Y = Float64Array.from(
  { length: BLOCKS },
  (_, block) => (Math.floor(block / COLUMNS) - (ROWS - 1) / 2) * BLOCK,
);

type Exports = {
  memory: WebAssembly.Memory;
  vectorsAddress(): number;
  motionAddress(): number;
  fitMotion(): void;
};

/** The compiled `motion.as`, 3 KB. */
const MODULE = new WebAssembly.Module(readFileSync(new URL('./motion.wasm', import.meta.url)));

/**
 * Fits pan, zoom and roll to the blocks' motion so that things which move by themselves, noise and blocks without texture do not count: iteratively
 * reweighted least squares with Tukey's weights, from wide to narrow. Takes `Kernel.vectors` as `match` leaves them.
 */
export function createMotionFit(): (vectors: Int32Array) => GlobalMotion {
  const { memory, vectorsAddress, motionAddress, fitMotion } = new WebAssembly.Instance(MODULE)
    .exports as unknown as Exports;
  const taken = new Int32Array(memory.buffer, vectorsAddress(), BLOCKS * VECTOR);
  const motion = new Float64Array(memory.buffer, motionAddress(), 5);
  return (vectors) => {
    taken.set(vectors);
    fitMotion();
    return { x: motion[0]!, y: motion[1]!, zoom: motion[2]!, roll: motion[3]!, advance: motion[4]! };
  };
}
