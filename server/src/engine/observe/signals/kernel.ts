import { readFileSync } from 'node:fs';

/** The analysis picture: stretched to this size whatever the video's own, so that figures of different videos compare. */
export const WIDTH = 320;
export const HEIGHT = 192;
/** Motion is found for blocks of this many pixels. */
export const BLOCK = 16;
export const COLUMNS = WIDTH / BLOCK;
export const ROWS = HEIGHT / BLOCK;
export const BLOCKS = COLUMNS * ROWS;
/** The smallest copy, which pictures as a whole are compared by. */
export const QUARTER_WIDTH = WIDTH / 4;
export const QUARTER_HEIGHT = HEIGHT / 4;
export const QUARTER_PIXELS = QUARTER_WIDTH * QUARTER_HEIGHT;
/** Numbers per block in `vectors`. */
export const VECTOR = 8;

/** The per-pixel work on two pictures, the newest and the one before, which take turns in two slots. */
export type Kernel = {
  /** Where to put a picture of `WIDTH × HEIGHT` grey pixels, by slot. */
  slots: readonly [Uint8Array, Uint8Array];
  /** After `ingest`, by slot: the picture at a quarter of its width and height. */
  quarters: readonly [Uint8Array, Uint8Array];
  /**
   * After `ingest`: sum, sum of squares, pixels below 32, pixels from 224, sum of the squared Laplacian; at quarter size: sum of squares, sum.
   * After `match`: sum of absolute differences, sum of products at quarter size, grey levels that the light rose by.
   */
  stats: Float64Array;
  /**
   * After `match`, eight numbers per block: where it came from (dx, dy in pixels: it was at x + dx), the sum of absolute differences there, one pixel to the left, right,
   * above and below of there (2³¹ - 1 outside of the picture), and at the same place; all after the picture before was brought to the same light.
   */
  vectors: Int32Array;
  /** Given to `follow`: dx and dy per block; after it, the first of each pair is the difference there, -1 outside of the picture. */
  models: Int32Array;
  ingest(slot: number): void;
  /** Compares `slot` with the other slot's picture, which is spent by it, and finds the blocks of the one in the other. */
  match(slot: number): void;
  follow(slot: number): void;
  /** Puts a picture of `QUARTER_PIXELS` into one of three hands, to be compared with those in the others. */
  hold(hand: number, picture: Uint8Array): void;
  /** Sum of the products of two hands' pixels. */
  product(a: number, b: number): number;
  /** Correlation of two rectangles in two hands' pictures, -1 to 1, plain ones as if 0; `half`: in copies of half their size. */
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

type Exports = Pick<Kernel, 'ingest' | 'match' | 'follow' | 'product' | 'correlate'> & {
  hold(hand: number): void;
  handAddress(hand: number): number;
  memory: WebAssembly.Memory;
  slotAddress(slot: number): number;
  statsAddress(): number;
  vectorsAddress(): number;
  modelsAddress(): number;
};

/**
 * The compiled `kernel.as`, 8 KB. A constant of the process, not of the video: the engine makes machine code in two steps, and only what is kept gets to the
 * fast one.
 */
const MODULE = new WebAssembly.Module(readFileSync(new URL('./kernel.wasm', import.meta.url)));

/** A kernel with its own two pictures. */
export function loadKernel(): Kernel {
  const kernel = new WebAssembly.Instance(MODULE).exports as unknown as Exports;
  const { buffer } = kernel.memory;
  const slot = (index: number) => new Uint8Array(buffer, kernel.slotAddress(index), WIDTH * HEIGHT);
  const quarter = (index: number) =>
    new Uint8Array(buffer, kernel.slotAddress(index) + WIDTH * HEIGHT * (1 + 1 / 4), QUARTER_PIXELS);
  const hands = [0, 1, 2].map((hand) => new Uint8Array(buffer, kernel.handAddress(hand), QUARTER_PIXELS));
  const { ingest, match, follow, product, correlate } = kernel;
  return {
    slots: [slot(0), slot(1)],
    quarters: [quarter(0), quarter(1)],
    stats: new Float64Array(buffer, kernel.statsAddress(), 10),
    vectors: new Int32Array(buffer, kernel.vectorsAddress(), BLOCKS * VECTOR),
    models: new Int32Array(buffer, kernel.modelsAddress(), BLOCKS * 2),
    ingest,
    match,
    follow,
    hold(hand, picture) {
      hands[hand]!.set(picture);
      kernel.hold(hand);
    },
    product,
    correlate,
  };
}
