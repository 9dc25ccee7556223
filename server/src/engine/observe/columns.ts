import type { NumericArray } from './artifact.ts';

/** A growing typed array, with a value per frame and without an object per frame. */
export type Column<T extends NumericArray> = {
  push(value: number): void;
  /** Returns all values as one array. The column is empty afterwards, to not use twice the memory. */
  toArray(): T;
};

/** Values per block. Blocks are added, never copied into larger ones. */
const BLOCK_LENGTH = 4_096;

export function createColumn<T extends NumericArray>(make: (length: number) => T): Column<T> {
  let full: T[] = [];
  let last = make(BLOCK_LENGTH);
  let used = 0;
  return {
    push(value) {
      if (used === BLOCK_LENGTH) {
        full.push(last);
        last = make(BLOCK_LENGTH);
        used = 0;
      }
      last[used++] = value;
    },
    toArray() {
      const all = make(full.length * BLOCK_LENGTH + used);
      full.forEach((block, at) => {
        all.set(block, at * BLOCK_LENGTH);
      });
      all.set(last.subarray(0, used), full.length * BLOCK_LENGTH);
      full = [];
      used = 0;
      return all;
    },
  };
}

export const float64 = (length: number) => new Float64Array(length);
export const float32 = (length: number) => new Float32Array(length);
export const int32 = (length: number) => new Int32Array(length);
export const uint8 = (length: number) => new Uint8Array(length);
