/** Typed arrays that grow by doubling: a value per frame, without an object per frame. */
export type Column<T extends Float64Array | Float32Array | Uint8Array | Int32Array> = {
  push(value: number): void;
  /** A copy of what was pushed. */
  done(): T;
};

type Numbers = Float64Array | Float32Array | Uint8Array | Int32Array;

export function createColumn<T extends Numbers>(make: (length: number) => T): Column<T> {
  let values = make(1024);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const larger = make(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    done: () => values.slice(0, length) as T,
  };
}

export const float64 = (length: number) => new Float64Array(length);
export const float32 = (length: number) => new Float32Array(length);
