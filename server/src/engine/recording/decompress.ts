import { zstdDecompressSync } from 'node:zlib';
import decompressLz4 from '@foxglove/wasm-lz4';
import type { McapTypes } from '@mcap/core';
import type { Bounds } from './bounds.ts';

/** The compressions of the format, each held to the size that the chunk declares and to the bounds of the recording. */
export async function loadDecompressors(bounds: Bounds): Promise<McapTypes.DecompressHandlers> {
  await decompressLz4.isLoaded;
  const held =
    (decompress: (bytes: Uint8Array, size: number) => Uint8Array) => (bytes: Uint8Array, declared: bigint) => {
      bounds.checkChunk(bytes.length, declared);
      const size = Number(declared);
      const result = decompress(bytes, size);
      if (result.length !== size) throw new Error(`a chunk holds ${result.length} bytes where it declares ${size}`);
      bounds.checkRecords(result, bytes.length);
      // A copy where the library hands out its own memory, which it uses again.
      return decompress === decompressLz4 ? new Uint8Array(result) : result;
    };
  return {
    lz4: held(decompressLz4),
    // Decompressed into one buffer of the declared size, not into pieces that are then joined.
    zstd: held((bytes, size) =>
      zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size) }),
    ),
  };
}
