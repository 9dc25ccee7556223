import type { NumericArray } from './artifact.ts';

/** A growing typed array, with a value per frame and without an object per frame. */
export type Column<T extends NumericArray> = {
  push(value: number): void;
  append(values: T): void;
  readonly length: number;
  at(index: number): number;
  /** A copy of the values from an index on. */
  from(start: number): T;
  /** Returns all values as one array. The column is empty afterwards, to not use twice the memory. */
  toArray(): T;
};

/** Reads all values of a column: a copy, or the column itself, which is then empty. */
export type ColumnReader = <T extends NumericArray>(column: Column<T>) => T;

/** Values per block. Blocks are added, never copied into larger ones. */
const BLOCK_LENGTH = 4_096;

export function createColumn<T extends NumericArray>(make: (length: number) => T): Column<T> {
  let full: T[] = [];
  let last = make(BLOCK_LENGTH);
  let used = 0;
  const push = (value: number) => {
    if (used === BLOCK_LENGTH) {
      full.push(last);
      last = make(BLOCK_LENGTH);
      used = 0;
    }
    last[used++] = value;
  };
  return {
    push,
    append(values) {
      for (const value of values) push(value);
    },
    get length() {
      return full.length * BLOCK_LENGTH + used;
    },
    at: (index) => (full[Math.floor(index / BLOCK_LENGTH)] ?? last)[index % BLOCK_LENGTH]!,
    from(start) {
      const values = make(full.length * BLOCK_LENGTH + used - start);
      let at = 0;
      for (const [block, content] of [...full, last.subarray(0, used)].entries()) {
        const skipped = Math.min(content.length, Math.max(0, start - block * BLOCK_LENGTH));
        values.set(content.subarray(skipped), at);
        at += content.length - skipped;
      }
      return values;
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

/** Columns whose values are saved range by range. */
export function createColumnLog<Name extends string>(columns: Record<Name, Column<NumericArray>>) {
  const names = Object.keys(columns) as Name[];
  const saved = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  return {
    /** The values since the last call, or since `restore`. */
    save(): SavedColumns {
      const added = names.map((name) => {
        const values = columns[name].from(saved[name]);
        saved[name] = columns[name].length;
        return [name, values];
      });
      return Object.fromEntries(added);
    },
    restore(ranges: readonly SavedColumns[]): void {
      for (const range of ranges) for (const name of names) columns[name].append(range[name]!);
      for (const name of names) saved[name] = columns[name].length;
    },
  };
}

/** Values of columns, by name. */
export type SavedColumns = Record<string, NumericArray>;
