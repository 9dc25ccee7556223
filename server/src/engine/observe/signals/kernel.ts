import { readFileSync } from 'node:fs';

/** The analysis frame: every video is scaled to this size, so that signals of different videos are comparable. */
export const WIDTH = 320;
export const HEIGHT = 192;
/** Side of the blocks that motion is estimated for, in pixels. */
export const BLOCK = 16;
export const COLUMNS = WIDTH / BLOCK;
export const ROWS = HEIGHT / BLOCK;
export const BLOCKS = COLUMNS * ROWS;
/** The smallest copy of a frame, used to compare frames as a whole. */
export const QUARTER_WIDTH = WIDTH / 4;
export const QUARTER_HEIGHT = HEIGHT / 4;
export const QUARTER_PIXELS = QUARTER_WIDTH * QUARTER_HEIGHT;
/** Numbers per block in `vectors`. */
export const VECTOR = 8;

/** Pixel operations on the current and the previous frame, which alternate in two slots. */
export type Kernel = {
  /** Input frames of `WIDTH × HEIGHT` gray pixels, by slot. */
  slots: readonly [Uint8Array, Uint8Array];
  /** After `ingest`, by slot: the frame at a quarter of its width and height. */
  quarters: readonly [Uint8Array, Uint8Array];
  /**
   * After `ingest`: sum, sum of squares, number of pixels below 32, number of pixels from 224, sum of the squared
   * Laplacian; at quarter size: sum of squares, sum.
   * After `match`: sum of absolute differences, sum of products at quarter size, change of light in gray levels.
   */
  stats: Float64Array;
  /**
   * After `match`, eight numbers per block: its previous position (dx, dy in pixels: it was at x + dx), and the sum of
   * absolute differences there, one pixel left, right, above and below of it (2³¹ - 1 outside of the frame), and at
   * zero displacement. The previous frame is first adjusted to the light of the current one.
   */
  vectors: Int32Array;
  /**
   * Input of `compareModels`: dx and dy per block. Afterwards the first number of each pair is the difference at that
   * displacement, -1 outside of the frame.
   */
  models: Int32Array;
  ingest(slot: number): void;
  /** Finds the blocks of `slot` in the other slot's frame. Overwrites the other frame. */
  match(slot: number): void;
  compareModels(slot: number): void;
  /** Copies a frame of `QUARTER_PIXELS` into one of three comparison buffers. */
  load(buffer: number, frame: Uint8Array): void;
  /** Sum of the products of the pixels of two comparison buffers. */
  product(a: number, b: number): number;
  /**
   * Correlation of two rectangles in two comparison buffers, -1 to 1, about 0 without structure. `half` uses the copies
   * of half their size.
   */
  correlate(
    half: boolean,
    a: number,
    aX: number,
    aY: number,
    b: number,
    bX: number,
    bY: number,
    width: number,
    height: number,
  ): number;
};

type Exports = Pick<Kernel, 'ingest' | 'match' | 'compareModels' | 'product' | 'correlate'> & {
  prepareBuffer(buffer: number): void;
  bufferAddress(buffer: number): number;
  memory: WebAssembly.Memory;
  slotAddress(slot: number): number;
  statsAddress(): number;
  vectorsAddress(): number;
  modelsAddress(): number;
};

/**
 * The compiled `kernel.as`, 8 KB. Shared by all videos of a process: only a reused module reaches the optimizing
 * compiler.
 */
const MODULE = new WebAssembly.Module(readFileSync(new URL('./kernel.wasm', import.meta.url)));

/** Creates a kernel with its own memory. */
export function loadKernel(): Kernel {
  const kernel = new WebAssembly.Instance(MODULE).exports as unknown as Exports;
  const { buffer } = kernel.memory;
  const slot = (index: number) => new Uint8Array(buffer, kernel.slotAddress(index), WIDTH * HEIGHT);
  const quarter = (index: number) =>
    new Uint8Array(buffer, kernel.slotAddress(index) + WIDTH * HEIGHT * (1 + 1 / 4), QUARTER_PIXELS);
  const buffers = [0, 1, 2].map((index) => new Uint8Array(buffer, kernel.bufferAddress(index), QUARTER_PIXELS));
  const { ingest, match, compareModels, product, correlate } = kernel;
  return {
    slots: [slot(0), slot(1)],
    quarters: [quarter(0), quarter(1)],
    stats: new Float64Array(buffer, kernel.statsAddress(), 10),
    vectors: new Int32Array(buffer, kernel.vectorsAddress(), BLOCKS * VECTOR),
    models: new Int32Array(buffer, kernel.modelsAddress(), BLOCKS * 2),
    ingest,
    match,
    compareModels,
    load(index, frame) {
      buffers[index]!.set(frame);
      kernel.prepareBuffer(index);
    },
    product,
    correlate,
  };
}
