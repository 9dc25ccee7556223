import { DIMENSIONS, type FrameVectors } from '#engine/index';

/** Rows in a buffer: about 280 KB. */
const ROWS = 256;
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);
const FIELDS = 7;
/** Each field follows its length; a vector follows its dimensions. */
const ROW_BYTES = 2 + 4 * FIELDS + 4 * 4 + 8 + 4 + 4 + 2 * DIMENSIONS;

/** Half-precision numbers of all signed bytes, which it represents exactly, by the byte without its sign. */
const HALVES = Uint16Array.from({ length: 256 }, (_, byte) => toHalf(byte < 128 ? byte : byte - 256));

function toHalf(integer: number): number {
  if (integer === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(integer)));
  const fraction = (Math.abs(integer) / 2 ** exponent - 1) * 2 ** 10;
  return (integer < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction;
}

/** Vectors of a source from the position `first` on, with the group of each and the number that it represents. */
export type CopiedVectors = Pick<FrameVectors, 'timeS' | 'scales' | 'vectors'> & {
  sourceId: number;
  first: number;
  groups: Int32Array;
  represented: Int32Array;
};

/** The rows of vectors in the binary format of COPY: source, position, group, time, scale, represented and vector. */
export function* copiedRows(copied: CopiedVectors): Generator<Buffer> {
  const { sourceId, first, timeS, scales, vectors, groups, represented } = copied;
  yield HEADER;
  for (let from = 0; from < timeS.length; from += ROWS) {
    const until = Math.min(timeS.length, from + ROWS);
    const rows = Buffer.allocUnsafe((until - from) * ROW_BYTES);
    let at = 0;
    for (let row = from; row < until; row++) {
      at = rows.writeInt16BE(FIELDS, at);
      for (const integer of [sourceId, first + row, groups[row]!]) {
        at = rows.writeInt32BE(4, at);
        at = rows.writeInt32BE(integer, at);
      }
      at = rows.writeInt32BE(8, at);
      at = rows.writeDoubleBE(timeS[row]!, at);
      at = rows.writeInt32BE(4, at);
      at = rows.writeFloatBE(scales[row]!, at);
      at = rows.writeInt32BE(4, at);
      at = rows.writeInt32BE(represented[row]!, at);
      at = rows.writeInt32BE(4 + 2 * DIMENSIONS, at);
      at = rows.writeInt16BE(DIMENSIONS, at);
      at = rows.writeInt16BE(0, at);
      for (let value = row * DIMENSIONS; value < (row + 1) * DIMENSIONS; value++)
        at = rows.writeUInt16BE(HALVES[vectors[value]! & 255]!, at);
    }
    yield rows;
  }
  yield TRAILER;
}
