import { crc32 } from 'node:zlib';

/** Size of the record that ends the data section: opcode, length and checksum. */
const DATA_END_BYTES = 13;

/**
 * CRC-32 of a file's data section, computed while the file is read: of all bytes before the record that ends the
 * section.
 */
export function createDataChecksum() {
  let crc = 0;
  /** The last bytes, which may be that record, and their offset in the file. */
  let last = Buffer.alloc(0);
  let from = 0;
  return {
    add(chunk: Uint8Array): void {
      const done = Math.max(0, last.length - DATA_END_BYTES);
      crc = crc32(last.subarray(0, done), crc);
      from += done;
      last = Buffer.concat([last.subarray(done), chunk]);
    },
    /** Checksum of all bytes before the record that ends at `end`. */
    before: (end: number): number => crc32(last.subarray(0, end - DATA_END_BYTES - from), crc),
  };
}
