import { zstdDecompressSync } from 'node:zlib';
import decompressLz4 from '@foxglove/wasm-lz4';
import type { McapTypes } from '@mcap/core';
import type { ReadLimits } from './limits.ts';

/** Decompressors of the format. They check the size that the chunk declares and the limits of the recording. */
export async function loadDecompressors(bounds: ReadLimits): Promise<McapTypes.DecompressHandlers> {
  await decompressLz4.isLoaded;
  const held =
    (decompress: (bytes: Uint8Array, size: number) => Uint8Array) => (bytes: Uint8Array, declared: bigint) => {
      bounds.checkChunk(bytes.length, declared);
      const size = Number(declared);
      const result = decompress(bytes, size);
      if (result.length !== size) throw new Error(`a chunk holds ${result.length} bytes where it declares ${size}`);
      try {
        bounds.checkRecords(result, bytes.length);
      } catch (error) {
        release(result);
        throw error;
      }
      return result;
    };
  return {
    lz4: held(decompressLz4),
    // Decompresses into one buffer of the declared size.
    zstd: held((bytes, size) =>
      zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size) }),
    ),
  };
}

/** Frees the bytes of a refused chunk now: the garbage collector may leave several of them in memory. */
function release({ buffer, byteLength }: Uint8Array): void {
  // A small result may be a view of memory that others use.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
