import { crc32 } from 'node:zlib';

/** How long the record is that ends the data section: its kind, its length and the checksum. */
const DATA_END_BYTES = 13;

/** The checksum of a file's data section, made as the file comes: of all before the record that ends the section, as the writers of the format have it. */
export function createDataCrc() {
  let crc = 0;
  /** The last that came, which may be that record already, and where it begins. */
  let last = Buffer.alloc(0);
  let from = 0;
  return {
    add(piece: Uint8Array): void {
      const done = Math.max(0, last.length - DATA_END_BYTES);
      crc = crc32(last.subarray(0, done), crc);
      from += done;
      last = Buffer.concat([last.subarray(done), piece]);
    },
    /** Of all that came before the record that ends at `end`. */
    before: (end: number): number => crc32(last.subarray(0, end - DATA_END_BYTES - from), crc),
  };
}
