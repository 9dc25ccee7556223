import { readFileSync } from 'node:fs';
import { DIMENSIONS } from '../encoder.ts';

/** A page of WebAssembly memory in bytes. */
const PAGE = 65_536;

/** Vectors in memory, in slots of equal size, and their products with a query. */
export type ScanKernel = {
  /** The bytes of a slot, valid until the memory grows. Grows the memory if needed. */
  slot(index: number): Int8Array;
  /** The query of the following scans. */
  setQuery(bytes: Int8Array): void;
  /** Products of the query with the first `count` vectors of a slot, then stale ones; valid until the next scan. */
  scan(index: number, count: number): Int32Array;
};

type Exports = {
  memory: WebAssembly.Memory;
  queryAddress(): number;
  vectorsAddress(): number;
  scan(vectors: number, count: number, products: number): void;
};

/** Creates a kernel with its own memory, for slots of `capacity` vectors. */
export function loadScanKernel(capacity: number): ScanKernel {
  const module = new WebAssembly.Module(readFileSync(new URL('./kernel.wasm', import.meta.url)));
  const kernel = new WebAssembly.Instance(module).exports as unknown as Exports;
  const products = kernel.vectorsAddress();
  const start = products + 4 * capacity;
  const size = DIMENSIONS * capacity;
  const addressOf = (index: number) => start + index * size;

  const readResults = () => new Int32Array(kernel.memory.buffer, products, capacity);

  function reserve(end: number): void {
    const missing = end - kernel.memory.buffer.byteLength;
    if (missing <= 0) return;
    kernel.memory.grow(Math.ceil(missing / PAGE));
    // Growing detaches the memory's buffer.
    results = readResults();
  }

  let results = new Int32Array();
  reserve(start);
  results = readResults();
  return {
    slot(index) {
      reserve(addressOf(index + 1));
      return new Int8Array(kernel.memory.buffer, addressOf(index), size);
    },
    setQuery: (bytes) => new Int16Array(kernel.memory.buffer, kernel.queryAddress(), DIMENSIONS).set(bytes),
    scan(index, count) {
      kernel.scan(addressOf(index), count, products);
      return results;
    },
  };
}
