import { zstdDecompressSync } from 'node:zlib';
import decompressLz4 from '@foxglove/wasm-lz4';
import type { McapTypes } from '@mcap/core';

/** Largest chunk of a recording, before and after decompression. Writers make them of about a megabyte; a few hold whole frames of many cameras. */
export const MOST_CHUNK_BYTES = 256 * 2 ** 20;

/** Throws when a chunk is larger than is accepted, by what its header says: nothing is decompressed to find out. */
export function checkChunkSize(bytes: bigint | number): void {
  if (bytes <= MOST_CHUNK_BYTES) return;
  throw new Error(`a chunk claims ${bytes} bytes, more than the ${MOST_CHUNK_BYTES} that are accepted`);
}

/** The compressions of the format, each held to the size that the chunk declares. */
export async function loadDecompressors(): Promise<McapTypes.DecompressHandlers> {
  await decompressLz4.isLoaded;
  const held =
    (decompress: (bytes: Uint8Array, size: number) => Uint8Array) => (bytes: Uint8Array, declared: bigint) => {
      checkChunkSize(declared);
      const size = Number(declared);
      const result = decompress(bytes, size);
      if (result.length !== size) throw new Error(`a chunk holds ${result.length} bytes where it declares ${size}`);
      return result;
    };
  return {
    // A copy: the library hands out its own memory.
    lz4: held((bytes, size) => new Uint8Array(decompressLz4(bytes, size))),
    zstd: held((bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, size) })),
  };
}
