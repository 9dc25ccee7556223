/** Typed arrays that grow: a value per frame, without an object per frame. */
export type Column<T extends Numbers> = {
  push(value: number): void;
  /** All that was pushed, as one array. The column is empty afterwards: both at once would be twice the memory. */
  done(): T;
};

type Numbers = Float64Array | Float32Array | Uint8Array | Int32Array;

/** Values per piece. Pieces are added, never copied into larger ones. */
const PIECE = 4_096;

export function createColumn<T extends Numbers>(make: (length: number) => T): Column<T> {
  let full: T[] = [];
  let last = make(PIECE);
  let used = 0;
  return {
    push(value) {
      if (used === PIECE) {
        full.push(last);
        last = make(PIECE);
        used = 0;
      }
      last[used++] = value;
    },
    done() {
      const all = make(full.length * PIECE + used);
      full.forEach((piece, at) => {
        all.set(piece, at * PIECE);
      });
      all.set(last.subarray(0, used), full.length * PIECE);
      full = [];
      used = 0;
      return all;
    },
  };
}

export const float64 = (length: number) => new Float64Array(length);
export const float32 = (length: number) => new Float32Array(length);
export const uint8 = (length: number) => new Uint8Array(length);
